// A block of code: its language, a button that copies it exactly, one that wraps its lines, and its colours when it is complete.
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import "./code.css";
import { CopyButton } from "./copy_button.js";
import { Icon } from "./icon.js";
import { cutRuns } from "./text_runs.js";
import { onDemand } from "./on_demand.js";

export interface CodeProps {
  text: string;
  language?: string | undefined;
  /** It still grows: no colours yet. */
  live?: boolean;
}

const mostColoured = 50_000; // characters
const highlighter = onDemand(() => import("./highlight.js"));

export function Code({ text, language = "", live = false }: CodeProps) {
  const [wrap, setWrap] = useState(false);
  const coloured = !live && language !== "" && text.length <= mostColoured;
  const highlight = highlighter.use(coloured)?.highlight;
  const runs = useMemo(() => highlight?.(text, language), [highlight, text, language]);
  return (
    <figure class="code" aria-label={language ? `Code, ${language}` : "Code"}>
      <figcaption class="code-head">
        <span class="code-language">{language || "text"}</span>
        <button type="button" class="code-wrap" aria-pressed={wrap} onClick={() => setWrap(!wrap)}>
          <Icon name="wrap" /> Wrap lines
        </button>
        <CopyButton text={text} label="Copy code" />
      </figcaption>
      <pre class={wrap ? "code-text code-wrapped" : "code-text"} tabIndex={0} role="group" aria-label="Code">
        <code>
          {runs?.map((run) => (run.kind ? <span class={`code-${run.kind}`}>{run.text}</span> : run.text)) ?? lineRuns(text)}
        </code>
      </pre>
    </figure>
  );
}

/** Very long code as runs of whole lines, so that the browser sets only the last one anew while it grows. */
function lineRuns(text: string): ComponentChildren {
  if (text.length < 20_000) return text;
  return cutRuns(text, "\n").map((run) => <span class="code-run">{run}</span>);
}
