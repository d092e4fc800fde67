// A file that is open: how it is played, its conversation, its Trace.
import { useEffect, useState } from "preact/hooks";
import { useApp, useAppState } from "../../lib/context.js";
import type { Replay } from "../../state/replay.js";
import { Plan } from "../chat/plan.js";
import { Transcript } from "../chat/transcript.js";
import { OpenFileButton } from "../trace/file_drop.js";
import { TraceView } from "../trace/trace_view.js";
import { ReplayControls } from "./replay_controls.js";
import "./replay.css";

export type OpenReplay = Extract<Replay, { state: "open" }>;
type Pane = "Conversation" | "Trace";
const panes: readonly Pane[] = ["Conversation", "Trace"];

export function ReplayView({ replay }: { replay: OpenReplay }) {
  const app = useApp();
  const seq = useAppState(({ side }) => side.seq);
  const [pane, setPane] = useState<Pane>("Conversation");
  const [sessionId, setSessionId] = useState<string>();
  const { name, head, played, version } = replay;
  const { view, entries } = played;
  const session = (sessionId === undefined ? undefined : view.sessions.get(sessionId)) ?? view.latest;
  const isCut = session?.running !== undefined && entries.length === replay.total; // what spins there would do so for ever
  const shown = { serverId: view.serverId, view, version, stream: "ended", behind: 0 } as const;
  const selected = seq === "" ? undefined : seq;
  useEffect(() => {
    if (selected !== undefined) setPane("Trace");
  }, [selected]);
  const about = [
    head.agent,
    head.serverId,
    head.exportedAt !== undefined && `exported ${new Date(head.exportedAt).toLocaleString()}`,
    head.filtered && "only what a filter showed",
  ];
  return (
    <div class="replay">
      <div class="head">
        <div class="head-words">
          <h1 title={name}>Replay of {name}</h1>
          <p class="quiet">{["read-only", ...about].filter(Boolean).join(" · ")}</p>
        </div>
        <div class="head-end">
          <OpenFileButton />
        </div>
      </div>
      <ReplayControls replay={replay} />
      <div class="replay-panes" role="group" aria-label="Shown">
        {panes.map((one) => (
          <button key={one} type="button" class="trace-button" aria-pressed={pane === one} onClick={() => setPane(one)}>
            {one}
          </button>
        ))}
      </div>
      <div class="replay-body" data-pane={pane}>
        <section class="replay-talk" aria-label="Replayed conversation">
          {view.sessions.size > 1 && (
            <label class="replay-session">
              <span class="quiet">Session</span>
              <select
                class="trace-select"
                value={session?.sessionId}
                onChange={(event) => setSessionId(event.currentTarget.value)}
              >
                {[...view.sessions.values()].map((one) => (
                  <option key={one.sessionId} value={one.sessionId}>
                    {one.title}
                  </option>
                ))}
              </select>
            </label>
          )}
          {session ? (
            <div class="chat" key={session.sessionId} data-cut={isCut}>
              <Plan entries={session.plan} isCurrent={session.planTurns === session.turns.length} />
              <Transcript session={session} shown={shown} />
              {isCut && (
                <p class="quiet pad" role="status">
                  The turn is not finished in this file.
                </p>
              )}
            </div>
          ) : (
            <p class="quiet pad">No session has begun up to here.</p>
          )}
        </section>
        <div class="replay-trace">
          <TraceView
            log={played}
            version={entries.length}
            serverId={view.serverId}
            agent={head.agent}
            sessionId={session?.sessionId}
            cwd={session?.settings.cwd}
            baseUrl={app.daemon.baseUrl}
            hasToken={app.daemon.token !== undefined}
            compact={false}
            isLive={false}
            selected={selected}
            onSelect={(next) => app.store.dispatch({ type: "side", change: { seq: next ?? "" } })}
          />
        </div>
      </div>
    </div>
  );
}
