// The Trace of one agent process: every message both ways, as a table that can be filtered and follows, and one of them in full.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { httpRecords } from "../../lib/http_log.js";
import { onKeyWish } from "../../lib/keys.js";
import { seqOf, type LogEntry } from "../../state/log.js";
import type { TraceRow } from "../../state/trace.js";
import { conditionsOf, type TraceFilter } from "../../state/trace_filter.js";
import type { TraceRows } from "../../state/trace_rows.js";
import { EnvelopePane } from "./envelope_pane.js";
import { HttpPane } from "./http_pane.js";
import { TraceFilters } from "./trace_filters.js";
import { TraceHead } from "./trace_head.js";
import { TraceTable } from "./trace_table.js";
import { useFresh, useIndex, useNow, usePlace, useTrace, type TraceLog } from "./use_trace.js";
import "./trace.css";

export interface TraceViewProps {
  readonly log: TraceLog;
  /** Changes whenever the log grew. */
  readonly version: number;
  readonly serverId: string;
  readonly agent?: string | undefined;
  /** Where the session works, for programs. */
  readonly cwd?: string | undefined;
  readonly baseUrl: string;
  readonly hasToken: boolean;
  /** The message that is shown in full, by its number. */
  readonly selected: string | undefined;
  readonly onSelect: (seq: string | undefined) => void;
  /** Messages of other sessions are quieter. */
  readonly sessionId?: string | undefined;
  /** For a narrow place: fewer columns. */
  readonly compact: boolean;
  /** It goes on: requests wait for their answers, and the page's own requests can be shown too. */
  readonly isLive: boolean;
  /** There is no such process any more. */
  readonly isGone?: boolean;
  /** What else can be done, in the head; `shown`: what the filter lets through. */
  readonly tools?: (shown: (() => LogEntry[]) | undefined) => ComponentChildren;
  /** Below the head. */
  readonly children?: ComponentChildren;
}

type Chosen = { readonly index?: number; readonly http?: number };

