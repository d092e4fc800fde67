// The events of a turn that its reader has not taken yet. There is one reader; without one nothing is kept for long: the queue is
// dropped when the reader leaves, or when the turn is awaited instead of read.
import type { TurnEvent } from "./turn_event.js";

type Taken = IteratorResult<TurnEvent, undefined>;

export class EventQueue implements AsyncIterator<TurnEvent, undefined> {
  #events: TurnEvent[] = [];
  #taken = 0; // of #events, at its front
  #waiting: ((taken: Taken) => void)[] = [];
  #ended = false;
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
    if (reader) reader({ done: false, value: event });
    else this.#events.push(event);
  }

  /** No more events; those that are there can still be taken. */
  end(): void {
    this.#ended = true;
    for (const reader of this.#waiting.splice(0)) reader({ done: true, value: undefined });
  }

  drop(): void {
    if (this.#dropped) return;
    this.#dropped = true;
    this.#clear();
    this.#onDrop();
  }

  next(): Promise<Taken> {
    const event = this.#events[this.#taken];
    if (event) {
      if (++this.#taken === this.#events.length) this.#clear();
      return Promise.resolve({ done: false, value: event });
    }
    if (this.#ended || this.#dropped) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #clear(): void {
    this.#events = [];
    this.#taken = 0;
  }

  /** The reader leaves its loop. */
  return(): Promise<Taken> {
    this.drop();
    return Promise.resolve({ done: true, value: undefined });
  }
}
