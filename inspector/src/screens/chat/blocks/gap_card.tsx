import { Icon } from "../../../parts/icon.js";
import type { GapBlock } from "../../../state/blocks.js";

export function GapCard({ block: { from, to, reason } }: { block: GapBlock }) {
  const lost =
    from !== undefined && to !== undefined
      ? `${to - from + 1} events were lost: ${from} to ${to}. The daemon had to drop them before this page read them.`
      : `Events were lost, and it is not known how many${reason === undefined ? "" : ` (${reason.replaceAll("_", " ")})`}.`;
  return (
    <article class="problem problem-gap" aria-label="Gap">
      <p>
        <Icon name="warn" /> <b>{lost}</b>
      </p>
      <button type="button" class="button" onClick={() => location.reload()}>
        Read again what there is
      </button>
    </article>
  );
}
