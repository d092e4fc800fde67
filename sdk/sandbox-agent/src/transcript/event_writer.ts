// Writes events: numbers, names and metadata. What an event says is the business of those who call it.
import type { Arrival } from "./entry.js";
import type { EventMeta, EventSource, EventType, ProductMeta, UniversalEvent } from "./events.js";
import { fieldsOf, isFields, numberOf, textOf, type Fields } from "./json.js";

type DataOf<Type extends EventType> = Extract<UniversalEvent, { type: Type }>["data"];

const product = "sandboxagent.dev";
const traceKeys = ["traceparent", "tracestate", "baggage"] as const;
// Names of our own: what a message says under them is not carried over.
const reserved = new Set(
  "legacyEvent turn phase item_id native_item_id parent_id kind role permission_id question_id request_id".split(" "),
);
const latestTime = Date.UTC(9999, 11, 31); // later years have no common form

export class EventWriter {
  sessionId: string | undefined;
  nativeSessionId: string | undefined;
  /** The turn events belong to. */
  turn: ProductMeta["turn"];
  source: EventSource = "agent";
  readonly #withRaw: boolean;
  #events: UniversalEvent[] = [];
  #sequence = 0;
  #mark = "n0";
  #ofMark = 0;
  #namesOfMark = 0;
  #raw: unknown;
  #at: number | undefined;
  #time: string | undefined;
  #trace: Fields | undefined;
  #carried: Fields | undefined;

  constructor(sessionId: string | undefined, withRaw: boolean) {
    this.sessionId = sessionId;
    this.#withRaw = withRaw;
  }

  /** What is written from now on was caused by this entry. */
  begin({ entry, mark }: Arrival): void {
    this.#mark = mark;
    this.#ofMark = 0;
    this.#namesOfMark = 0;
    this.#raw = entry.message;
    this.#tellTime(numberOf(entry.at));
    this.#carry(entry.message);
    this.source = entry.from === "client" || entry.from === "daemon" ? entry.from : "agent";
  }

  /** Adds to what the events of this entry carry under the product's name. */
  carry(fields: Fields | undefined): void {
    for (const key in fields) {
      if (!reserved.has(key)) this.#carried = { [key]: fields[key], ...this.#carried };
    }
  }

  /** What was written since the last time. */
  take(): UniversalEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** A name for something that begins with this entry. */
  name(prefix: string): string {
    const nth = this.#namesOfMark++;
    return nth === 0 ? `${prefix}_${this.#mark}` : `${prefix}_${this.#mark}.${nth}`;
  }

  write<Type extends EventType>(type: Type, data: DataOf<Type>, meta?: Partial<ProductMeta>, synthetic = false): void {
    const eventId = `evt_${this.#mark}.${this.#ofMark++}`;
    const sequence = ++this.#sequence;
    const { source, nativeSessionId, turn } = this;
    const legacyEvent: ProductMeta["legacyEvent"] = { eventId, sequence, source, synthetic };
    const ours: ProductMeta = this.#carried ? { ...this.#carried, legacyEvent } : { legacyEvent };
    if (turn) ours.turn = turn;
    if (meta) Object.assign(ours, meta);
    const all: EventMeta = this.#trace ? { ...this.#trace, [product]: ours } : { [product]: ours };
    const event = { event_id: eventId, sequence } as Fields;
    if (this.#time !== undefined) event["time"] = this.#time;
    event["session_id"] = (this.sessionId ??= nativeSessionId) ?? "";
    if (nativeSessionId !== undefined) legacyEvent.nativeSessionId = event["native_session_id"] = nativeSessionId;
    event["source"] = source;
    event["synthetic"] = synthetic;
    event["type"] = type;
    event["data"] = data;
    if (this.#withRaw) event["raw"] = this.#raw;
    event["_meta"] = all;
    this.#events.push(event as unknown as UniversalEvent);
  }

  #tellTime(at: number | undefined): void {
    if (at === this.#at) return;
    this.#at = at;
    this.#time = at !== undefined && at >= 0 && at <= latestTime ? new Date(at).toISOString() : undefined;
  }

  #carry(message: unknown): void {
    this.#trace = undefined;
    this.#carried = undefined;
    const { params, result } = fieldsOf(message);
    const about = fieldsOf(params ?? result);
    this.#carryFrom(about["_meta"]);
    this.#carryFrom(fieldsOf(about["update"])["_meta"]);
  }

  #carryFrom(meta: unknown): void {
    if (!isFields(meta)) return;
    for (const key of traceKeys) {
      const value = textOf(meta[key]);
      if (value !== undefined) this.#trace = { ...this.#trace, [key]: value };
    }
    const ours = meta[product];
    if (isFields(ours)) this.carry(ours);
  }
}

/** What a message, a block or a request says under the product's name. */
export function productMeta(value: unknown): Fields {
  return fieldsOf(fieldsOf(fieldsOf(value)["_meta"])[product]);
}
