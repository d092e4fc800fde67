import { Icon } from "../../../parts/icon.js";
import { Markdown } from "../../../parts/markdown.js";
import { textIn, type ItemBlock } from "../../../state/blocks.js";
import { durationWord } from "./duration.js";

export function ThoughtCard({ block: { item, startedAt, endedAt } }: { block: ItemBlock }) {
  const text = textIn(item);
  return (
    <details class="thought">
      <summary>
        <Icon name="thought" /> <b>Thought</b> <span class="thought-preview">{text.trim().split("\n")[0]}</span>{" "}
        <span class="quiet">{durationWord(startedAt, endedAt)}</span>
      </summary>
      <Markdown text={text} live={item.status === "in_progress"} />
    </details>
  );
}
