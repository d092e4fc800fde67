// Sessions in the memory of this process: for tests, and for programs that only want session.history().
import {
  defaultPageLimit,
  isBehind,
  type EventBatch,
  type PageOfEvents,
  type PageOfSessions,
  type SessionChange,
  type SessionPersistDriver,
  type StoredEvent,
  type StoredSession,
} from "./driver.js";

export type * from "./driver.js";

interface Kept {
  session: StoredSession;
  events: StoredEvent[];
}

export class InMemorySessionPersistDriver implements SessionPersistDriver {
  readonly #kept = new Map<string, Kept>();

  async getSession(id: string): Promise<StoredSession | undefined> {
    return this.#kept.get(id)?.session;
  }

  async listSessions({ cursor, limit = defaultPageLimit }: { cursor?: string; limit?: number } = {}): Promise<PageOfSessions> {
    const all = [...this.#kept.values()].map(({ session }) => session).sort(newestFirst);
    const start = cursor === undefined ? 0 : all.findIndex((session) => keyOf(session) > cursor);
    const sessions = start < 0 ? [] : all.slice(start, start + limit);
    const last = sessions.at(-1);
    return { sessions, ...(last && last !== all.at(-1) ? { nextCursor: keyOf(last) } : {}) };
  }

  async createSession(session: Omit<StoredSession, "eventCount">): Promise<StoredSession | undefined> {
    if (this.#kept.has(session.id)) return undefined;
    const made = copied({ ...session, eventCount: 0 });
    this.#kept.set(session.id, { session: made, events: [] });
    return made;
  }

  async updateSession(id: string, change: SessionChange, ifEpoch?: number): Promise<StoredSession | undefined> {
    const kept = this.#kept.get(id);
    if (!kept || (ifEpoch !== undefined && kept.session.epoch !== ifEpoch)) return undefined;
    kept.session = copied({ ...kept.session, ...copied(change) });
    return kept.session;
  }

  async deleteSession(id: string): Promise<void> {
    this.#kept.delete(id);
  }

  async appendEvents(id: string, { epoch, events, upTo }: EventBatch): Promise<boolean> {
    const kept = this.#kept.get(id);
    if (!kept || kept.session.epoch !== epoch) return false;
    const { last } = kept.session;
    for (const event of events) if (isBehind(event, last)) kept.events.push({ ...event, epoch, index: kept.events.length });
    kept.session = {
      ...kept.session,
      last: isBehind(upTo, last) ? upTo : last,
      eventCount: kept.events.length,
      updatedAt: Math.max(kept.session.updatedAt, events.at(-1)?.at ?? 0),
    };
    return true;
  }

  async listEvents(
    id: string,
    { offset = 0, limit = defaultPageLimit }: { offset?: number; limit?: number } = {},
  ): Promise<PageOfEvents> {
    const events = this.#kept.get(id)?.events ?? [];
    return { events: events.slice(offset, offset + limit), total: events.length };
  }
}

// Nobody changes what is kept by changing what was given or got.
function copied<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

// Sorts as the list is sorted: the newest first, then by id.
function keyOf({ createdAt, id }: StoredSession): string {
  return `${String(Number.MAX_SAFE_INTEGER - createdAt).padStart(16, "0")} ${id}`;
}

function newestFirst(a: StoredSession, b: StoredSession): number {
  return keyOf(a) < keyOf(b) ? -1 : 1;
}
