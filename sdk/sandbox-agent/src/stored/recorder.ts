// Sorts what goes over one connection into the logs of its sessions, both directions, each message with its place. Hears everything
// in the order of the stream. Belongs to one connection.
import type { AcpHttpGap, AcpHttpMessage } from "acp-http-client";
import type { EventPlace, NewEvent } from "../persist/driver.js";
import { HeldMessages } from "./held_messages.js";
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

/** A client's request that has no answer yet. */
export interface OpenRequest {
  readonly id: unknown;
  readonly method: string;
}

const passEvery = 1_000; // messages

export class Recorder {
  readonly #filter = new SessionFilter();
  readonly #held = new HeldMessages();
  readonly #sinks = new Map<string, Set<LogSink>>(); // a session may have several records
  readonly #loading = new Map<LogSink, unknown>(); // the requests that make the agent tell the past
  readonly #waiters = new Set<{ eventId: number; resolve: () => void }>();
  readonly #made = new Set<string>(); // names of sessions
  #place: EventPlace;
  #beginning = 0;
  #leave = () => {};

  /** `since`: the number of the last message before the connection's first. */
  constructor(since = 0) {
    this.#place = { eventId: since, nth: 0 };
  }

  /** How far the connection has been heard. */
  get place(): EventPlace {
    return this.#place;
  }

  /** Whether a session of this name was made in this process. */
  hasMade(sessionId: string): boolean {
    return this.#made.has(sessionId);
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
  track(sessionId: string, sink: LogSink, open: readonly OpenRequest[] = []): void {
    this.#sinks.set(sessionId, (this.#sinks.get(sessionId) ?? new Set()).add(sink));
    for (const { id, method } of open) {
      this.#filter.expect(id, sessionId);
      if (method === "session/load") this.#loading.set(sink, id);
    }
    this.#release(sessionId);
  }

  /** Nothing more of this session goes there. */
  async untrack(sessionId: string, sink: LogSink): Promise<void> {
    await sink.flush().catch(() => {}); // it has told of it
    const sinks = this.#sinks.get(sessionId);
    sinks?.delete(sink);
    if (sinks?.size === 0) this.#sinks.delete(sessionId);
    this.#loading.delete(sink);
    sink.end();
  }

  async flush(): Promise<void> {
    await Promise.allSettled([...this.#all()].map((sink) => sink.flush()));
  }

  /** Nobody waits for the logs any more. */
  end(): void {
    for (const sink of this.#all()) sink.end();
  }

  /** The connection is over: nobody waits for room any more. */
  close(): void {
    this.#leave();
  }

  /** Resolves when the message with this number has been heard or is known to be lost. */
  async reached(eventId: number): Promise<void> {
    if (this.#place.eventId < eventId) await new Promise<void>((resolve) => this.#waiters.add({ eventId, resolve }));
  }

  agent({ id, message, json }: AcpHttpMessage): void {
    this.#hear("agent", { eventId: id, nth: 0 }, message, json);
    if (id % passEvery === 0 && !this.#held.awaitsNames) for (const sink of this.#all()) sink.pass(this.#place);
  }

  client(message: object, json: string): void {
    this.#hear("client", { ...this.#place, nth: this.#place.nth + 1 }, message, json);
  }

  gap(gap: Omit<AcpHttpGap, "type">): void {
    const { eventId, nth } = this.#place;
    this.#goTo(gap.to === undefined ? { eventId, nth: nth + (gap.clientMessages ?? 1) } : { eventId: gap.to, nth: 0 });
    this.#tellAll(this.#event("daemon", JSON.stringify(gap)));
    this.#loading.clear(); // the answer that ends it may be lost
    if (gap.reason !== undefined) this.#endAll();
  }

  /** Something to wait for before more is heard. */
  room(): Promise<void> | undefined {
    for (const sink of this.#all())
      if (sink.isFull) return Promise.race([sink.room(), new Promise<void>((resolve) => (this.#leave = resolve))]);
    return undefined;
  }

  #hear(from: "agent" | "client", place: EventPlace, message: object, json: string): void {
    this.#goTo(place);
    const owner = this.#filter.ownerOf(from, message);
    if (owner === undefined) return;
    const event = this.#event(from, json);
    if (owner === "all") return this.#tellAll(event);
    const { sessionId, opener } = owner;
    if (opener !== undefined && from === "client") return this.#held.opens(opener, event);
    if (opener !== undefined) this.#opened(opener, sessionId);
    if (sessionId === undefined) return;
    const sinks = this.#sinks.get(sessionId);
    const waits = sinks ? this.#held.awaitsNames && [...sinks].every(({ isNew }) => isNew) : this.#beginning > 0;
    if (waits && this.#held.hold(sessionId, event)) return;
    this.#release(sessionId);
    for (const sink of sinks ?? []) if (!this.#isPast(sink, from, message)) sink.add(event);
  }

  #opened(opener: string, sessionId: string | undefined): void {
    this.#held.opened(opener, sessionId);
    if (sessionId !== undefined) {
      this.#made.add(sessionId);
      this.#release(sessionId);
    }
    if (!this.#held.awaitsNames) this.#releaseAll();
    if (this.#beginning === 0) this.#forgetStrangers();
  }

  // What was held goes to the logs.
  #release(sessionId: string): void {
    const sinks = this.#sinks.get(sessionId);
    if (sinks) for (const event of this.#held.take(sessionId)) for (const sink of sinks) sink.add(event);
  }

  #releaseAll(): void {
    for (const each of this.#sinks.keys()) this.#release(each);
  }

  #forgetStrangers(): void {
    this.#held.keepOnly((sessionId) => this.#sinks.has(sessionId));
  }

  // What the agent tells while it loads a session is in its log already, unless that is empty.
  #isPast(sink: LogSink, from: "agent" | "client", message: object): boolean {
    const { id, method } = message as { id?: unknown; method?: string };
    if (from === "client" && method === "session/load" && !sink.isNew) this.#loading.set(sink, id);
    if (from === "agent" && method === undefined && this.#loading.get(sink) === id) this.#loading.delete(sink);
    return method === "session/update" && this.#loading.has(sink);
  }

  // What follows is of another process.
  #endAll(): void {
    const all = [...this.#all()];
    this.#sinks.clear();
    for (const sink of all) {
      const end = () => sink.end();
      sink.flush().then(end, end);
    }
  }

  *#all(): Generator<LogSink, void> {
    for (const sinks of this.#sinks.values()) yield* sinks;
  }

  #tellAll(event: NewEvent): void {
    this.#releaseAll(); // a log takes nothing that is before what it has
    for (const sink of this.#all()) sink.add(event);
  }

  #event(from: NewEvent["from"], json: string): NewEvent {
    const { eventId, nth } = this.#place;
    return { eventId, nth, from, at: Date.now(), json };
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
