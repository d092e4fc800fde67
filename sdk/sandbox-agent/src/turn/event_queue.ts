// The events of a turn that its reader has not taken yet. There is one reader; without one nothing is kept for long: the queue is
// dropped when the reader leaves, or when the turn is awaited instead of read. A turn that failed throws behind its last event.
import type { TurnEvent } from "./turn_event.js";

type Taken = IteratorResult<TurnEvent, undefined>;

interface Reader {
  resolve(taken: Taken): void;
  reject(failure: unknown): void;
}

const end: Taken = { done: true, value: undefined };
const mostTaken = 1024; // events that are kept although they were taken

export class EventQueue implements AsyncIterator<TurnEvent, undefined> {
  #events: TurnEvent[] = [];
  #taken = 0; // of #events, at its front
  #waiting: Reader[] = [];
  #ended: { failure?: unknown } | undefined;
  #dropped = false;
  readonly #onDrop: () => void;

  constructor(onDrop: () => void) {
    this.#onDrop = onDrop;
  }

  get length(): number {
    return this.#events.length - this.#taken;
  }

  /** Nobody reads, and nobody will. */
  get dropped(): boolean {
    return this.#dropped;
  }

  push(event: TurnEvent): void {
    if (this.#dropped || this.#ended) return;
    const reader = this.#waiting.shift();
    if (reader) reader.resolve({ done: false, value: event });
    else this.#events.push(event);
  }

  /** No more events; those that are there can still be taken. The failure is thrown once. */
  end(failure?: unknown): void {
    this.#ended = failure === undefined ? {} : { failure };
    for (const reader of this.#waiting.splice(0)) this.next().then(reader.resolve, reader.reject);
  }

  drop(): void {
    if (this.#dropped) return;
    this.#dropped = true;
    this.#letGo(Infinity);
    this.#onDrop();
  }

  next(): Promise<Taken> {
    const event = this.#events[this.#taken];
    if (event) {
      if (++this.#taken === this.#events.length || this.#taken > mostTaken) this.#letGo(this.#taken);
      return Promise.resolve({ done: false, value: event });
    }
    if (this.#dropped) return Promise.resolve(end);
    if (!this.#ended) return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
    const { failure } = this.#ended;
    this.#ended = {};
    return failure === undefined ? Promise.resolve(end) : Promise.reject(failure);
  }

  #letGo(count: number): void {
    this.#events.splice(0, count);
    this.#taken = 0;
  }

  /** The reader leaves its loop. */
  return(): Promise<Taken> {
    this.drop();
    return Promise.resolve(end);
  }
}
