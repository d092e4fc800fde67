// The table of the Trace: what each row shows, and which rows belong together.
import { useState } from "preact/hooks";
import { VirtualRows, type Column } from "../../parts/virtual_rows.js";
import { isHttpError, outcomeWord, type HttpRecord } from "../../state/http_record.js";
import { seqOf } from "../../state/log.js";
import { sizeWords } from "../../state/size_words.js";
import { sizeOf, type Trace, type TraceRow } from "../../state/trace.js";
import { placeOf } from "../../state/trace_marks.js";
import { previewOf } from "../../state/trace_preview.js";
import type { TraceRows } from "../../state/trace_rows.js";
import { Marked } from "./marked.js";
import { directionOf, durationText, methodText, timeText } from "./trace_words.js";

export interface TraceTableProps {
  readonly trace: Trace;
  readonly rows: TraceRows;
  /** How many rows the table had before the first one. */
  readonly dropped: number;
  /** Undefined: nothing waits any more. */
  readonly now: number | undefined;
  readonly compact: boolean;
  readonly sessionId: string | undefined;
  /** Its messages are marked. */
  readonly turn: { readonly sessionId: string; readonly number: number } | undefined;
  /** What was searched for. */
  readonly text: string | undefined;
  /** Places in the table. */
  readonly selected: number | undefined;
  readonly onSelect: (place: number) => void;
  readonly onOpen: (place: number) => void;
  readonly follow: boolean;
  readonly onFollow: (follow: boolean) => void;
  readonly reveal: number | undefined;
}

const columns: readonly Column[] = [
  { name: "Seq", class: "trace-seq" },
  { name: "Time", class: "trace-time" },
  { name: "Direction", class: "trace-direction" },
  { name: "Method", class: "trace-method" },
  { name: "Preview", class: "trace-preview" },
  { name: "Size", class: "trace-size" },
  { name: "Latency", class: "trace-latency" },
];
const fewColumns = columns.filter(({ name }) => name !== "Time" && name !== "Size");

export function TraceTable(props: TraceTableProps) {
  const { rows, compact, selected } = props;
  const [hovered, setHovered] = useState<number>();
  const pointed = hovered ?? selected;
  const pairIndex = pointed === undefined ? undefined : rows.at(pointed)?.row?.pair;
  const pair = pairIndex === undefined ? undefined : rows.placeOf(pairIndex);
  return (
    <VirtualRows
      label="Trace"
      class="trace-table"
      count={rows.count}
      dropped={props.dropped}
      columns={compact ? fewColumns : columns}
      render={(place) => cellsOf(props, place)}
      rowProps={(place) => rowProps(props, place, place === pair)}
      selected={selected}
      onSelect={props.onSelect}
      onOpen={props.onOpen}
      onHover={setHovered}
      follow={props.follow}
      onFollow={props.onFollow}
      joined={pointed !== undefined && pair !== undefined ? [pointed, pair] : undefined}
      reveal={props.reveal}
    />
  );
}

function rowProps({ rows, sessionId, turn }: TraceTableProps, place: number, isPair: boolean): Record<string, unknown> {
  const { row, http } = rows.at(place) ?? {};
  if (http) return { class: `trace-row trace-is-${isHttpError(http) ? "error" : "http"}`, "data-http": http.id };
  if (!row) return { class: "trace-row" };
  const isElsewhere = sessionId !== undefined && row.sessionId !== undefined && row.sessionId !== sessionId;
  const isHere = turn !== undefined && row.turn === turn.number && row.sessionId === turn.sessionId;
  return {
    class: `trace-row trace-is-${row.kind === "gap" ? "gap" : row.class}`,
    "data-seq": seqOf(row.entry),
    "data-from": row.entry.from,
    "data-kind": row.kind,
    "data-pair": isPair ? "" : undefined,
    "data-turn": isHere ? row.turn : undefined,
    "data-elsewhere": isElsewhere ? "" : undefined,
  };
}

function cellsOf(props: TraceTableProps, place: number) {
  const { trace, rows, compact, now, text } = props;
  const { row, http } = rows.at(place) ?? {};
  if (http) return <HttpCells record={http} compact={compact} text={text} />;
  if (!row) return null;
  if (row.kind === "gap") {
    return (
      <div role="gridcell" class="trace-lost" aria-colspan={compact ? fewColumns.length : columns.length}>
        <span aria-hidden="true">⚠ </span>
        {previewOf(trace, row)}
      </div>
    );
  }
  const { arrow, word } = directionOf(row);
  return (
    <>
      <div role="gridcell" class="trace-seq">
        {seqOf(row.entry)}
      </div>
      {!compact && <TimeCell at={row.entry.at} before={trace.at(row.entry.index - 1)?.entry.at} />}
      <div role="gridcell" class="trace-direction">
        {arrow} <span class="trace-word">{word}</span>
      </div>
      <div role="gridcell" class="trace-method">
        <Method text={methodText(row)} />
      </div>
      <div role="gridcell" class="trace-preview">
        <Marked text={placeOf(row.entry.json, previewOf(trace, row), text)} wanted={text} />
      </div>
      {!compact && (
        <div role="gridcell" class="trace-size">
          {sizeWords(sizeOf(row.entry))}
        </div>
      )}
      <div role="gridcell" class="trace-latency">
        {latencyText(trace, row, now)}
      </div>
    </>
  );
}

function HttpCells({ record, compact, text }: { record: HttpRecord; compact: boolean; text: string | undefined }) {
  const { method, path, at, ms, received } = record;
  return (
    <>
      <div role="gridcell" class="trace-seq">
        HTTP
      </div>
      {!compact && <TimeCell at={at} before={undefined} />}
      <div role="gridcell" class="trace-direction">
        → <span class="trace-word">daemon</span>
      </div>
      <div role="gridcell" class="trace-method">
        {method} {outcomeWord(record)}
      </div>
      <div role="gridcell" class="trace-preview">
        <Marked text={path} wanted={text} />
      </div>
      {!compact && (
        <div role="gridcell" class="trace-size">
          {received === undefined ? "" : sizeWords(received)}
        </div>
      )}
      <div role="gridcell" class="trace-latency">
        {ms === undefined ? "" : durationText(ms)}
      </div>
    </>
  );
}

/** Where there is little room, what most methods begin with is left out. */
function Method({ text }: { text: string }) {
  const room = "session/";
  if (!text.startsWith(room)) return <>{text}</>;
  return (
    <>
      <span class="trace-room">{room}</span>
      {text.slice(room.length)}
    </>
  );
}

function TimeCell({ at, before }: { at: number | undefined; before: number | undefined }) {
  if (at === undefined) {
    return (
      <div role="gridcell" class="trace-time" title="before this page was opened">
        –
      </div>
    );
  }
  return (
    <div role="gridcell" class="trace-time">
      {timeText(at)}
      {before !== undefined && <span class="trace-since"> +{durationText(at - before)}</span>}
    </div>
  );
}

/** Of an answer: how long it took. Of a request without one: how long it waits. */
function latencyText(trace: Trace, row: TraceRow, now: number | undefined): string {
  if (row.kind === "request") {
    if (!trace.isOpen(row)) return "";
    return row.entry.at === undefined || now === undefined ? "open" : `${durationText(Math.max(0, now - row.entry.at))} …`;
  }
  return row.latencyMs === undefined ? "" : durationText(row.latencyMs);
}
