// Which messages the Trace shows: by who speaks, what kind, which method, errors, one turn, and words in the message's own text. A
// filter is a value; FilteredRows reads the Trace with it bit by bit, so that a long one keeps nobody waiting.
import type { Trace, TraceKind, TraceRow } from "./trace.js";
import { needleOf } from "./trace_marks.js";

export type Speaker = "agent" | "client" | "daemon";

export interface TraceFilter {
  readonly from?: Speaker;
  readonly kind?: TraceKind;
  readonly method?: string;
  readonly errors?: boolean;
  readonly turn?: { readonly sessionId: string; readonly number: number };
  readonly text?: string;
}

export const kindWords: readonly (readonly [TraceKind, string])[] = [
  ["request", "Requests"],
  ["answer", "Answers"],
  ["notification", "Notifications"],
  ["error", "Errors"],
  ["gap", "Gaps"],
  ["invalid", "Not JSON-RPC"],
];

/** How many conditions it has. */
export const conditionsOf = (filter: TraceFilter): number => Object.keys(filter).length;

/** The filter with one condition changed; undefined, false and "" take it away. */
export function withCondition<Name extends keyof TraceFilter>(
  filter: TraceFilter,
  name: Name,
  value: TraceFilter[Name] | "" | undefined,
): TraceFilter {
  const { [name]: _, ...rest } = filter;
  return value === undefined || value === false || value === "" ? rest : { ...rest, [name]: value };
}

/** Who speaks: the daemon's own words come in the agent's stream. */
export function speakerOf({ entry, method }: TraceRow): Speaker {
  return entry.from === "agent" && method?.startsWith("_adapter/") ? "daemon" : entry.from;
}

export function isError({ kind, method }: TraceRow): boolean {
  return kind === "error" || kind === "invalid" || kind === "gap" || method === "_adapter/invalid_stdout";
}

/** Whether a row is to be shown. */
export function matcherOf(filter: TraceFilter): (row: TraceRow) => boolean {
  const { from, kind, method, errors, turn, text } = filter;
  const needle = text === undefined ? undefined : needleOf(text);
  return (row) =>
    (from === undefined || speakerOf(row) === from) &&
    (kind === undefined || row.kind === kind) &&
    (method === undefined || row.method === method) &&
    (!errors || isError(row)) &&
    (turn === undefined || (row.turn === turn.number && row.sessionId === turn.sessionId)) &&
    (needle === undefined || needle.test(row.entry.json));
}

export class FilteredRows {
  readonly #matches: (row: TraceRow) => boolean;
  readonly #found: number[] = [];
  #next = 0;
  /** How many were found and are no more. */
  dropped = 0;

  constructor(readonly filter: TraceFilter) {
    this.#matches = matcherOf(filter);
  }

  /** The indexes of what was found so far, in order. */
  get found(): readonly number[] {
    return this.#found;
  }

  /** All there is was looked at. */
  isWhole(trace: Trace): boolean {
    return this.#next >= trace.end;
  }

  /** Looks at so many more rows. */
  advance(trace: Trace, most = Infinity): this {
    const kept = this.#found.findIndex((index) => index >= trace.first);
    if (kept !== 0) this.dropped += this.#found.splice(0, kept < 0 ? this.#found.length : kept).length;
    this.#next = Math.max(this.#next, trace.first);
    const end = Math.min(trace.end, this.#next + most);
    for (; this.#next < end; ++this.#next) if (this.#matches(trace.at(this.#next) as TraceRow)) this.#found.push(this.#next);
    return this;
  }
}
