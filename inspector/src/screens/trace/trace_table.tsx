// The table of the Trace: what each row shows, and which rows belong together.
import { useState } from "preact/hooks";
import { VirtualRows, type Column } from "../../parts/virtual_rows.js";
import { seqOf } from "../../state/log.js";
import { sizeOf, type Trace, type TraceRow } from "../../state/trace.js";
import { previewOf } from "../../state/trace_preview.js";
import { directionOf, durationText, methodText, sizeText, timeText } from "./trace_words.js";

export interface TraceTableProps {
  readonly trace: Trace;
  readonly now: number;
  readonly compact: boolean;
  readonly sessionId: string | undefined;
  readonly turn: number | undefined;
  readonly selected: number | undefined;
  readonly onSelect: (index: number) => void;
  readonly onOpen: (index: number) => void;
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
  const { trace, compact, selected } = props;
  const [hovered, setHovered] = useState<number>();
  const pointed = hovered ?? selected;
  const pair = pointed === undefined ? undefined : trace.rows[pointed]?.pair;
  return (
    <VirtualRows
      label="Trace"
      class="trace-table"
      count={trace.rows.length}
      columns={compact ? fewColumns : columns}
      render={(index) => cellsOf(props, index)}
      rowProps={(index) => rowProps(props, index, pair)}
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

function rowProps({ trace, sessionId, turn }: TraceTableProps, index: number, pair: number | undefined) {
  const row = trace.rows[index] as TraceRow;
  const isElsewhere = sessionId !== undefined && row.sessionId !== undefined && row.sessionId !== sessionId;
  const isHere = turn !== undefined && row.turn === turn && row.sessionId === sessionId;
  return {
    class: `trace-row trace-is-${row.kind === "gap" ? "gap" : row.class}`,
    "data-seq": seqOf(row.entry),
    "data-from": row.entry.from,
    "data-kind": row.kind,
    "data-pair": index === pair ? "" : undefined,
    "data-turn": isHere ? row.turn : undefined,
    "data-elsewhere": isElsewhere ? "" : undefined,
  };
}

function cellsOf({ trace, compact, now }: TraceTableProps, index: number) {
  const row = trace.rows[index] as TraceRow;
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
      {!compact && <TimeCell trace={trace} index={index} />}
      <div role="gridcell" class="trace-direction">
        {arrow} <span class="trace-word">{word}</span>
      </div>
      <div role="gridcell" class="trace-method">
        <Method text={methodText(row)} />
      </div>
      <div role="gridcell" class="trace-preview">
        {previewOf(trace, row)}
      </div>
      {!compact && (
        <div role="gridcell" class="trace-size">
          {sizeText(sizeOf(row.entry))}
        </div>
      )}
      <div role="gridcell" class="trace-latency">
        {latencyText(trace, row, now)}
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

function TimeCell({ trace, index }: { trace: Trace; index: number }) {
  const at = trace.rows[index]?.entry.at;
  if (at === undefined) {
    return (
      <div role="gridcell" class="trace-time" title="before this page was opened">
        –
      </div>
    );
  }
  const before = trace.rows[index - 1]?.entry.at;
  return (
    <div role="gridcell" class="trace-time">
      {timeText(at)}
      {before !== undefined && <span class="trace-since"> +{durationText(at - before)}</span>}
    </div>
  );
}

/** Of an answer: how long it took. Of a request without one: how long it waits. */
function latencyText(trace: Trace, row: TraceRow, now: number): string {
  if (row.kind === "request") {
    if (!trace.isOpen(row)) return "";
    return row.entry.at === undefined ? "open" : `${durationText(Math.max(0, now - row.entry.at))} …`;
  }
  return row.latencyMs === undefined ? "" : durationText(row.latencyMs);
}
