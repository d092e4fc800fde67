// Stops the turn; when asking does not help, ends the process.
import { useEffect, useRef, useState } from "preact/hooks";
import { useApp, useAppState } from "../../lib/context.js";
import { isPatienceOver } from "../../lib/turn_actions.js";
import { Icon } from "../../parts/icon.js";
import { sessionKey } from "../../state/app.js";
import type { Conversation } from "../../state/conversation.js";
import { whyNoSending } from "../../state/daemon_state.js";
import { useHandsFocusOn } from "./hand_focus_on.js";

export function StopButton({ session, serverId }: { session: Conversation; serverId: string }) {
  const app = useApp();
  const button = useRef<HTMLButtonElement>(null);
  useHandsFocusOn(button);
  const since = useAppState(({ stops }) => stops[sessionKey(serverId, session.sessionId)]);
  const isCut = useAppState(({ daemon }) => whyNoSending(daemon) !== undefined);
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (since === undefined) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [since]);
  if (!isCut && isPatienceOver(since, now)) {
    return (
      <button ref={button} type="button" class="button button-bad" onClick={() => void app.endProcess(serverId)}>
        <Icon name="stop" /> Force stop
      </button>
    );
  }
  return (
    <button
      ref={button}
      type="button"
      class="button button-bad"
      aria-disabled={since !== undefined || isCut}
      onClick={() => void app.turns.stop(session)}
    >
      <Icon name="stop" /> Stop <kbd aria-hidden="true">Esc</kbd>
    </button>
  );
}
