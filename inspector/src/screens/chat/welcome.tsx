// What is shown when there is no conversation to show: nothing chosen, still loading, or gone.
import { useApp, useAppState } from "../../lib/context.js";
import type { Shown } from "../../state/app.js";
import { StreamWordView } from "./stream_word.js";

export function Welcome() {
  const app = useApp();
  return (
    <div class="empty">
      <h1>Talk to an agent</h1>
      <p>
        Start a session, and see everything that is said in it. The demo agent is built in: it needs no key and no network, and
        shows what agents do.
      </p>
      <button type="button" class="button button-main" onClick={() => app.openNew()}>
        Start a session
      </button>
      <p class="quiet">
        <kbd>N</kbd> starts one from the keyboard, <kbd>?</kbd> lists all keys.
      </p>
    </div>
  );
}

export function Absent({ serverId, shown }: { serverId: string; shown: Shown | undefined }) {
  const app = useApp();
  const isKnown = useAppState((state) => state.areInstancesKnown);
  const note = useAppState(({ notes, route }) =>
    notes.find((known) => known.serverId === serverId && route.screen === "chat" && known.sessionId === route.sessionId),
  );
  const isHere = shown?.serverId === serverId;
  const isLoading = !isKnown || !isHere || ["connecting", "catching up", "reconnecting"].includes(shown.stream);
  if (isLoading) {
    return (
      <div class="empty" aria-busy="true">
        <h1>Loading …</h1>
        {isHere && <StreamWordView shown={shown} />}
      </div>
    );
  }
  return (
    <div class="empty">
      <h1>{note?.title ?? "This session is not here"}</h1>
      <p>
        {shown.stream === "gone"
          ? `The daemon has no process “${serverId}” any more, and with it went what was said.`
          : shown.view.sessions.size === 0
            ? `The process “${serverId}” has no session: nobody asked it for one, or it has not answered.`
            : `The process “${serverId}” has no such session.`}
      </p>
      {shown.failure !== undefined && <p class="bad">{shown.failure}</p>}
      {note && (
        <button
          type="button"
          class="button button-main"
          onClick={() =>
            void app.startSession(
              { agent: note.agent, cwd: note.cwd, isInstalled: true, mcpServers: [], load: note.sessionId },
              { serverId, sessionId: note.sessionId },
            )
          }
        >
          Load it from {note.agent}, or start anew
        </button>
      )}
      <div class="buttons">
        {shown.stream !== "gone" && (
          <>
            <button type="button" class="button" onClick={() => app.go({ screen: "trace", serverId })}>
              Show its Trace
            </button>
            <button type="button" class="button button-bad" onClick={() => void app.endProcess(serverId)}>
              End it
            </button>
          </>
        )}
        <button type="button" class="button" onClick={() => app.openNew()}>
          Start another session
        </button>
      </div>
    </div>
  );
}
