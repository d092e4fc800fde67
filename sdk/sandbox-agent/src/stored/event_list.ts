// What was heard of one session, in a list that somebody empties.
import type { NewEvent } from "../persist/driver.js";
import type { LogSink } from "./recorder.js";

export class EventList implements LogSink {
  readonly isFull = false;
  isNew: boolean;
  #events: NewEvent[] = [];

  /** `isNew`: there is nothing before it. */
  constructor(isNew: boolean) {
    this.isNew = isNew;
  }

  add(event: NewEvent): void {
    this.isNew = false;
    this.#events.push(event);
  }

  take(): NewEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  pass(): void {}
  end(): void {}
  async room(): Promise<void> {}
  async flush(): Promise<void> {}
}
