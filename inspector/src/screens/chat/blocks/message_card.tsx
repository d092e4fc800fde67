import { Icon } from "../../../parts/icon.js";
import type { ItemBlock } from "../../../state/blocks.js";
import { Parts } from "./parts.js";

export function MessageCard({ block: { item } }: { block: ItemBlock }) {
  return (
    <article class="said" aria-label="Agent">
      <span class="said-who">
        <Icon name="agent" /> Agent
      </span>
      <Parts parts={item.content} isLive={item.status === "in_progress"} />
    </article>
  );
}
