import { Icon } from "../../../parts/icon.js";
import type { ItemBlock } from "../../../state/blocks.js";
import { ToolCard } from "./tool_card.js";

export function ReadsCard({ reads }: { reads: readonly ItemBlock[] }) {
  return (
    <details class="reads">
      <summary>
        <Icon name="read" /> Read {reads.length} files
      </summary>
      {reads.map((block) => (
        <ToolCard key={block.key} block={block} />
      ))}
    </details>
  );
}
