import { Icon } from "../../../parts/icon.js";
import type { ItemBlock } from "../../../state/blocks.js";
import { Parts } from "./parts.js";

export function UserCard({ block: { item } }: { block: ItemBlock }) {
  return (
    <article class="said said-user" aria-label="You">
      <span class="said-who">
        <Icon name="user" /> You
      </span>
      <Parts parts={item.content} isPlain />
    </article>
  );
}
