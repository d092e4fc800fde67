// Writes the log of one session: gathers what is heard, and appends it in batches, one at a time. Bounded: who adds to a full log
// waits. A store that fails is tried again for a while; then the log gives up, frees what it held and says so, once.
import { SandboxAgentError } from "../errors.js";
import { isBehind, type EventPlace, type NewEvent, type StoredSession } from "../persist/driver.js";
import type { LogSink } from "./recorder.js";
import type { Store } from "./store.js";

const mostEvents = 4_096; // that wait for the store
const mostBytes = 8 << 20;
const batchEvents = 1_000;
const gatherMs = 20; // what comes within this time is written together, unless somebody waits
const firstPauseMs = 50;
const mostPauseMs = 2_000;
const giveUpAfterMs = 30_000;

export class SessionLog implements LogSink {
  readonly id: string;
  readonly epoch: number;
  readonly #store: Store;
  readonly #onFailure: (error: SandboxAgentError) => void;
  readonly #listeners = new Set<() => void>();
  #waiting: NewEvent[] = [];
  #bytes = 0;
  #heard: EventPlace; // how far the stream was read
  #added: EventPlace; // and what was taken of it
  #stored: EventPlace;
  #writing: Promise<void> | undefined;
  #hurry = () => {};
  #failure: SandboxAgentError | undefined;
  #isOver = false;
  #isNew: boolean;

  constructor(store: Store, session: StoredSession, onFailure: (error: SandboxAgentError) => void) {
    this.id = session.id;
    this.epoch = session.epoch;
    this.#isNew = session.eventCount === 0;
    this.#store = store;
    this.#onFailure = onFailure;
    this.#heard = this.#added = this.#stored = session.last;
  }

  get isNew(): boolean {
    return this.#isNew;
  }

  /** Takes what is behind all that was taken before. */
  add(event: NewEvent): void {
    if (this.#failure || !isBehind(event, this.#heard)) return;
    this.#isNew = false;
    this.#heard = this.#added = event;
    this.#waiting.push(event);
    this.#bytes += event.json.length;
    void this.#write();
  }

  pass(place: EventPlace): void {
    if (this.#failure || !isBehind(place, this.#heard)) return;
    this.#heard = place;
    void this.#write();
  }

  get isFull(): boolean {
    return this.#waiting.length >= mostEvents || this.#bytes >= mostBytes;
  }

  /** Resolves when there is room again, or the log has given up. */
  async room(): Promise<void> {
    while (this.isFull) await this.#step();
  }

  /** Resolves when all that was added so far is stored; rejects when it will not be. */
  async flush(): Promise<void> {
    const upTo = this.#added;
    while (!this.#failure && isBehind(upTo, this.#stored)) await this.#step();
    if (this.#failure) throw this.#failure;
  }

  end(): void {
    this.#isOver = true;
    for (const listener of this.#listeners) listener();
  }

  /** Nothing more will be stored. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Calls the listener whenever more is stored, and when nothing more will be. */
  onStored(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Why nothing more is stored. */
  get failure(): SandboxAgentError | undefined {
    return this.#failure;
  }

  async #step(): Promise<void> {
    const writing = this.#write();
    this.#hurry();
    await writing;
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, gatherMs);
      this.#hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    do await this.#writeBatch();
    while (this.#waiting.length > 0);
  }

  async #writeBatch(): Promise<void> {
    const events = this.#waiting.slice(0, batchEvents);
    const upTo = events.length < this.#waiting.length ? events.at(-1)! : this.#heard;
    const batch = { epoch: this.epoch, events, upTo: { eventId: upTo.eventId, nth: upTo.nth } };
    const begunAt = Date.now();
    const isLate = () => this.#isOver || Date.now() - begunAt >= giveUpAfterMs;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, mostPauseMs)) {
      try {
        if (await this.#store.append(this.id, batch)) break;
        const { epoch, state } = await this.#store.get(this.id);
        const mayComeBack = epoch === this.epoch || state === "moving"; // who takes it may fail
        if (!mayComeBack || isLate()) return this.#giveUp(moved());
      } catch (error) {
        const { code } = error as SandboxAgentError;
        if (code === "unknown_session" || isLate()) return this.#giveUp(error as SandboxAgentError);
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    this.#waiting.splice(0, events.length);
    for (const { json } of events) this.#bytes -= json.length;
    this.#stored = upTo;
    for (const listener of this.#listeners) listener();
  }

  #giveUp(error: SandboxAgentError): void {
    this.#failure = error;
    this.#waiting = [];
    this.#bytes = 0;
    this.end();
    this.#onFailure(error);
  }
}

function moved(): SandboxAgentError {
  return new SandboxAgentError("Another client has taken this session into another process.", {
    code: "session_moved",
  });
}
