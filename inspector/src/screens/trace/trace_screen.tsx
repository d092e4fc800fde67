// The Trace of the process the address names, with all that can be done with it.
import { useState } from "preact/hooks";
import { useApp, useAppState } from "../../lib/context.js";
import type { Shown } from "../../state/app.js";
import { StopButton } from "../chat/stop_button.js";
import { StreamWordView } from "../chat/stream_word.js";
import { TurnNow } from "../chat/turn_now.js";
import { ExportButton } from "./export_button.js";
import { FileDrop, OpenFileButton } from "./file_drop.js";
import { SendBox } from "./send_box.js";
import { TraceView } from "./trace_view.js";

export function TraceScreen() {
  const app = useApp();
  const route = useAppState((state) => state.route);
  const shown = useAppState((state) => state.shown);
  const isKnown = useAppState((state) => state.areInstancesKnown);
  if (route.screen !== "trace") return null;
  if (route.serverId === undefined || !shown) {
    return (
      <FileDrop>
        <div class="empty">
          <h1>Trace</h1>
          <p>
            {route.serverId === undefined || isKnown
              ? "Choose a session: the Trace shows every message of its process. Or open a file that was exported here."
              : "Loading …"}
          </p>
          <div class="buttons">
            <button type="button" class="button button-main" onClick={() => app.openNew()}>
              New session
            </button>
            <OpenFileButton />
          </div>
        </div>
      </FileDrop>
    );
  }
  if (shown.stream === "gone" && shown.view.log.entries.length === 0) {
    return (
      <FileDrop>
        <div class="empty">
          <h1>Trace</h1>
          <p>The daemon has no process “{shown.serverId}”.</p>
          <OpenFileButton />
        </div>
      </FileDrop>
    );
  }
  return (
    <FileDrop>
      <ProcessTrace shown={shown} seq={route.seq} />
    </FileDrop>
  );
}

function ProcessTrace({ shown, seq }: { shown: Shown; seq: string | undefined }) {
  const app = useApp();
  const [isSendOpen, openSend] = useState(false);
  const { serverId, view, version } = shown;
  const { baseUrl, token } = app.daemon;
  const session = (app.here.sessionId === undefined ? undefined : view.sessions.get(app.here.sessionId)) ?? view.latest;
  const running = app.runningSession;
  const [ask] = session?.asks ?? [];
  const mode = session?.settings.options.find(({ category }) => category === "mode");
  const known = {
    sessionId: session?.sessionId,
    modeId: mode?.current,
    asked: ask && {
      id: ask.requestId,
      ...(ask.kind === "permission" && ask.options[0] && { optionId: ask.options[0].option_id }),
    },
  };
  return (
    <div class="trace-screen">
      <div class="head">
        <h1>
          Trace of {session ? app.notes.titleOf(serverId, session) : serverId}{" "}
          {session && <small class="trace-process quiet">{serverId}</small>}
        </h1>
        <StreamWordView shown={shown} />
        {running && (
          <>
            <TurnNow session={running} serverId={serverId} />
            <StopButton session={running} serverId={serverId} />
          </>
        )}
      </div>
      <TraceView
        log={view.log}
        version={version}
        serverId={serverId}
        agent={app.notes.agentOf(serverId)}
        cwd={session?.settings.cwd}
        baseUrl={baseUrl}
        hasToken={token !== undefined}
        compact={false}
        isLive
        selected={seq}
        onSelect={(next) => app.go({ screen: "trace", serverId, ...(next !== undefined && { seq: next }) }, "replace")}
        tools={(entries) => (
          <>
            <ExportButton serverId={serverId} shown={entries} />
            <OpenFileButton />
            <button type="button" class="trace-button" aria-expanded={isSendOpen} onClick={() => openSend(!isSendOpen)}>
              Send envelope
            </button>
          </>
        )}
      >
        {isSendOpen && <SendBox key={serverId} serverId={serverId} known={known} onClose={() => openSend(false)} />}
      </TraceView>
    </div>
  );
}
