// The agent's process has ended: how, its last words, and a new one.
import { useApp, useIsLive } from "../../../lib/context.js";
import { Ansi } from "../../../parts/ansi.js";
import { Icon } from "../../../parts/icon.js";
import type { Shown } from "../../../state/app.js";
import type { ExitBlock } from "../../../state/blocks.js";
import type { Conversation } from "../../../state/conversation.js";
import "./exit_card.css";

export function ExitCard({ block, session, shown }: { block: ExitBlock; session: Conversation; shown: Shown }) {
  const app = useApp();
  const isLive = useIsLive();
  const { exitCode, signal, message, wasAsked } = block;
  const { isEndedHere } = shown.view;
  const isFine = wasAsked || isEndedHere || exitCode === 0;
  const what = isEndedHere ? "You stopped the agent" : `The agent ${wasAsked ? "was stopped" : isFine ? "ended" : "exited"}`;
  const end = signal !== undefined ? `signal ${signal}` : exitCode !== undefined ? `exit code ${exitCode}` : "an unknown end";
  return (
    <article class={isFine ? "notice-card" : "problem"} aria-label="Agent exited">
      <p>
        <Icon name="cross" /> <b>{what}</b>: {message ?? end}
      </p>
      {shown.stderr !== undefined && shown.stderr !== "" && (
        <>
          <p class="quiet">Its last words:</p>
          <div class="exit-words">
            <Ansi text={shown.stderr.slice(-4_000)} />
          </div>
        </>
      )}
      {isLive && (
        <div class="buttons">
          <button type="button" class="button button-main" onClick={() => void app.restart(session)}>
            Restart
          </button>
        </div>
      )}
    </article>
  );
}
