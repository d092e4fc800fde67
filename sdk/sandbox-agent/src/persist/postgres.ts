// Sessions in PostgreSQL. Every operation is one statement: a pool may give each to another connection, and it is a transaction all
// the same. A writer locks the row of its session first, so those of one session wait for each other.
import type { EventBatch, PageOfEvents, PageOfSessions, SessionChange, SessionPersistDriver } from "./driver.js";
import type { StoredEvent, StoredSession } from "./driver.js";
import { InTurn } from "./in_turn.js";
import { eventsPage, pageOfSessions, sessionsPage } from "./page.js";
import { invalid } from "./refusals.js";
import { plain } from "./record.js";
import { checkedName, checkVersion, defaultPrefix, keepable, keyOf, restOf, sessionOf, type SessionRow } from "./sql.js";
import { appendSql, makeTablesSql, tableNames, type TableNames } from "./postgres_sql.js";

export type * from "./driver.js";

/** A pool or a client of `pg`, or a PGlite. */
export interface PostgresQueryable {
  query(text: string, values?: unknown[]): PromiseLike<{ rows: unknown[] }>;
}

export interface PostgresSessionPersistOptions {
  /** The schema of the tables; it is made if it is missing (default: where the connection makes tables). */
  schema?: string;
  /** What the names of the tables begin with (default: "sandbox_agent_"). */
  tablePrefix?: string;
}

interface EventRow {
  total: number | string;
  idx: number | string | null;
  epoch: number | string;
  event_id: number | string;
  nth: number | string;
  sender: StoredEvent["from"];
  at: number | string;
  json: string;
}

const columns = "id, epoch, last_event, last_nth, event_count, created_at, updated_at, data::text AS data";

export class PostgresSessionPersistDriver implements SessionPersistDriver {
  readonly #database: PostgresQueryable;
  readonly #names: TableNames;
  readonly #isPool: boolean;
  readonly #queries = new InTurn();
  readonly #appends = new InTurn();
  #ready: Promise<void> | undefined;

  /** @param database stays the caller's: whoever opened it closes it. */
  constructor(database: PostgresQueryable, { schema, tablePrefix = defaultPrefix }: PostgresSessionPersistOptions = {}) {
    if (typeof (database as Partial<PostgresQueryable> | undefined)?.query !== "function")
      throw invalid("The database needs a query(): hand in a Pool or a Client of the package pg.");
    this.#database = database;
    this.#isPool = "totalCount" in database; // everything else gets one query at a time
    this.#names = tableNames(checkedName("tablePrefix", tablePrefix), schema && checkedName("schema", schema));
  }

  async getSession(id: string): Promise<StoredSession | undefined> {
    return this.#one(`SELECT ${columns} FROM ${this.#names.sessions} WHERE id = $1`, [keyOf(id)]);
  }

