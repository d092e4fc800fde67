// The user's store with errors of this package: whatever a driver throws is the cause of one.
import { SandboxAgentError } from "../errors.js";
import type { EventBatch, SessionChange, SessionPersistDriver, StoredEvent, StoredSession } from "../persist/driver.js";

const pageSize = 500;
const mostMs = 30_000; // for one call

export class Store {
  readonly #driver: SessionPersistDriver;

  constructor(driver: SessionPersistDriver) {
    this.#driver = driver;
  }

  async get(id: string): Promise<StoredSession> {
    const session = await this.#asked(() => this.#driver.getSession(id));
    if (session) return session;
    const hint = "Look at listSessions() of the driver for those it has.";
    throw new SandboxAgentError(`There is no session "${id}" in the store.`, { code: "unknown_session", hint });
  }

  async create(session: Omit<StoredSession, "eventCount">): Promise<StoredSession> {
    const made = await this.#asked(() => this.#driver.createSession(session));
    if (made) return made;
    throw new SandboxAgentError(`There is a session "${session.id}" in the store already.`, { code: "session_exists" });
  }

  /** Undefined: the session has another epoch by now, or is gone. */
  update(id: string, change: SessionChange, ifEpoch: number): Promise<StoredSession | undefined> {
    return this.#asked(() => this.#driver.updateSession(id, { ...change, updatedAt: Date.now() }, ifEpoch));
  }

  remove(id: string): Promise<void> {
    return this.#asked(() => this.#driver.deleteSession(id));
  }

  append(id: string, batch: EventBatch): Promise<boolean> {
    return this.#asked(() => this.#driver.appendEvents(id, batch));
  }

  list(id: string, page: { offset?: number; limit?: number }): Promise<{ events: StoredEvent[]; total: number }> {
    return this.#asked(() => this.#driver.listEvents(id, page));
  }

  /** The log from `offset` up to `end`, page by page. */
  async *events(id: string, offset: number, end = Number.POSITIVE_INFINITY): AsyncGenerator<StoredEvent, void> {
    while (offset < end) {
      const { events } = await this.list(id, { offset, limit: Math.min(pageSize, end - offset) });
      if (events.length === 0) return;
      yield* events;
      offset += events.length;
    }
  }

  async #asked<T>(work: () => Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`it did not answer within ${mostMs / 1000} s`)), mostMs);
    });
    try {
      return await Promise.race([work(), late]);
    } catch (error) {
      if (error instanceof SandboxAgentError) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new SandboxAgentError(`The store of sessions failed: ${why}`, { code: "persist_failed", cause: error });
    } finally {
      clearTimeout(timer);
    }
  }
}
