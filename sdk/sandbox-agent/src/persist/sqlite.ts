// Sessions in a SQLite database. Several processes may share its file. Everything is done in short transactions, one after the other; when
// another process is writing, this one tries again later and does not keep the event loop waiting.
import type { EventBatch, PageOfEvents, PageOfSessions, SessionChange, SessionPersistDriver } from "./driver.js";
import type { StoredEvent, StoredSession } from "./driver.js";
import { InTurn } from "./in_turn.js";
import { eventsPage, pageOfSessions, sessionsPage } from "./page.js";
import { appended, changed, made } from "./record.js";
import {
  checkedName,
  checkVersion,
  defaultPrefix,
  keepable,
  keyOf,
  restOf,
  sessionColumns,
  sessionOf,
  tablesVersion,
} from "./sql.js";
import type { SessionRow } from "./sql.js";
import { findSqlite, type SqliteDatabase, type SqliteStatement } from "./sqlite_found.js";

export type * from "./driver.js";
export type { SqliteDatabase, SqliteStatement } from "./sqlite_found.js";

export interface SQLiteSessionPersistOptions {
  /** What the names of the tables begin with (default: "sandbox_agent_"). */
  tablePrefix?: string;
  /** How long to try while others keep the database locked (default: 10 s). */
  busyTimeoutMs?: number;
}

interface EventRow extends Omit<StoredEvent, "index" | "eventId" | "from"> {
  idx: number;
  event_id: number;
  sender: StoredEvent["from"];
}

const rowsAtOnce = 50; // in one INSERT: fewer calls into the database
const values = (rows: number) => Array(rows).fill("(?, ?, ?, ?, ?, ?, ?, ?)").join(", ");

export class SQLiteSessionPersistDriver implements SessionPersistDriver {
  readonly #database: SqliteDatabase;
  readonly #busyTimeoutMs: number;
  readonly #names: { sessions: string; events: string; version: string };
  readonly #statements = new Map<string, SqliteStatement>();
  readonly #line = new InTurn();
  #opened = false;
  #ready = false;

  /**
   * @param database stays the caller's, with its settings. Best with `PRAGMA journal_mode = WAL` and `PRAGMA synchronous = NORMAL`,
   *   as open() has them.
   */
  constructor(
    database: SqliteDatabase,
    { tablePrefix = defaultPrefix, busyTimeoutMs = 10_000 }: SQLiteSessionPersistOptions = {},
  ) {
    const prefix = checkedName("tablePrefix", tablePrefix);
    this.#names = { sessions: `${prefix}sessions`, events: `${prefix}events`, version: `${prefix}version` };
    this.#database = database;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  /** Opens a file, or makes it, with Node's own SQLite, better-sqlite3 or libsql: whichever is there. close() closes it. */
  static async open(filename: string, options?: SQLiteSessionPersistOptions): Promise<SQLiteSessionPersistDriver> {
    const Database = await findSqlite();
    const database = new Database(filename);
    try {
      const driver = new SQLiteSessionPersistDriver(database, options);
      driver.#opened = true;
      await driver.#perform(() => {});
      return driver;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  async getSession(id: string): Promise<StoredSession | undefined> {
    return this.#perform(() => this.#session(id));
  }

  async listSessions(page?: { cursor?: string; limit?: number }): Promise<PageOfSessions> {
    const { limit, below } = sessionsPage(page);
    const where = below ? "WHERE (created_at, id) < (?, ?)" : "";
    const sql = `SELECT ${sessionColumns} FROM ${this.#names.sessions} ${where} ORDER BY created_at DESC, id DESC LIMIT ?`;
    const words = below ? [below.createdAt, keyOf(below.id), limit + 1] : [limit + 1];
    const rows = await this.#perform(() => this.#rows<SessionRow>(sql, ...words));
    return pageOfSessions(rows.map(fromRow), limit);
  }

  async createSession(session: Omit<StoredSession, "eventCount">): Promise<StoredSession | undefined> {
    const record = made(session);
    const sql = `INSERT INTO ${this.#names.sessions} (${sessionColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
    return this.#transaction("BEGIN IMMEDIATE", () => {
      if (this.#session(session.id)) return undefined;
      this.#run(sql, ...toRow(record));
      return record;
    });
  }

  async updateSession(id: string, change: SessionChange, ifEpoch?: number): Promise<StoredSession | undefined> {
    const sql = `UPDATE ${this.#names.sessions} SET (${sessionColumns}) = (?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?`;
    return this.#transaction("BEGIN IMMEDIATE", () => {
      const session = this.#session(id);
      if (!session || (ifEpoch !== undefined && session.epoch !== ifEpoch)) return undefined;
      const next = changed(session, change);
      this.#run(sql, ...toRow(next), keyOf(id));
      return next;
    });
  }

  async deleteSession(id: string): Promise<void> {
    const { sessions, events } = this.#names;
    return this.#transaction("BEGIN IMMEDIATE", () => {
      this.#run(`DELETE FROM ${events} WHERE session = (SELECT number FROM ${sessions} WHERE id = ?)`, keyOf(id));
      this.#run(`DELETE FROM ${sessions} WHERE id = ?`, keyOf(id));
    });
  }

