// The rows of the table: messages that the filter lets through, in order, and between them the page's own HTTP requests by their
// time. Nothing is copied: where a row is is computed when it is looked at.
import type { HttpRecord } from "./http_record.js";
import type { Trace, TraceRow } from "./trace.js";
import type { FilteredRows } from "./trace_filter.js";

export type TableRow =
  { readonly row: TraceRow; readonly http?: undefined } | { readonly http: HttpRecord; readonly row?: undefined };

export class TraceRows {
  readonly #trace: Trace;
  readonly #found: readonly number[] | undefined; // undefined: all
  readonly #http: readonly HttpRecord[];
  readonly #places: number[]; // of the requests among the rows

  constructor(trace: Trace, filtered: FilteredRows | undefined, http: readonly HttpRecord[] = []) {
    this.#trace = trace;
    this.#found = filtered?.found;
    this.#http = http;
    this.#places = http.map(({ at }, nth) => this.#messagesBefore(trace.first + firstAfter(trace, at)) + nth);
  }

  get count(): number {
    return this.messages + this.#http.length;
  }

  /** Without the HTTP requests. */
  get messages(): number {
    return this.#found?.length ?? this.#trace.rows.length;
  }

  at(place: number): TableRow | undefined {
    const nth = lowerBound(this.#places.length, (at) => this.#places[at]! < place);
    const http = this.#http[nth];
    if (http && this.#places[nth] === place) return { http };
    const row = this.#trace.at(this.#indexAt(place - nth));
    return row && { row };
  }

  /** The place of a message; undefined when it is not shown. */
  placeOf(index: number): number | undefined {
    const before = this.#messagesBefore(index);
    if (this.#indexAt(before) !== index || this.#trace.at(index) === undefined) return undefined;
    // So many requests are above it: their places count the messages before them.
    const above = lowerBound(this.#places.length, (at) => this.#places[at]! - at <= before);
    return before + above;
  }

  placeOfRequest(id: number): number | undefined {
    const nth = this.#http.findIndex((record) => record.id === id);
    return this.#places[nth];
  }

  /** How many messages came behind this one. */
  countAfter(index: number): number {
    return this.messages - this.#messagesBefore(index + 1);
  }

  #indexAt(nth: number): number {
    return this.#found ? (this.#found[nth] ?? -1) : this.#trace.first + nth;
  }

  #messagesBefore(index: number): number {
    if (!this.#found) return Math.min(Math.max(0, index - this.#trace.first), this.#trace.rows.length);
    const found = this.#found;
    return lowerBound(found.length, (at) => found[at]! < index);
  }
}

// Where the first row is that was heard later.
function firstAfter({ rows }: Trace, at: number): number {
  return lowerBound(rows.length, (place) => rows[place]!.since <= at);
}

/** The first place for which it is false; it is true before, and false from there on. */
function lowerBound(count: number, isBefore: (place: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
