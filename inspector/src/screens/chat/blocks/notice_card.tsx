// Something that is neither said nor done: shown small, with all of it one click away.
import type { ContentPart } from "sandbox-agent/transcript";
import { Icon } from "../../../parts/icon.js";
import type { ItemBlock } from "../../../state/blocks.js";

export function NoticeCard({ block: { item } }: { block: ItemBlock }) {
  const [part] = item.content;
  return (
    <details class="notice">
      <summary>
        <Icon name="more" /> {nameOf(part)}
      </summary>
      <pre tabIndex={0}>{JSON.stringify(item.content, null, 2)}</pre>
    </details>
  );
}

function nameOf(part: ContentPart | undefined): string {
  if (part?.type === "status") return part.detail === undefined ? part.label : `${part.label}: ${part.detail}`;
  return part?.type === "raw" ? part.label : "told by a client to restore the session";
}
