// Sorts what goes over one connection into the logs of its sessions, both directions, each message with its place. Hears everything
// in the order of the stream. Belongs to one connection.
import type { AcpHttpGap, AcpHttpMessage } from "acp-http-client";
import type { EventPlace, NewEvent } from "../persist/driver.js";
import { SessionFilter } from "./session_filter.js";

/** Where the messages of one session go. */
export interface LogSink {
  /** It has nothing yet: what the agent tells of the past is news. */
  readonly isNew: boolean;
  add(event: NewEvent): void;
  /** The stream has been read up to here. */
  pass(place: EventPlace): void;
  readonly isFull: boolean;
  /** Resolves when it is no longer full. */
  room(): Promise<void>;
  /** Resolves when it needs nothing more to keep what it has. */
  flush(): Promise<void>;
  /** Nothing more will come. */
  end(): void;
}

interface Held {
  sessionId: string;
  event: NewEvent;
}

const mostHeld = 4_096; // messages of sessions that are just beginning
const mostOpeners = 256;
const passEvery = 1_000; // messages

export class Recorder {
  readonly #filter = new SessionFilter();
  readonly #sinks = new Map<string, LogSink>();
  readonly #begun = new Set<string>(); // sessions whose first message is known
  readonly #openers = new Map<string, NewEvent>(); // requests that begin sessions, until they are answered
  readonly #loading = new Map<string, unknown>(); // the requests that make the agent tell the past, by session
  readonly #waiters = new Set<{ eventId: number; resolve: () => void }>();
  #place: EventPlace;
  #beginning = 0;
  #held: Held[] = [];

  /** `since`: the number of the last message before the connection's first. */
  constructor(since = 0) {
    this.#place = { eventId: since, nth: 0 };
  }

  /** How far the connection has been heard. */
  get place(): EventPlace {
    return this.#place;
  }

  /** What is heard of sessions that nobody tracks is kept while `begin` runs, for track(). */
  async during<T>(begin: () => Promise<T>): Promise<T> {
    ++this.#beginning;
    try {
      return await begin();
    } finally {
      if (--this.#beginning === 0) this.#forgetStrangers();
    }
  }

  /** This session's messages go there from now on, and what was kept of it. `open`: its requests that were made before. */
  track(sessionId: string, sink: LogSink, open: readonly unknown[] = []): void {
    this.#sinks.set(sessionId, sink);
    if (!sink.isNew) this.#begun.add(sessionId);
    for (const id of open) this.#filter.expect(id, sessionId);
    this.#release(sessionId);
  }

  /** Nothing more will be said in this session. */
  async untrack(sessionId: string): Promise<void> {
    const sink = this.#sinks.get(sessionId);
    await sink?.flush().catch(() => {}); // it has told of it
    if (this.#sinks.get(sessionId) === sink) this.#sinks.delete(sessionId);
    this.#begun.delete(sessionId);
    this.#loading.delete(sessionId);
    sink?.end();
  }

  async flush(): Promise<void> {
    await Promise.allSettled([...this.#sinks.values()].map((sink) => sink.flush()));
  }

  /** Resolves when the message with this number has been heard or is known to be lost. */
  async reached(eventId: number): Promise<void> {
    if (this.#place.eventId < eventId) await new Promise<void>((resolve) => this.#waiters.add({ eventId, resolve }));
  }

  agent({ id, message, json }: AcpHttpMessage): void {
    this.#hear("agent", { eventId: id, nth: 0 }, message, json);
    if (id % passEvery === 0) for (const sink of this.#sinks.values()) sink.pass(this.#place);
  }

  client(message: object, json: string): void {
    this.#hear("client", { ...this.#place, nth: this.#place.nth + 1 }, message, json);
  }

  gap(gap: Omit<AcpHttpGap, "type">): void {
    const { eventId, nth } = this.#place;
    this.#goTo(gap.to === undefined ? { eventId, nth: nth + (gap.clientMessages ?? 1) } : { eventId: gap.to, nth: 0 });
    this.#tellAll(this.#event("daemon", JSON.stringify(gap)));
  }

  /** Something to wait for before more is heard. */
  room(): Promise<void> | undefined {
    for (const sink of this.#sinks.values()) if (sink.isFull) return sink.room();
    return undefined;
  }

  #hear(from: "agent" | "client", place: EventPlace, message: object, json: string): void {
    this.#goTo(place);
    const owner = this.#filter.ownerOf(from, message);
    if (owner === undefined) return;
    const event = this.#event(from, json);
    if (owner === "all") return this.#tellAll(event);
    const { sessionId, opener } = owner;
    if (opener !== undefined && from === "client") return this.#opens(opener, event);
    if (opener !== undefined) this.#opened(opener, sessionId);
    if (sessionId === undefined) return;
    const sink = this.#sinks.get(sessionId);
    const isBegun = this.#openers.size === 0 || this.#begun.has(sessionId);
    if ((!sink || !isBegun) && this.#hold({ sessionId, event })) return;
    this.#release(sessionId);
    if (sink) this.#begun.add(sessionId); // it has waited long enough
    if (sink && (sink.isNew || !this.#isPast(sessionId, from, message))) sink.add(event);
  }

  #opens(opener: string, event: NewEvent): void {
    if (this.#openers.size < mostOpeners) this.#openers.set(opener, event);
  }

  // The request that began it is the session's first message, whatever came before the answer.
  #opened(opener: string, sessionId: string | undefined): void {
    const event = this.#openers.get(opener);
    this.#openers.delete(opener);
    if (event && sessionId !== undefined) {
      this.#held.unshift({ sessionId, event });
      this.#begun.add(sessionId);
      this.#release(sessionId);
    }
    if (this.#openers.size === 0) for (const each of this.#sinks.keys()) this.#release(each);
    if (this.#beginning === 0) this.#forgetStrangers();
  }

  // What was held goes to the log, in its order.
  #release(sessionId: string): void {
    const sink = this.#sinks.get(sessionId);
    if (!sink || this.#held.length === 0) return;
    const kept = this.#held.filter((held) => held.sessionId === sessionId);
    this.#held = this.#held.filter((held) => held.sessionId !== sessionId);
    for (const { event } of kept) sink.add(event);
  }

  #forgetStrangers(): void {
    this.#held = this.#held.filter(({ sessionId }) => this.#sinks.has(sessionId));
    for (const sessionId of this.#begun) if (!this.#sinks.has(sessionId)) this.#begun.delete(sessionId);
  }

  // What the agent tells while it loads a session is in its log already.
  #isPast(sessionId: string, from: "agent" | "client", message: object): boolean {
    const { id, method } = message as { id?: unknown; method?: string };
    if (from === "client" && method === "session/load") this.#loading.set(sessionId, id);
    if (from === "agent" && method === undefined && this.#loading.get(sessionId) === id) this.#loading.delete(sessionId);
    return method === "session/update" && this.#loading.has(sessionId);
  }

  // Whether it is kept: of a session that is just being made, or whose first message is yet to come.
  #hold(held: Held): boolean {
    if (this.#held.length >= mostHeld || (this.#beginning === 0 && !this.#sinks.has(held.sessionId))) return false;
    this.#held.push(held);
    return true;
  }

  #tellAll(event: NewEvent): void {
    for (const sink of this.#sinks.values()) sink.add(event);
  }

  #event(from: NewEvent["from"], json: string): NewEvent {
    return { ...this.#place, from, at: Date.now(), json };
  }

  #goTo(place: EventPlace): void {
    this.#place = place;
    for (const waiter of this.#waiters) {
      if (place.eventId < waiter.eventId) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }
}
