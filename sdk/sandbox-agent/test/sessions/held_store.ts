// A store whose writing the test controls: it may wait, or fail.
import { InMemorySessionPersistDriver } from "../../src/persist/memory.js";
import type { EventBatch, SessionPersistDriver } from "../../src/persist/driver.js";

/** Writes to `inner`; appending asks `before` first, which may wait or reject. */
export class HeldStore implements SessionPersistDriver {
  readonly #inner: SessionPersistDriver;
  before: (batch: EventBatch) => Promise<void> = async () => {};
  /** How often appending was tried, and how many messages the biggest batch had. */
  attempts = 0;
  biggest = 0;

  constructor(inner: SessionPersistDriver = new InMemorySessionPersistDriver()) {
    this.#inner = inner;
  }

  async appendEvents(id: string, batch: EventBatch): Promise<boolean> {
    ++this.attempts;
    this.biggest = Math.max(this.biggest, batch.events.length);
    await this.before(batch);
    return this.#inner.appendEvents(id, batch);
  }

  getSession: SessionPersistDriver["getSession"] = (id) => this.#inner.getSession(id);
  listSessions: SessionPersistDriver["listSessions"] = (page) => this.#inner.listSessions(page);
  createSession: SessionPersistDriver["createSession"] = (session) => this.#inner.createSession(session);
  updateSession: SessionPersistDriver["updateSession"] = (...change) => this.#inner.updateSession(...change);
  deleteSession: SessionPersistDriver["deleteSession"] = (id) => this.#inner.deleteSession(id);
  listEvents: SessionPersistDriver["listEvents"] = (...page) => this.#inner.listEvents(...page);
}

/** Something that is closed until it is opened. */
export function gate(): { opened: Promise<void>; open(): void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
