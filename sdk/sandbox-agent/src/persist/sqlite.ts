// Sessions in a SQLite database. Several processes may share its file.
import { SandboxAgentError } from "../error_classes.js";
import type { EventBatch, PageOfEvents, PageOfSessions, SessionChange, SessionPersistDriver } from "./driver.js";
import type { StoredEvent, StoredSession } from "./driver.js";
import { eventsPage, pageOfSessions, sessionsPage } from "./page.js";
import { appended, changed, copied, made } from "./record.js";
import { checkedName, defaultPrefix, keepable, keyOf, restOf, sessionColumns, sessionOf, type SessionRow } from "./sql.js";
import { SqliteConnection } from "./sqlite_connection.js";
import { findSqlite, type SqliteDatabase } from "./sqlite_found.js";

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
  #connection: SqliteConnection;

  /**
   * @param database stays the caller's, with its settings. Best with `PRAGMA journal_mode = WAL` and
   *   `PRAGMA synchronous = NORMAL`, as open() has them.
   */
  constructor(database: SqliteDatabase, options: SQLiteSessionPersistOptions = {}) {
    this.#connection = connectionTo(database, options, false);
  }

  /**
   * Opens a file, or makes it, with Node's own SQLite, better-sqlite3 or libsql: the first that is there. close() closes it. A
   * process that also opens the file itself must do so with the same one: two SQLite libraries in a process do not see each
   * other's locks.
   */
  static async open(filename: string, options: SQLiteSessionPersistOptions = {}): Promise<SQLiteSessionPersistDriver> {
    const Database = await findSqlite();
    let database: SqliteDatabase | undefined;
    try {
      database = new Database(filename);
      const driver = new SQLiteSessionPersistDriver(database, options);
      driver.#connection = connectionTo(database, options, true);
      await driver.#connection.perform(() => {});
      return driver;
    } catch (error) {
      database?.close();
      if (error instanceof SandboxAgentError) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new SandboxAgentError(`"${filename}" cannot be used as a SQLite database: ${why}`, {
        code: "persist_failed",
        hint: "Check that its folder exists and may be written to, and that the file is a database.",
        cause: error,
      });
    }
  }

  async getSession(id: string): Promise<StoredSession | undefined> {
    return this.#connection.perform(() => this.#session(id));
  }

  async listSessions(page?: { cursor?: string; limit?: number }): Promise<PageOfSessions> {
    const { limit, below } = sessionsPage(page);
    const where = below ? "WHERE (created_at, id) < (?, ?)" : "";
    const sql = `SELECT ${sessionColumns} FROM ${this.#connection.sessions} ${where} ORDER BY created_at DESC, id DESC LIMIT ?`;
    const words = below ? [below.createdAt, keyOf(below.id), limit + 1] : [limit + 1];
    const rows = await this.#connection.perform(() => this.#connection.rows<SessionRow>(sql, ...words));
    return pageOfSessions(rows.map(fromRow), limit);
  }

  async createSession(session: Omit<StoredSession, "eventCount">): Promise<StoredSession | undefined> {
    const record = made(session);
    const sql = `INSERT INTO ${this.#connection.sessions} (${sessionColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
    return this.#connection.write(() => {
      if (this.#session(session.id)) return undefined;
      this.#connection.run(sql, ...toRow(record));
      return record;
    });
  }

  async updateSession(id: string, change: SessionChange, ifEpoch?: number): Promise<StoredSession | undefined> {
    const sql = `UPDATE ${this.#connection.sessions} SET (${sessionColumns}) = (?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?`;
    return this.#connection.write(() => {
      const session = this.#session(id);
      if (!session || (ifEpoch !== undefined && session.epoch !== ifEpoch)) return undefined;
      const next = changed(session, change);
      this.#connection.run(sql, ...toRow(next), keyOf(id));
      return next;
    });
  }

  async deleteSession(id: string): Promise<void> {
    const { sessions, events } = this.#connection;
    return this.#connection.write(() => {
      this.#connection.run(`DELETE FROM ${events} WHERE session = (SELECT number FROM ${sessions} WHERE id = ?)`, keyOf(id));
      this.#connection.run(`DELETE FROM ${sessions} WHERE id = ?`, keyOf(id));
    });
  }

  async appendEvents(id: string, given: EventBatch): Promise<boolean> {
    const { sessions } = this.#connection;
    const batch = copied(given);
    const columns = "number, id, epoch, last_event, last_nth, event_count, created_at, updated_at";
    const sql = `UPDATE ${sessions} SET last_event = ?, last_nth = ?, event_count = ?, updated_at = ? WHERE number = ?`;
    return this.#connection.write(() => {
      const [row] = this.#connection.rows<SessionRow & { number: number }>(
        `SELECT ${columns} FROM ${sessions} WHERE id = ?`,
        keyOf(id),
      );
      if (!row || row.epoch !== batch.epoch) return false;
      const { fresh, position } = appended(sessionOf(row, {}), batch);
      this.#insert(row.number, fresh);
      const { last, eventCount, updatedAt } = position;
      this.#connection.run(sql, last.eventId, last.nth, eventCount, updatedAt, row.number);
      return true;
    });
  }

  async listEvents(id: string, page?: { offset?: number; limit?: number }): Promise<PageOfEvents> {
    const { offset, limit } = eventsPage(page);
    const { sessions, events } = this.#connection;
    const sql = `SELECT idx, epoch, event_id, nth, sender, at, json FROM ${events}
      WHERE session = ? AND idx >= ? AND idx < ? ORDER BY idx`;
    return this.#connection.read(() => {
      const [session] = this.#connection.rows<{ number: number; event_count: number }>(
        `SELECT number, event_count FROM ${sessions} WHERE id = ?`,
        keyOf(id),
      );
      if (!session) return { events: [], total: 0 };
      const found = this.#connection.rows<EventRow>(sql, session.number, offset, offset + limit);
      return { events: found.map(eventOf), total: session.event_count };
    });
  }

  /** A database that was handed in stays open. */
  async close(): Promise<void> {
    return this.#connection.close();
  }

  #session(id: string): StoredSession | undefined {
    const sql = `SELECT ${sessionColumns} FROM ${this.#connection.sessions} WHERE id = ?`;
    const [row] = this.#connection.rows<SessionRow>(sql, keyOf(id));
    return row && fromRow(row);
  }

  #insert(session: number, events: readonly StoredEvent[]): void {
    const rowOf = ({ index, epoch, eventId, nth, from, at, json }: StoredEvent) => {
      return [session, index, epoch, eventId, nth, from, at, keepable(json)];
    };
    const insert = (rows: StoredEvent[]) => {
      const sql = `INSERT INTO ${this.#connection.events} (session, idx, epoch, event_id, nth, sender, at, json)`;
      this.#connection.run(`${sql} VALUES ${values(rows.length)}`, ...rows.flatMap(rowOf));
    };
    const even = events.length - (events.length % rowsAtOnce);
    for (let at = 0; at < even; at += rowsAtOnce) insert(events.slice(at, at + rowsAtOnce));
    for (const event of events.slice(even)) insert([event]);
  }
}

function connectionTo(database: SqliteDatabase, options: SQLiteSessionPersistOptions, owned: boolean): SqliteConnection {
  const { tablePrefix = defaultPrefix, busyTimeoutMs = 10_000 } = options;
  return new SqliteConnection(database, checkedName("tablePrefix", tablePrefix), { owned, busyTimeoutMs });
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
