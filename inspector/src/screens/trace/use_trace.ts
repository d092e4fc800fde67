// The rows of a log as the table wants them. A long log, and a filter over one, are read in slices: what is there is shown at once.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { httpRecords, onHttp } from "../../lib/http_log.js";
import { isHttpError, type HttpRecord } from "../../state/http_record.js";
import type { InstanceLog } from "../../state/log.js";
import { Trace } from "../../state/trace.js";
import { conditionsOf, FilteredRows, type TraceFilter } from "../../state/trace_filter.js";
import { needleOf } from "../../state/trace_marks.js";
import { TraceRows } from "../../state/trace_rows.js";

export type TraceLog = Pick<InstanceLog, "entries">;

const sliceMs = 10;
const atOnce = 256;

const traces = new WeakMap<TraceLog, Trace>(); // the panel and the screen read a log once

export interface Read {
  readonly trace: Trace;
  readonly rows: TraceRows;
  /** How many rows the table had before the first one, of all it showed. */
  readonly dropped: number;
  /** Nothing is left to be read. */
  readonly isWhole: boolean;
}

export function useTrace(log: TraceLog, filter: TraceFilter, withHttp: boolean): Read {
  let trace = traces.get(log);
  if (!trace) traces.set(log, (trace = new Trace()));
  const filtered = useMemo(() => (conditionsOf(filter) > 0 ? new FilteredRows(filter) : undefined), [trace, filter]);
  const http = useHttp(withHttp, filter);
  const [, draw] = useState({});
  const isWhole = readSlice(log, trace, filtered);
  useEffect(() => {
    if (isWhole) return undefined;
    const timer = setTimeout(() => draw({}));
    return () => clearTimeout(timer);
  });
  const dropped = useDropped(filtered ?? trace, filtered?.dropped ?? trace.first);
  return { trace, rows: new TraceRows(trace, filtered, http), dropped, isWhole };
}

// Another filter is another list: what that one dropped before does not count.
function useDropped(list: object, dropped: number): number {
  const seen = useRef({ list, dropped, sum: 0 });
  const { current } = seen;
  const more = current.list === list ? dropped - current.dropped : 0;
  if (more !== 0 || current.list !== list) seen.current = { list, dropped, sum: current.sum + more };
  return seen.current.sum;
}

function readSlice(log: TraceLog, trace: Trace, filtered: FilteredRows | undefined): boolean {
  const until = performance.now() + sliceMs;
  do {
    trace.catchUp(log, atOnce);
    filtered?.advance(trace, atOnce);
    if (trace.rows.length >= log.entries.length && (filtered?.isWhole(trace) ?? true)) return true;
  } while (performance.now() < until);
  return false;
}

function useHttp(isWanted: boolean, { text, errors, ...others }: TraceFilter): readonly HttpRecord[] {
  const [, draw] = useState({});
  useEffect(() => (isWanted ? onHttp(() => draw({})) : undefined), [isWanted]);
  if (!isWanted || conditionsOf(others) > 0) return [];
  const needle = text === undefined ? undefined : needleOf(text);
  return httpRecords().filter(
    (record) => (!errors || isHttpError(record)) && (needle === undefined || needle.test(`${record.method} ${record.path}`)),
  );
}

/** Where the row of this number is; numbers are looked up once. */
export function useIndex(trace: Trace, seq: string | undefined): number | undefined {
  const found = useMemo(() => ({ index: undefined as number | undefined }), [trace, seq]);
  if (seq !== undefined) found.index ??= trace.indexOf(seq);
  return found.index;
}

/** The place to bring into view: that of the message when it was first found there, for later rows move nobody. */
export function usePlace(rows: TraceRows, target: number | undefined, filter: TraceFilter): number | undefined {
  const found = useMemo(() => ({ place: undefined as number | undefined }), [target, filter]);
  if (target !== undefined) found.place ??= rows.placeOf(target);
  return found.place;
}

/** How many rows came since the table stands. */
export function useFresh(trace: Trace, rows: TraceRows, follow: boolean): number {
  const seen = useRef<{ trace: Trace; last: number }>(undefined);
  const isHistory = trace.rows.at(-1)?.entry.at === undefined; // said before anybody looked
  if (follow || isHistory || seen.current?.trace !== trace) seen.current = { trace, last: trace.end - 1 };
  return follow ? 0 : rows.countAfter(seen.current.last);
}

/** The time, told anew each second while something runs. */
export function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}
