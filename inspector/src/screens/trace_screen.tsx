// The Trace as a screen of its own, of the process the address names.
import { useApp, useAppState } from "../lib/context.js";
import { StopButton } from "./chat/stop_button.js";
import { TurnNow } from "./chat/turn_now.js";
import { StreamWordView } from "./chat/stream_word.js";
import { Trace } from "./side/trace.js";

export function TraceScreen() {
  const app = useApp();
  const route = useAppState((state) => state.route);
  const shown = useAppState((state) => state.shown);
  const isKnown = useAppState((state) => state.areInstancesKnown);
  if (route.screen !== "trace") return null;
  if (route.serverId === undefined || !shown) {
    return (
      <div class="empty">
        <h1>Trace</h1>
        <p>
          {route.serverId === undefined || isKnown
            ? "Choose a session: the Trace shows every message of its process."
            : "Loading …"}
        </p>
        <button type="button" class="button button-main" onClick={() => app.openNew()}>
          New session
        </button>
      </div>
    );
  }
  if (shown.stream === "gone" && shown.view.log.entries.length === 0) {
    return (
      <div class="empty">
        <h1>Trace</h1>
        <p>The daemon has no process “{shown.serverId}”.</p>
      </div>
    );
  }
  const running = app.runningSession;
  return (
    <div class="trace-screen">
      <div class="head">
        <h1>Trace of {shown.serverId}</h1>
        <StreamWordView shown={shown} />
        {running && (
          <>
            <TurnNow session={running} serverId={shown.serverId} />
            <StopButton session={running} serverId={shown.serverId} />
          </>
        )}
      </div>
      <Trace
        shown={shown}
        compact={false}
        selected={route.seq}
        onSelect={(seq) => app.go({ screen: "trace", serverId: shown.serverId, ...(seq !== undefined && { seq }) }, "replace")}
      />
    </div>
  );
}
