// How the turn that runs stands, in a word, and for how long it has been going on.
import { useEffect, useState } from "preact/hooks";
import { useAppState } from "../../lib/context.js";
import { Icon, type IconName } from "../../parts/icon.js";
import { sessionKey } from "../../state/app.js";
import type { Conversation } from "../../state/conversation.js";
import { whyNoSending } from "../../state/daemon_state.js";
import { durationWord } from "./blocks/duration.js";

const icons: Record<string, IconName> = { running: "spinner", "waiting for you": "warn", cancelling: "stop" };

export function TurnNow({ session, serverId }: { session: Conversation; serverId: string }) {
  const { running, asks } = session;
  const isStopping = useAppState(({ stops }) => stops[sessionKey(serverId, session.sessionId)] !== undefined);
  const isKnown = useAppState(({ daemon }) => whyNoSending(daemon) === undefined);
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!running || !isKnown) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [running?.id, isKnown]);
  if (!running) return null;
  const word = !isKnown ? "was running" : isStopping ? "cancelling" : asks.length > 0 ? "waiting for you" : "running";
  return (
    <div class="turn-now quiet" data-word={word}>
      <Icon name={icons[word] ?? "clock"} />
      <span role="status" aria-label="Turn">
        {word}
      </span>
      <span>{isKnown && durationWord(running.startedAt, Math.max(now, running.startedAt ?? 0))}</span>
    </div>
  );
}
