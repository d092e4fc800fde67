// Sessions in a browser's IndexedDB, shared by all tabs and workers of an origin. Each operation is one transaction; the browser
// lets those that write wait for each other, also across tabs.
import type { EventBatch, PageOfEvents, PageOfSessions, SessionChange, SessionPersistDriver } from "./driver.js";
import type { StoredEvent, StoredSession } from "./driver.js";
import { openDatabase } from "./indexeddb_open.js";
import { eventsPage, pageOfSessions, sessionsPage } from "./page.js";
import { closed } from "./refusals.js";
import { appended, changed, copied, made } from "./record.js";

export type * from "./driver.js";

export interface IndexedDbSessionPersistOptions {
  /** Default: "sandbox-agent". */
  databaseName?: string;
  /** Default: the one of the page or worker. */
  indexedDB?: IDBFactory;
}

interface Stores {
  readonly sessions: IDBObjectStore;
  readonly events: IDBObjectStore;
}

export class IndexedDbSessionPersistDriver implements SessionPersistDriver {
  readonly #name: string;
  readonly #factory: IDBFactory | undefined;
  #database: Promise<IDBDatabase> | undefined;
  #closed = false;

  constructor({ databaseName = "sandbox-agent", indexedDB = globalThis.indexedDB }: IndexedDbSessionPersistOptions = {}) {
    this.#name = databaseName;
    this.#factory = indexedDB;
  }

  async getSession(id: string): Promise<StoredSession | undefined> {
    return this.#transaction("readonly", ({ sessions }) => sessionIn(sessions, id));
  }

  async listSessions(page?: { cursor?: string; limit?: number }): Promise<PageOfSessions> {
    const { limit, below } = sessionsPage(page);
    const range = below && IDBKeyRange.upperBound([below.createdAt, below.id], true);
    const found = await this.#transaction("readonly", async ({ sessions }) => {
      const list: StoredSession[] = [];
      const request = sessions.index("byAge").openCursor(range, "prev");
      for (let at = await settled(request); at && list.length <= limit; at = await settled(request)) {
        list.push(at.value as StoredSession);
        at.continue();
      }
      return list;
    });
    return pageOfSessions(found, limit);
  }

  async createSession(session: Omit<StoredSession, "eventCount">): Promise<StoredSession | undefined> {
    const record = made(session);
    return this.#transaction("readwrite", async ({ sessions }) => {
      if (await sessionIn(sessions, session.id)) return undefined;
      sessions.add(record);
      return record;
    });
  }

  async updateSession(id: string, change: SessionChange, ifEpoch?: number): Promise<StoredSession | undefined> {
    return this.#transaction("readwrite", async ({ sessions }) => {
      const session = await sessionIn(sessions, id);
      if (!session || (ifEpoch !== undefined && session.epoch !== ifEpoch)) return undefined;
      const next = changed(session, change);
      sessions.put(next);
      return next;
    });
  }

  async deleteSession(id: string): Promise<void> {
    return this.#transaction("readwrite", async ({ sessions, events }) => {
      sessions.delete(id);
      events.delete(IDBKeyRange.bound([id], [id, []])); // an array is behind all numbers
    });
  }

  async appendEvents(id: string, given: EventBatch): Promise<boolean> {
    const batch = copied(given);
    return this.#transaction("readwrite", async ({ sessions, events }) => {
      const session = await sessionIn(sessions, id);
      if (session?.epoch !== batch.epoch) return false;
      const { fresh, position } = appended(session, batch);
      for (const event of fresh) events.add(event, [id, event.index]);
      sessions.put({ ...session, ...position });
      return true;
    });
  }

  async listEvents(id: string, page?: { offset?: number; limit?: number }): Promise<PageOfEvents> {
    const { offset, limit } = eventsPage(page);
    return this.#transaction("readonly", async ({ sessions, events }) => {
      const range = IDBKeyRange.bound([id, offset], [id, offset + limit], false, true);
      const [session, found] = await Promise.all([sessionIn(sessions, id), settled<StoredEvent[]>(events.getAll(range))]);
      return { events: found, total: session?.eventCount ?? 0 };
    });
  }

  /** Calls under way are finished; later ones are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    const database = this.#database;
    this.#database = undefined;
    (await database?.catch(() => undefined))?.close();
  }

  /**
   * All of `work`, or nothing of it. It waits for nothing but its own requests. "relaxed": done when the operating system has it. A
   * crash of the machine may cost the last moments; they are missing at the end, never in between, and restoring reads on there.
   */
  async #transaction<T>(mode: IDBTransactionMode, work: (stores: Stores) => Promise<T>): Promise<T> {
    const transaction = await this.#begin(mode);
    const complete = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new DOMException("The transaction was aborted.", "AbortError"));
    });
    const stores = { sessions: transaction.objectStore("sessions"), events: transaction.objectStore("events") };
    const worked = work(stores).catch((error: unknown) => {
      abort(transaction);
      throw error;
    });
    const [result] = await Promise.all([worked, complete]);
    return result;
  }

  /** A connection that turns out to be dead is opened again. */
  async #begin(mode: IDBTransactionMode): Promise<IDBTransaction> {
    for (let attempt = 1; ; ++attempt) {
      const opening = this.#open();
      const database = await opening;
      try {
        return database.transaction(["sessions", "events"], mode, { durability: "relaxed" });
      } catch (error) {
        this.#forget(opening);
        database.close();
        if (attempt === 2) throw error;
      }
    }
  }

  #open(): Promise<IDBDatabase> {
    if (this.#closed) throw closed();
    const opening = (this.#database ??= openDatabase(this.#factory, this.#name, () => this.#forget(opening)));
    opening.catch(() => this.#forget(opening));
    return opening;
  }

  /** The next call opens it again. */
  #forget(opening: Promise<IDBDatabase>): void {
    if (this.#database === opening) this.#database = undefined;
  }
}

async function sessionIn(sessions: IDBObjectStore, id: string): Promise<StoredSession | undefined> {
  return settled<StoredSession | undefined>(sessions.get(id));
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error as DOMException);
  });
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // it ended already
  }
}
