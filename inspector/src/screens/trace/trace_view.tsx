// The Trace of one agent process: every message both ways, as a table that follows, and one of them in full.
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { seqOf, type InstanceLog } from "../../state/log.js";
import { Trace } from "../../state/trace.js";
import { EnvelopePane } from "./envelope_pane.js";
import { TraceTable } from "./trace_table.js";
import "./trace.css";

export interface TraceViewProps {
  readonly log: InstanceLog;
  /** Changes whenever the log grew. */
  readonly version: number;
  readonly serverId: string;
  readonly agent?: string | undefined;
  readonly baseUrl: string;
  readonly hasToken: boolean;
  /** The message that is shown in full, by its number. */
  readonly selected: string | undefined;
  readonly onSelect: (seq: string | undefined) => void;
  /** Messages of other sessions are quieter. */
  readonly sessionId?: string | undefined;
  /** Goes to this turn of the session, and marks its messages. */
  readonly turn?: number | undefined;
  /** For a narrow place: fewer columns. */
  readonly compact: boolean;
  readonly copy: (text: string) => void;
  /** Draws a value as a tree, below the words. */
  readonly drawJson?: (value: unknown) => ComponentChildren;
}

export function TraceView(props: TraceViewProps) {
  const { log, selected, onSelect, sessionId, turn, compact } = props;
  const trace = useMemo(() => new Trace(), [log]).catchUp(log);
  const count = trace.rows.length;
  const isRunning = trace.open().length > 0;
  const now = useNow(isRunning);
  const opened = useIndex(trace, selected);
  const [moved, setMoved] = useState<number>();
  const [follow, setFollow] = useState(selected === undefined && turn === undefined);
  const [target, setTarget] = useState<number>();
  const start = sessionId === undefined || turn === undefined ? undefined : trace.turnStart(sessionId, turn);

  const open = (index: number) => onSelect(seqOf(log.entries[index] as InstanceLog["entries"][number]));
  const choose = (index: number) => {
    setMoved(index);
    if (selected !== undefined) open(index);
  };
  const goTo = (index: number) => {
    setFollow(false);
    setMoved(index);
    setTarget(index);
    open(index);
  };
  useEffect(() => setMoved(undefined), [log]);
  useEffect(() => {
    if (opened === undefined) return;
    setFollow(false);
    setMoved(opened);
    setTarget(opened);
  }, [opened]);
  useEffect(() => {
    if (start === undefined) return;
    setFollow(false);
    setTarget(start);
  }, [start]);
  const close = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || selected === undefined) return;
    event.stopPropagation();
    event.preventDefault();
    onSelect(undefined);
  };
  const row = opened === undefined ? undefined : trace.rows[opened];
  return (
    <div class={compact ? "trace trace-compact" : "trace"} onKeyDown={close}>
      <div class="trace-head">
        <span class="trace-count" data-count={count}>
          {count === 1 ? "1 message" : `${count} messages`}
        </span>
        <button type="button" class="trace-button" onClick={() => setFollow(!follow)}>
          {follow ? "Pause" : "Follow"}
        </button>
      </div>
      <div class={row === undefined ? "trace-body" : "trace-body trace-opened"}>
        {count === 0 ? (
          <p class="trace-empty">No messages yet. They appear here as soon as the agent or a client says something.</p>
        ) : (
          <TraceTable
            trace={trace}
            now={now}
            compact={compact}
            sessionId={sessionId}
            turn={turn}
            selected={opened ?? moved}
            onSelect={choose}
            onOpen={open}
            follow={follow}
            onFollow={setFollow}
            reveal={target}
          />
        )}
        {row !== undefined && (
          <EnvelopePane
            trace={trace}
            row={row}
            target={props}
            copy={props.copy}
            drawJson={props.drawJson}
            onGoTo={goTo}
            onClose={() => onSelect(undefined)}
          />
        )}
      </div>
    </div>
  );
}

/** Where the row of this number is; numbers are looked up once. */
function useIndex(trace: Trace, seq: string | undefined): number | undefined {
  const found = useMemo(() => ({ index: undefined as number | undefined }), [trace, seq]);
  if (seq !== undefined) found.index ??= trace.indexOf(seq);
  return found.index;
}

/** The time, told anew each second while something runs. */
function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}