  async listSessions(page?: { cursor?: string; limit?: number }): Promise<PageOfSessions> {
    const { limit, below } = sessionsPage(page);
    const where = below ? "WHERE (created_at, id) < ($2::float8, $3)" : "";
    const rows = await this.#rows<SessionRow>(
      `SELECT ${columns} FROM ${this.#names.sessions} ${where} ORDER BY created_at DESC, id DESC LIMIT $1::bigint`,
      below ? [limit + 1, below.createdAt, keyOf(below.id)] : [limit + 1],
    );
    return pageOfSessions(rows.map(fromRow), limit);
  }

  async createSession(session: Omit<StoredSession, "eventCount">): Promise<StoredSession | undefined> {
    const { id, epoch, last, createdAt, updatedAt } = session;
    return this.#one(
      `INSERT INTO ${this.#names.sessions} (id, epoch, last_event, last_nth, event_count, created_at, updated_at, data)
       VALUES ($1, $2, $3, $4, 0, $5, $6, $7) ON CONFLICT (id) DO NOTHING RETURNING ${columns}`,
      [keyOf(id), epoch, last.eventId, last.nth, createdAt, updatedAt, fieldsOf(restOf(session))],
    );
  }

  async updateSession(id: string, change: SessionChange, ifEpoch?: number): Promise<StoredSession | undefined> {
    const { epoch, last, createdAt, updatedAt } = change;
    const rest = restOf<Partial<StoredSession>>(change);
    const removed = Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [name] : []));
    const numbers = [ifEpoch, epoch, last?.eventId, last?.nth, createdAt, updatedAt].map((number) => number ?? null);
    return this.#one(
      `UPDATE ${this.#names.sessions} SET epoch = coalesce($3::bigint, epoch),
         last_event = coalesce($4::bigint, last_event), last_nth = coalesce($5::bigint, last_nth),
         created_at = coalesce($6::float8, created_at), updated_at = coalesce($7::float8, updated_at),
         data = (data || $8::jsonb) - $9::text[]
       WHERE id = $1 AND epoch = coalesce($2::bigint, epoch) RETURNING ${columns}`,
      [keyOf(id), ...numbers, fieldsOf(rest), removed],
    );
  }

  async deleteSession(id: string): Promise<void> {
    await this.#rows(`DELETE FROM ${this.#names.sessions} WHERE id = $1`, [keyOf(id)]);
  }

  /** Those of one session are in the order of the calls, whatever connections they get. */
  async appendEvents(id: string, { epoch, events, upTo }: EventBatch): Promise<boolean> {
    const column = <T>(of: (event: EventBatch["events"][number]) => T) => events.map(of);
    const values = [
      ...[keyOf(id), epoch, upTo.eventId, upTo.nth, events.at(-1)?.at ?? null],
      ...[column(({ eventId }) => eventId), column(({ nth }) => nth), column(({ from }) => from), column(({ at }) => at)],
      column(({ json }) => keepable(json)),
    ];
    const rows = await this.#appends.run(id, () => this.#rows(appendSql(this.#names), values));
    return rows.length > 0;
  }

  async listEvents(id: string, page?: { offset?: number; limit?: number }): Promise<PageOfEvents> {
    const { offset, limit } = eventsPage(page);
    const { sessions, events } = this.#names;
    const rows = await this.#rows<EventRow>(
      `SELECT s.event_count AS total, e.idx, e.epoch, e.event_id, e.nth, e.sender, e.at, e.json
       FROM ${sessions} s LEFT JOIN ${events} e ON e.session = s.number AND e.idx >= $2::bigint AND e.idx < $3::bigint
       WHERE s.id = $1 ORDER BY e.idx`,
      [keyOf(id), offset, offset + limit],
    );
    return { events: rows.flatMap((row) => (row.idx === null ? [] : [eventOf(row)])), total: Number(rows[0]?.total ?? 0) };
  }

  /** Nothing to give back: whoever opened the database closes it. */
  async close(): Promise<void> {}

  async #one(text: string, values: unknown[]): Promise<StoredSession | undefined> {
    const [row] = await this.#rows<SessionRow>(text, values);
    return row && fromRow(row);
  }

  async #rows<Row>(text: string, values: unknown[]): Promise<Row[]> {
    this.#ready ??= this.#prepareTables();
    await this.#ready.catch((error: unknown) => {
      this.#ready = undefined; // the next call tries again
      throw error;
    });
    const { rows } = await this.#query(text, values);
    return rows as Row[];
  }

  async #query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    const query = async () => this.#database.query(text, values);
    return this.#isPool ? query() : this.#queries.run("", query);
  }

  async #prepareTables(): Promise<void> {
    for (let attempt = 1; !(await this.#hasTables()); ++attempt)
      await this.#query(makeTablesSql(this.#names)).catch((error: unknown) => {
        if (attempt === 3) throw error; // at first it may be that others made them, or the schema, at the same moment
      });
    const { rows } = await this.#query(`SELECT version FROM ${this.#names.version}`);
    for (const { version } of rows as { version: number }[]) checkVersion(version);
  }

  async #hasTables(): Promise<boolean> {
    const { rows } = await this.#query("SELECT to_regclass($1) IS NOT NULL AS found", [this.#names.version]);
    return (rows as { found: boolean }[])[0]?.found === true;
  }
}

/** Each field as its JSON text, in an object: so the database replaces fields and need not understand their values. */
function fieldsOf(rest: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(plain(rest)).map(([name, value]) => [name, JSON.stringify(value)])));
}

function fromRow(row: SessionRow): StoredSession {
  const fields = Object.entries(JSON.parse(row.data) as Record<string, string>);
  return sessionOf(row, Object.fromEntries(fields.map(([name, json]) => [name, JSON.parse(json) as unknown])));
}

function eventOf({ idx, epoch, event_id, nth, sender, at, json }: EventRow): StoredEvent {
  const [index, inEpoch, eventId] = [idx, epoch, event_id].map(Number) as [number, number, number];
  return { index, epoch: inEpoch, eventId, nth: Number(nth), from: sender, at: Number(at), json };
}
