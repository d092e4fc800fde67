// What the Trace says of each message beyond the message: what kind it is, which request it answers and how long that took, whose
// session and which turn. Reads the log once, message by message, as it grows, and forgets what the log forgot; a row changes later
// only when its answer comes. Messages are named by their index in the log, which stays the same.
import type { InstanceLog, LogEntry } from "./log.js";
import { classOf, type TraceClass } from "./trace_class.js";
import { fieldsOf, idKey, wordOf, type Fields } from "./trace_fields.js";

export type TraceKind = "request" | "answer" | "error" | "notification" | "gap" | "invalid";

export interface TraceRow {
  readonly entry: LogEntry;
  readonly kind: TraceKind;
  /** Of an answer: the method of its request, when that is known. */
  readonly method: string | undefined;
  readonly class: TraceClass;
  readonly sessionId: string | undefined;
  /** The how many-th prompt of its session was running. */
  readonly turn: number | undefined;
  /** The index of its answer or its request. */
  readonly pair: number | undefined;
  /** From request to answer; the same on both. */
  readonly latencyMs: number | undefined;
  /** When it was heard, at the earliest: never before the row above it, also when nobody knows. -Infinity: before the page. */
  readonly since: number;
}

type Row = { -readonly [Key in keyof TraceRow]: TraceRow[Key] };
type Side = "agent" | "client";

export class Trace {
  readonly #rows: Row[] = [];
  /** Requests nobody has answered, by the side that asked. */
  readonly #asked: Record<Side, Map<string, Row>> = { agent: new Map(), client: new Map() };
  readonly #sessions = new Map<string, { turns: number; running: Set<Row> }>();
  readonly #titles = new Map<string, { title: string; index: number }>();
  readonly #words = new Map<string, string>(); // one text per method and session, not one per message
  readonly #methods = new Set<string>();
  #first = 0;
  #heard = -Infinity;
  #lastGap = -1;
  #lastPrompted: string | undefined;
  #mayRepeat = false; // numbers may have begun anew

  /** What is known, oldest first: the row at place p has the index first + p. */
  get rows(): readonly TraceRow[] {
    return this.#rows;
  }

  /** The index of the oldest row. */
  get first(): number {
    return this.#first;
  }

  /** Behind the index of the newest row. */
  get end(): number {
    return this.#first + this.#rows.length;
  }

  at(index: number): TraceRow | undefined {
    return this.#rows[index - this.#first];
  }

