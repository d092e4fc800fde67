// Says once, and at once, that the agent waits for an answer: whatever screen is shown, and without taking the focus.
import { useApp, useAppState } from "../../lib/context.js";

export function AskedAloud() {
  const app = useApp();
  const ask = useAppState(({ shown }) => {
    const asks = app.conversation?.asks ?? [...(shown?.view.sessions.values() ?? [])].flatMap((session) => session.asks);
    return shown?.stream === "live" ? asks[0] : undefined;
  });
  const what = ask && (ask.kind === "permission" ? `Permission needed: ${ask.action}` : `Question: ${ask.prompt}`);
  return (
    <div class="visually-hidden" role="alert" aria-label="Asked">
      {what}
    </div>
  );
}
