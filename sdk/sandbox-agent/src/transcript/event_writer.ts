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
  #events: UniversalEvent[] | undefined; // a list of one is small, and one that grows is not
  #sequence = 0;
  #mark = "n0";
  #ofMark = 0;
  #itemsOfMark = 0;
  #raw: unknown;
  #at: number | undefined;
  #time: string | undefined;
  #second = -1;
  #upToSecond = "";
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
    this.#itemsOfMark = 0;
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
    const events = this.#events ?? [];
    this.#events = undefined;
    return events;
  }

  /** A name for the one thing of its kind that begins with this entry. */
  name(prefix: string): string {
    return `${prefix}_${this.#mark}`;
  }

  /** A name for an item; several may begin with one entry. */
  nameItem(): string {
    const nth = this.#itemsOfMark++;
    return nth === 0 ? this.name("item") : `${this.name("item")}.${nth}`;
  }

  write<Type extends EventType>(type: Type, data: DataOf<Type>, meta?: Partial<ProductMeta>, synthetic = false): void {
    const event_id = `evt_${this.#mark}.${this.#ofMark++}`;
    const sequence = ++this.#sequence;
    const _meta = this.#metaOf(event_id, sequence, synthetic, meta);
    const { source, nativeSessionId: native_session_id } = this;
    const session_id = (this.sessionId ??= native_session_id) ?? "";
    const time = this.#time;
    // The first form is what nearly all events have; literals are quickest.
    const event =
      time !== undefined && native_session_id !== undefined && !this.#withRaw
        ? { event_id, sequence, time, session_id, native_session_id, source, synthetic, type, data, _meta }
        : {
            event_id,
            sequence,
            ...(time !== undefined && { time }),
            session_id,
            ...(native_session_id !== undefined && { native_session_id }),
            source,
            synthetic,
            type,
            data,
            ...(this.#withRaw && { raw: this.#raw }),
            _meta,
          };
    if (this.#events) this.#events.push(event as unknown as UniversalEvent);
    else this.#events = [event as unknown as UniversalEvent];
  }

  #metaOf(eventId: string, sequence: number, synthetic: boolean, meta: Partial<ProductMeta> | undefined): EventMeta {
    const { source, nativeSessionId } = this;
    const legacyEvent: ProductMeta["legacyEvent"] =
      nativeSessionId === undefined
        ? { eventId, sequence, source, synthetic }
        : { eventId, sequence, source, synthetic, nativeSessionId };
    const ours = this.#oursOf(legacyEvent, meta);
    return this.#trace ? { ...this.#trace, "sandboxagent.dev": ours } : { "sandboxagent.dev": ours };
  }

  // Nearly all events are of an item of a turn, and a literal takes a third of the time.
  #oursOf(legacyEvent: ProductMeta["legacyEvent"], meta: Partial<ProductMeta> | undefined): ProductMeta {
    const { turn } = this;
    if (turn && meta?.role && !this.#carried && !meta.native_item_id && !meta.parent_id) {
      const { phase, item_id, kind, role } = meta;
      return { phase, item_id, kind, role, legacyEvent, turn };
    }
    return { ...this.#carried, ...meta, legacyEvent, ...(turn && { turn }) };
  }

  #tellTime(at: number | undefined): void {
    if (at === this.#at) return;
    this.#at = at;
    this.#time = at !== undefined && at >= 0 && at <= latestTime ? this.#timeOf(Math.trunc(at)) : undefined;
  }

  // Most entries come within a second of others.
  #timeOf(at: number): string {
    const second = Math.floor(at / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#upToSecond = new Date(second * 1000).toISOString().slice(0, -4);
    }
    return this.#upToSecond + `${String(at % 1000).padStart(3, "0")}Z`;
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