export function TraceView(props: TraceViewProps) {
  const { log, selected, onSelect, sessionId, compact, isLive } = props;
  const [filter, setFilter] = useState<TraceFilter>({});
  const [areFiltersOpen, openFilters] = useState(false);
  const [isHttpOn, setHttpOn] = useState(false);
  const { trace, rows, dropped, isWhole } = useTrace(log, filter, isHttpOn && isLive);
  const opened = useIndex(trace, selected);
  const now = useNow(isLive && trace.open().length > 0);
  const [moved, setMoved] = useState<Chosen>({});
  const [openedHttp, openHttp] = useState<number>();
  const [follow, setFollow] = useState(selected === undefined);
  const [target, setTarget] = useState<number>();
  const fresh = useFresh(trace, rows, follow);
  const reveal = usePlace(rows, target, filter);
  const search = useRef<HTMLInputElement>(null);

  const open = ({ index, http }: Chosen) => {
    openHttp(http);
    const row = index === undefined ? undefined : trace.at(index);
    onSelect(row && seqOf(row.entry));
  };
  const chosenAt = (place: number): Chosen => chosenIn(rows, place);
  const goTo = (index: number) => {
    setFollow(false);
    setMoved({ index });
    setTarget(index);
    open({ index });
  };
  const movedIn = useRef(trace);
  useEffect(() => {
    if (movedIn.current !== trace) setMoved({}); // not after the first paint: a key may have been quicker
    movedIn.current = trace;
  }, [trace]);
  useEffect(() => {
    if (opened === undefined) return;
    setFollow(false);
    setMoved({ index: opened });
    setTarget(opened);
  }, [opened]);
  useEffect(
    () =>
      onKeyWish((wish) => {
        if (wish !== "filter") return;
        openFilters(true);
        requestAnimationFrame(() => search.current?.focus());
      }),
    [],
  );
  const close = (event: KeyboardEvent) => {
    const isSearching = event.target instanceof HTMLInputElement && event.target.value !== "";
    const isOpen = selected !== undefined || openedHttp !== undefined;
    if (event.key !== "Escape" || !isOpen || isSearching) return;
    event.stopPropagation();
    event.preventDefault();
    open({});
  };

  const row = opened === undefined ? undefined : trace.at(opened);
  const request = openedHttp === undefined ? undefined : httpRecords().find(({ id }) => id === openedHttp);
  const isPaneOpen = row !== undefined || request !== undefined;
  const body = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isPaneOpen) return () => takeFocusBack(body.current);
    return undefined;
  }, [isPaneOpen]);
  const here = turnOf(row) ?? trace.lastTurn(sessionId);
  const conditions = conditionsOf(filter);
  const total = log.entries.length;
  const count = conditions === 0 ? total : rows.messages;
  const shownEntries = () => Array.from({ length: rows.count }, (_, place) => rows.at(place)?.row?.entry).filter((e) => !!e);
  const change = (next: TraceFilter) => {
    setFilter(next);
    setTarget(opened);
  };
  return (
    <div class={compact ? "trace trace-compact" : "trace"} onKeyDown={close}>
      <TraceHead
        count={count}
        total={total}
        dropped={trace.first}
        isWhole={isWhole}
        fresh={fresh}
        follow={follow}
        onFollow={setFollow}
        conditions={conditions}
        areFiltersOpen={areFiltersOpen}
        onFilters={openFilters}
      >
        {props.tools?.(conditions > 0 ? shownEntries : undefined)}
      </TraceHead>
      <TraceFilters
        filter={filter}
        onFilter={change}
        isOpen={areFiltersOpen}
        methods={trace.methods}
        turn={here}
        isHttpOn={isHttpOn}
        onHttp={isLive ? setHttpOn : undefined}
        search={search}
      />
      {props.children}
      <div class={isPaneOpen ? "trace-body trace-opened" : "trace-body"} ref={body}>
        {rows.count > 0 ? (
          <TraceTable
            trace={trace}
            rows={rows}
            dropped={dropped}
            now={isLive ? now : undefined}
            compact={compact}
            sessionId={sessionId}
            turn={turnOf(row)}
            text={filter.text}
            selected={placeIn(rows, request ? { http: request.id } : opened === undefined ? moved : { index: opened })}
            onSelect={(place) => {
              setMoved(chosenAt(place));
              if (isPaneOpen) open(chosenAt(place));
            }}
            onOpen={(place) => open(chosenAt(place))}
            follow={follow}
            onFollow={setFollow}
            reveal={reveal}
          />
        ) : (
          <Nothing isFiltered={total > 0} isGone={props.isGone === true} isWhole={isWhole} onClear={() => change({})} />
        )}
        {row && (
          <EnvelopePane
            trace={trace}
            row={row}
            target={props}
            text={filter.text}
            onGoTo={goTo}
            onClose={() => onSelect(undefined)}
          />
        )}
        {!row && request && <HttpPane record={request} onClose={() => openHttp(undefined)} />}
      </div>
    </div>
  );
}

interface NothingProps {
  readonly isFiltered: boolean;
  readonly isGone: boolean;
  readonly isWhole: boolean;
  readonly onClear: () => void;
}

function Nothing({ isFiltered, isGone, isWhole, onClear }: NothingProps) {
  if (!isFiltered && isGone) return <p class="trace-empty">Nothing is known of what was said: its process is not here.</p>;
  if (!isFiltered)
    return <p class="trace-empty">No messages yet. They appear here as soon as the agent or a client says something.</p>;
  if (!isWhole) return <p class="trace-empty">Searching …</p>;
  return (
    <div class="trace-empty">
      <p>No message fits the filter.</p>
      <button type="button" class="button" onClick={onClear}>
        Clear filter
      </button>
    </div>
  );
}

/** What had the focus went with the pane. */
function takeFocusBack(body: HTMLElement | null): void {
  if (document.activeElement === document.body) body?.querySelector<HTMLElement>("[role=grid], .trace-empty button")?.focus();
}

function turnOf(row: TraceRow | undefined): { sessionId: string; number: number } | undefined {
  const { turn, sessionId } = row ?? {};
  return turn === undefined || sessionId === undefined ? undefined : { sessionId, number: turn };
}

function chosenIn(rows: TraceRows, place: number): Chosen {
  const at = rows.at(place);
  return at?.http ? { http: at.http.id } : at?.row ? { index: at.row.entry.index } : {};
}

function placeIn(rows: TraceRows, { index, http }: Chosen): number | undefined {
  if (http !== undefined) return rows.placeOfRequest(http);
  return index === undefined ? undefined : rows.placeOf(index);
}