  /** The methods that occurred, in the order of the alphabet. */
  get methods(): string[] {
    return [...this.#methods].sort();
  }

  /** Reads what the log has more than was read so far, at most so many; drops what the log has dropped. */
  catchUp({ entries }: Pick<InstanceLog, "entries">, most = Infinity): this {
    const oldest = entries[0]?.index ?? 0;
    if (oldest > this.#first) this.#forget(oldest);
    const last = Math.min(entries.length, this.#rows.length + most);
    for (let place = this.#rows.length; place < last; ++place) this.push(entries[place] as LogEntry);
    return this;
  }

  push(entry: LogEntry): TraceRow {
    const row = entry.from === "daemon" ? this.#gap(entry) : this.#read(entry, entry.from);
    if (row.method !== undefined) this.#methods.add(row.method);
    row.since = this.#heard = Math.max(this.#heard, entry.at ?? -Infinity);
    this.#rows.push(row);
    return row;
  }

  /** The requests that wait for an answer. Those before a gap do not count: their answers may be lost. */
  open(): TraceRow[] {
    const rows = [...this.#asked.client.values(), ...this.#asked.agent.values()];
    return rows.filter((row) => row.entry.index > this.#lastGap).sort((a, b) => a.entry.index - b.entry.index);
  }

  isOpen(row: TraceRow): boolean {
    if (row.kind !== "request" || row.pair !== undefined || row.entry.index <= this.#lastGap) return false;
    return this.#asked[row.entry.from as Side].get(idKey(fieldsOf(row.entry.message)["id"])) === row;
  }

  /** The last turn that began: of the session, or of any. */
  lastTurn(sessionId = this.#lastPrompted): { sessionId: string; number: number } | undefined {
    const number = sessionId === undefined ? undefined : this.#sessions.get(sessionId)?.turns;
    return sessionId === undefined || number === undefined ? undefined : { sessionId, number };
  }

  /** What the agent last called a tool call; most of its updates do not say. */
  toolTitle(sessionId: string | undefined, callId: string): string | undefined {
    return this.#titles.get(`${sessionId ?? ""} ${callId}`)?.title;
  }

  /** The row that links call `seq`. */
  indexOf(seq: string): number | undefined {
    const [, event, nth] = /^(\d+)(?:\.(\d+))?$/.exec(seq) ?? [];
    if (event === undefined) return undefined;
    const eventId = Number(event);
    const behind = Number(nth ?? 0);
    const isIt = (row: Row | undefined) => row?.entry.eventId === eventId && row.entry.nth === behind;
    let [low, high] = [0, this.#rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const { entry } = this.#rows[middle] as Row;
      if (entry.eventId < eventId || (entry.eventId === eventId && entry.nth < behind)) low = middle + 1;
      else high = middle;
    }
    if (this.#mayRepeat) low = this.#rows.findLastIndex(isIt);
    return isIt(this.#rows[low]) ? this.#first + low : undefined;
  }

  #gap(entry: LogEntry): Row {
    this.#lastGap = entry.index;
    if (fieldsOf(entry.message)["to"] === undefined) {
      this.#mayRepeat = true;
      this.#forgetAsked(); // perhaps another process
    }
    return rowOf(entry, "gap", undefined, "adapter");
  }

  #read(entry: LogEntry, from: Side): Row {
    const message = fieldsOf(entry.message);
    const method = message["method"];
    if (typeof method === "string") return this.#said(entry, from, this.#word(method), message);
    const isError = "error" in message && (message["error"] !== null || !("result" in message));
    if (isError || "result" in message) return this.#answer(entry, from, message, isError);
    return rowOf(entry, "invalid", undefined, "error");
  }

  #said(entry: LogEntry, from: Side, method: string, message: Fields): Row {
    const isRequest = "id" in message;
    const row = rowOf(entry, isRequest ? "request" : "notification", method, classOf(method, message["params"]));
    const params = fieldsOf(message["params"]);
    row.sessionId = this.#word(wordOf(params["sessionId"]));
    if (isRequest) this.#asked[from].set(idKey(message["id"]), row);
    if (method === "_adapter/agent_exited") this.#end();
    if (row.class === "tool") this.#nameTool(row, fieldsOf(params["update"]));
    if (row.sessionId !== undefined) row.turn = this.#turnOf(row, row.sessionId, isRequest && from === "client");
    return row;
  }

  #turnOf(row: Row, sessionId: string, mayBegin: boolean): number | undefined {
    let session = this.#sessions.get(sessionId);
    if (mayBegin && row.method === "session/prompt") {
      if (session === undefined) this.#sessions.set(sessionId, (session = { turns: 0, running: new Set() }));
      session.running.add(row);
      this.#lastPrompted = sessionId;
      ++session.turns;
    }
    return session !== undefined && session.running.size > 0 ? session.turns : undefined;
  }

  #answer(entry: LogEntry, from: Side, message: Fields, isError: boolean): Row {
    const asked = this.#asked[from === "agent" ? "client" : "agent"];
    const key = idKey(message["id"]);
    const request = asked.get(key);
    const row = rowOf(entry, isError ? "error" : "answer", request?.method, isError ? "error" : (request?.class ?? "other"));
    row.sessionId = request?.sessionId ?? wordOf(fieldsOf(message["result"])["sessionId"]);
    if (request === undefined) return row;
    asked.delete(key);
    row.turn = request.turn;
    row.pair = request.entry.index;
    request.pair = entry.index;
    if (entry.at !== undefined && request.entry.at !== undefined)
      row.latencyMs = request.latencyMs = entry.at - request.entry.at;
    if (request.sessionId !== undefined) this.#sessions.get(request.sessionId)?.running.delete(request);
    return row;
  }

  #word<Word extends string | undefined>(word: Word): Word {
    if (word === undefined) return word;
    const known = this.#words.get(word);
    if (known === undefined) this.#words.set(word, word);
    return (known ?? word) as Word;
  }

  #nameTool({ sessionId, entry: { index } }: Row, update: Fields): void {
    const title = wordOf(update["title"]);
    const callId = wordOf(update["toolCallId"]);
    if (title !== undefined && callId !== undefined) this.#titles.set(`${sessionId ?? ""} ${callId}`, { title, index });
  }

  // The turn that runs is still known by its prompt: what comes belongs to it, and its answer ends it.
  #forget(oldest: number): void {
    this.#rows.splice(0, oldest - this.#first);
    this.#first = oldest;
    for (const [call, { index }] of this.#titles) if (index < oldest) this.#titles.delete(call);
    const isOld = (row: Row) => row.entry.index < oldest;
    for (const { running } of this.#sessions.values())
      for (const row of [...running].slice(0, -1)) if (isOld(row)) running.delete(row);
    const isRunning = ({ sessionId }: Row) => (sessionId === undefined ? undefined : this.#sessions.get(sessionId)?.running);
    for (const asked of Object.values(this.#asked))
      for (const [id, row] of asked) if (isOld(row) && !isRunning(row)?.has(row)) asked.delete(id);
  }

  /** The process is gone: nothing is answered any more, and no turn runs. */
  #end(): void {
    this.#forgetAsked();
    for (const session of this.#sessions.values()) session.running.clear();
  }

  #forgetAsked(): void {
    this.#asked.agent.clear();
    this.#asked.client.clear();
  }
}

function rowOf(entry: LogEntry, kind: TraceKind, method: string | undefined, about: TraceClass): Row {
  return {
    entry,
    kind,
    method,
    class: about,
    sessionId: undefined,
    turn: undefined,
    pair: undefined,
    latencyMs: undefined,
    since: -Infinity,
  };
}

/** Bytes of UTF-8. Long texts are taken to be plain: it is for reading, not for counting. */
export function sizeOf({ json }: LogEntry): number {
  let bytes = json.length;
  const end = Math.min(json.length, 1 << 16);
  for (let at = 0; at < end; ++at) {
    const code = json.charCodeAt(at);
    if (code > 0x7f) bytes += code > 0x7ff && (code & 0xf800) !== 0xd800 ? 2 : 1;
  }
  return bytes;
}
