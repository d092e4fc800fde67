import { useIsLive } from "../../../lib/context.js";
import { Icon } from "../../../parts/icon.js";
import { onDemand } from "../../../parts/on_demand.js";
import type { GapBlock } from "../../../state/blocks.js";

const words = onDemand(() => import("../../../state/gap_words.js"));

export function GapCard({ block }: { block: GapBlock }) {
  const isLive = useIsLive();
  const said = words.use()?.gapWords(block) ?? "Events were lost.";
  return (
    <article class="problem problem-gap" aria-label="Gap">
      <p>
        <Icon name="warn" /> <b>{said}</b>
      </p>
      {isLive && (
        <button type="button" class="button" onClick={() => location.reload()}>
          Read again what there is
        </button>
      )}
    </article>
  );
}
