// How a turn ended, and what can be done with it.
import { useApp, useIsLive } from "../../../lib/context.js";
import { CopyButton } from "../../../parts/copy_button.js";
import { Icon } from "../../../parts/icon.js";
import type { Shown } from "../../../state/app.js";
import { endWord, type Turn } from "../../../state/blocks.js";
import { answerOf, type Conversation } from "../../../state/conversation.js";
import { durationWord } from "./duration.js";
import { RouteLink } from "../../route_link.js";

export function TurnFooter({ turn, session, shown }: { turn: Turn; session: Conversation; shown: Shown }) {
  const app = useApp();
  const isLive = useIsLive();
  const word = endWord(turn);
  const facts = [
    durationWord(turn.startedAt, turn.endedAt),
    turn.tools === 0 ? "" : turn.tools === 1 ? "1 tool" : `${turn.tools} tools`,
    turn.tokens === undefined ? "" : `${turn.tokens} tokens`,
  ].filter(Boolean);
  const route = { screen: "chat", serverId: shown.serverId, sessionId: session.sessionId, turn: turn.number } as const;
  const isThere = isLive && !session.ended && shown.stream !== "gone";
  const canRetry = isThere && !session.running && turn.prompt.length > 0;
  return (
    <div class="footer" data-word={word}>
      <span class="footer-word">
        <Icon name={word === "done" ? "check" : "cross"} /> {word}
      </span>
      <span class="quiet">{facts.join(" · ")}</span>
      <span class="footer-tools">
        {canRetry && (
          <button type="button" class="link-button" onClick={() => app.turns.retry(session, turn.prompt)}>
            Retry
          </button>
        )}
        <CopyButton text={() => answerOf(session, turn.number)} label="Copy answer" />
        <button type="button" class="link-button" onClick={() => app.side(true, "trace", turn.seq)}>
          Show in Trace
        </button>
        {isLive && (
          <RouteLink class="link-button" route={route}>
            Permalink
          </RouteLink>
        )}
      </span>
    </div>
  );
}
