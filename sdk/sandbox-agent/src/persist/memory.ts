// Sessions in the memory of this process: for tests, and for programs that only want session.history().
import type {
  EventBatch,
  PageOfEvents,
  PageOfSessions,
  SessionChange,
  SessionPersistDriver,
  StoredEvent,
  StoredSession,
} from "./driver.js";
import { eventsPage, pageOfSessions, sessionsPage, type SessionKey } from "./page.js";
import { appended, changed, made, plain } from "./record.js";

export type * from "./driver.js";

interface Kept {
  session: StoredSession;
  readonly events: StoredEvent[];
}

export class InMemorySessionPersistDriver implements SessionPersistDriver {
  readonly #kept = new Map<string, Kept>();

  async getSession(id: string): Promise<StoredSession | undefined> {
    const kept = this.#kept.get(id);
    return kept && plain(kept.session);
  }

  async listSessions(page?: { cursor?: string; limit?: number }): Promise<PageOfSessions> {
    const { limit, below } = sessionsPage(page);
    const all = [...this.#kept.values()]
      .map(({ session }) => session)
      .filter((session) => !below || compare(session, below) < 0);
    const found = all.sort((a, b) => compare(b, a)).slice(0, limit + 1);
    return pageOfSessions(plain(found), limit);
  }

  async createSession(session: Omit<StoredSession, "eventCount">): Promise<StoredSession | undefined> {
    if (this.#kept.has(session.id)) return undefined;
    const kept = { session: made(session), events: [] };
    this.#kept.set(session.id, kept);
    return plain(kept.session);
  }

  async updateSession(id: string, change: SessionChange, ifEpoch?: number): Promise<StoredSession | undefined> {
    const kept = this.#kept.get(id);
    if (!kept || (ifEpoch !== undefined && kept.session.epoch !== ifEpoch)) return undefined;
    kept.session = changed(kept.session, change);
    return plain(kept.session);
  }

  async deleteSession(id: string): Promise<void> {
    this.#kept.delete(id);
  }

  async appendEvents(id: string, batch: EventBatch): Promise<boolean> {
    const kept = this.#kept.get(id);
    if (!kept || kept.session.epoch !== batch.epoch) return false;
    const { fresh, position } = appended(kept.session, batch);
    for (const event of fresh) kept.events.push(Object.freeze(event));
    kept.session = { ...kept.session, ...position };
    return true;
  }

  async listEvents(id: string, page?: { offset?: number; limit?: number }): Promise<PageOfEvents> {
    const { offset, limit } = eventsPage(page);
    const events = this.#kept.get(id)?.events ?? [];
    return { events: events.slice(offset, offset + limit), total: events.length };
  }

  /** Nothing to give back. */
  async close(): Promise<void> {}
}

function compare(a: SessionKey, b: SessionKey): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
