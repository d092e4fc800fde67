// The parts of a message: words, pictures, links.
import type { ContentPart } from "sandbox-agent/transcript";
import { Markdown } from "../../../parts/markdown.js";
import { Icon } from "../../../parts/icon.js";
import { PartImage } from "../../../parts/image.js";

export interface PartsProps {
  readonly parts: readonly ContentPart[];
  /** More may come. */
  readonly isLive?: boolean;
  /** Words are shown as they are. */
  readonly isPlain?: boolean;
}

export function Parts({ parts, isLive = false, isPlain = false }: PartsProps) {
  return (
    <>
      {parts.map((part, index) => (
        <Part key={index} part={part} isLive={isLive && index === parts.length - 1} isPlain={isPlain} />
      ))}
    </>
  );
}

function Part({ part, isLive, isPlain }: { part: ContentPart; isLive: boolean; isPlain: boolean }) {
  switch (part.type) {
    case "text":
    case "reasoning":
      return isPlain ? <p class="plain">{part.text}</p> : <Markdown text={part.text} live={isLive} />;
    case "image":
      return part.data === undefined ? (
        <p class="quiet">A picture at {part.uri ?? "an unknown place"}; it is not loaded from there.</p>
      ) : (
        <PartImage
          mimeType={part.mime_type ?? "image/png"}
          data={part.data}
          alt={isPlain ? "A picture you sent" : "A picture of the agent"}
        />
      );
    case "audio":
      return <p class="quiet">A sound ({part.mime_type ?? "unknown kind"}); it can be had from the Trace.</p>;
    case "resource":
      return (
        <div class="resource">
          <Icon name={part.text === undefined ? "link" : "log"} /> <b>{part.title ?? part.name ?? nameIn(part.uri)}</b>{" "}
          <code>{part.uri}</code>
          {part.text !== undefined && (
            <details open={!isPlain}>
              <summary>Text</summary>
              <pre tabIndex={0}>{part.text}</pre>
            </details>
          )}
        </div>
      );
    default:
      return <pre tabIndex={0}>{JSON.stringify(part, null, 2)}</pre>;
  }
}

// "attachment:my%20notes.txt" is "my notes.txt".
function nameIn(uri: string): string {
  try {
    return decodeURIComponent(uri.replace(/^.*[:/]/, "")) || uri;
  } catch {
    return uri;
  }
}