  async appendEvents(id: string, batch: EventBatch): Promise<boolean> {
    const { sessions } = this.#names;
    const sql = `UPDATE ${sessions} SET last_event = ?, last_nth = ?, event_count = ?, updated_at = ? WHERE number = ?`;
    return this.#transaction("BEGIN IMMEDIATE", () => {
      const [row] = this.#rows<SessionRow & { number: number }>(
        `SELECT number, id, epoch, last_event, last_nth, event_count, created_at, updated_at FROM ${sessions} WHERE id = ?`,
        keyOf(id),
      );
      if (!row || row.epoch !== batch.epoch) return false;
      const { fresh, position } = appended(sessionOf(row, {}), batch);
      this.#insert(row.number, fresh);
      const { last, eventCount, updatedAt } = position;
      this.#run(sql, last.eventId, last.nth, eventCount, updatedAt, row.number);
      return true;
    });
  }

  async listEvents(id: string, page?: { offset?: number; limit?: number }): Promise<PageOfEvents> {
    const { offset, limit } = eventsPage(page);
    const { sessions, events } = this.#names;
    const sql = `SELECT idx, epoch, event_id, nth, sender, at, json FROM ${events}
      WHERE session = ? AND idx >= ? AND idx < ? ORDER BY idx`;
    return this.#transaction("BEGIN", () => {
      const [session] = this.#rows<{ number: number; event_count: number }>(
        `SELECT number, event_count FROM ${sessions} WHERE id = ?`,
        keyOf(id),
      );
      if (!session) return { events: [], total: 0 };
      return {
        events: this.#rows<EventRow>(sql, session.number, offset, offset + limit).map(eventOf),
        total: session.event_count,
      };
    });
  }

  async close(): Promise<void> {
    await this.#line.run("", async () => {
      this.#statements.clear();
      if (!this.#opened) return;
      this.#opened = false;
      this.#database.close();
    });
  }

  #session(id: string): StoredSession | undefined {
    const [row] = this.#rows<SessionRow>(`SELECT ${sessionColumns} FROM ${this.#names.sessions} WHERE id = ?`, keyOf(id));
    return row && fromRow(row);
  }

  #insert(session: number, events: readonly StoredEvent[]): void {
    const rowOf = ({ index, epoch, eventId, nth, from, at, json }: StoredEvent) => {
      return [session, index, epoch, eventId, nth, from, at, keepable(json)];
    };
    const insert = (rows: StoredEvent[]) => {
      const sql = `INSERT INTO ${this.#names.events} (session, idx, epoch, event_id, nth, sender, at, json)`;
      this.#run(`${sql} VALUES ${values(rows.length)}`, ...rows.flatMap(rowOf));
    };
    const even = events.length - (events.length % rowsAtOnce);
    for (let at = 0; at < even; at += rowsAtOnce) insert(events.slice(at, at + rowsAtOnce));
    for (const event of events.slice(even)) insert([event]);
  }

  /** All of `work`, or nothing of it. */
  #transaction<T>(begin: string, work: () => T): Promise<T> {
    return this.#perform(() => this.#atomically(begin, work));
  }

  #atomically<T>(begin: string, work: () => T): T {
    this.#database.exec(begin);
    try {
      const result = work();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      try {
        this.#database.exec("ROLLBACK");
      } catch {
        // SQLite did it already
      }
      throw error;
    }
  }

  /** What was asked for first is done first, even if it has to be tried again. */
  #perform<T>(work: () => T): Promise<T> {
    return this.#line.run("", async () => {
      const begun = Date.now();
      for (let wait = 1; ; wait = Math.min(2 * wait, 16)) {
        try {
          this.#prepareTables();
          return work();
        } catch (error) {
          if (!isBusy(error) || Date.now() - begun >= this.#busyTimeoutMs) throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random())));
      }
    });
  }

  #prepareTables(): void {
    if (this.#ready) return;
    if (this.#opened)
      for (const setting of ["busy_timeout = 20", "journal_mode = WAL", "synchronous = NORMAL"])
        this.#database.prepare(`PRAGMA ${setting}`).all();
    if (this.#version() === undefined) this.#atomically("BEGIN IMMEDIATE", () => this.#makeTables());
    checkVersion(this.#version() ?? tablesVersion);
    this.#ready = true;
  }

  #version(): number | undefined {
    const { version } = this.#names;
    const found = this.#database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").all(version);
    if (found.length === 0) return undefined;
    return (this.#database.prepare(`SELECT version FROM ${version}`).all() as { version: number }[])[0]?.version;
  }

  #makeTables(): void {
    const { sessions, events, version } = this.#names;
    this.#database.exec(`
      CREATE TABLE IF NOT EXISTS ${sessions} (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, epoch INTEGER NOT NULL, last_event INTEGER NOT NULL,
        last_nth INTEGER NOT NULL, event_count INTEGER NOT NULL, created_at REAL NOT NULL, updated_at REAL NOT NULL,
        data TEXT NOT NULL);
      CREATE INDEX IF NOT EXISTS ${sessions}_by_age ON ${sessions} (created_at, id);
      CREATE TABLE IF NOT EXISTS ${events} (
        session INTEGER NOT NULL, idx INTEGER NOT NULL, epoch INTEGER NOT NULL, event_id INTEGER NOT NULL,
        nth INTEGER NOT NULL, sender TEXT NOT NULL, at REAL NOT NULL, json TEXT NOT NULL, PRIMARY KEY (session, idx));
      CREATE TABLE IF NOT EXISTS ${version} (version INTEGER NOT NULL);
      INSERT INTO ${version} SELECT ${tablesVersion} WHERE NOT EXISTS (SELECT 1 FROM ${version});`);
  }

  #run(sql: string, ...words: (string | number)[]): void {
    this.#statement(sql).run(...words);
  }

  #rows<Row>(sql: string, ...words: (string | number)[]): Row[] {
    return this.#statement(sql).all(...words) as Row[];
  }

  #statement(sql: string): SqliteStatement {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement;
  }
}

function toRow(session: StoredSession): (string | number)[] {
  const { id, epoch, last, eventCount, createdAt, updatedAt } = session;
  return [keyOf(id), epoch, last.eventId, last.nth, eventCount, createdAt, updatedAt, JSON.stringify(restOf(session))];
}

function fromRow(row: SessionRow): StoredSession {
  return sessionOf(row, JSON.parse(row.data) as object);
}

function eventOf({ idx, epoch, event_id, nth, sender, at, json }: EventRow): StoredEvent {
  return { index: idx, epoch, eventId: event_id, nth, from: sender, at, json };
}

/** Each of the three says it in its own way. */
function isBusy(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return (
    (typeof code === "string" && code.startsWith("SQLITE_BUSY")) || (typeof errcode === "number" && (errcode & 0xff) === 5)
  );
}
