// A text in Markdown. What reads it is loaded on demand; until then the text is shown as it was written.
import "./markdown.css";
import { cutRuns } from "./text_runs.js";
import { onDemand } from "./on_demand.js";

export interface MarkdownProps {
  text: string;
  /** The text still grows. */
  live: boolean;
}

const view = onDemand(() => import("./markdown_view.js"));

/** Loads what reads Markdown, before the first text comes. */
export const preloadMarkdown = (): Promise<void> => view.preload();

export function Markdown(props: MarkdownProps) {
  const MarkdownView = view.use()?.MarkdownView;
  if (MarkdownView) return <MarkdownView {...props} />;
  return (
    <div class="markdown">
      {cutRuns(props.text).map((run) => (
        <p class="markdown-plain">{run}</p>
      ))}
    </div>
  );
}
