// One connection to a SQLite database, with the tables of this package. Work is done in the order in which it was asked for, and tried
// again while others keep the database locked. The event loop goes on meanwhile.
import { InTurn } from "./in_turn.js";
import { closed } from "./refusals.js";
import { checkVersion, tablesVersion } from "./sql.js";
import type { SqliteDatabase, SqliteStatement } from "./sqlite_found.js";

export class SqliteConnection {
  readonly sessions: string;
  readonly events: string;
  readonly #version: string;
  readonly #database: SqliteDatabase;
  readonly #owned: boolean;
  readonly #busyTimeoutMs: number;
  readonly #statements = new Map<string, SqliteStatement>();
  readonly #line = new InTurn();
  #state: "new" | "ready" | "closed" = "new";

  /** @param owned whether its settings are ours to make, and whether close() closes it. */
  constructor(database: SqliteDatabase, prefix: string, { owned, busyTimeoutMs }: { owned: boolean; busyTimeoutMs: number }) {
    this.sessions = `${prefix}sessions`;
    this.events = `${prefix}events`;
    this.#version = `${prefix}version`;
    this.#database = database;
    this.#owned = owned;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  /** Work of one statement. */
  perform<T>(work: () => T): Promise<T> {
    return this.#line.run("", async () => {
      const begun = Date.now();
      for (let wait = 1; ; wait = Math.min(2 * wait, 16)) {
        try {
          if (this.#state === "closed") throw closed();
          this.#prepareTables();
          return work();
        } catch (error) {
          if (!isBusy(error) || Date.now() - begun >= this.#busyTimeoutMs) throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random())));
      }
    });
  }

  /** All of `work`, or nothing of it, with nothing of others in between. */
  write<T>(work: () => T): Promise<T> {
    return this.perform(() => this.#atomically("BEGIN IMMEDIATE", work));
  }

  /** All that `work` reads is of the same moment. */
  read<T>(work: () => T): Promise<T> {
    return this.perform(() => this.#atomically("BEGIN", work));
  }

  run(sql: string, ...words: (string | number)[]): void {
    this.#statement(sql).run(...words);
  }

  rows<Row>(sql: string, ...words: (string | number)[]): Row[] {
    return this.#statement(sql).all(...words) as Row[];
  }

  close(): Promise<void> {
    return this.#line.run("", async () => {
      this.#statements.clear();
      if (!this.#owned || this.#state === "closed") return;
      this.#state = "closed";
      this.#database.close();
    });
  }

  #statement(sql: string): SqliteStatement {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement;
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

  #prepareTables(): void {
    if (this.#state !== "new") return;
    if (this.#owned) this.#database.exec("PRAGMA busy_timeout = 2; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    if (this.#foundVersion() === undefined) this.#atomically("BEGIN IMMEDIATE", () => this.#makeTables());
    checkVersion(this.#foundVersion() ?? tablesVersion);
    this.#state = "ready";
  }

  #foundVersion(): number | undefined {
    const found = this.#database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").all(this.#version);
    if (found.length === 0) return undefined;
    return (this.#database.prepare(`SELECT version FROM ${this.#version}`).all() as { version: number }[])[0]?.version;
  }

  #makeTables(): void {
    const { sessions, events } = this;
    this.#database.exec(`
      CREATE TABLE IF NOT EXISTS ${sessions} (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, epoch INTEGER NOT NULL, last_event INTEGER NOT NULL,
        last_nth INTEGER NOT NULL, event_count INTEGER NOT NULL, created_at REAL NOT NULL, updated_at REAL NOT NULL,
        data TEXT NOT NULL);
      CREATE INDEX IF NOT EXISTS ${sessions}_by_age ON ${sessions} (created_at, id);
      CREATE TABLE IF NOT EXISTS ${events} (
        session INTEGER NOT NULL, idx INTEGER NOT NULL, epoch INTEGER NOT NULL, event_id INTEGER NOT NULL,
        nth INTEGER NOT NULL, sender TEXT NOT NULL, at REAL NOT NULL, json TEXT NOT NULL, PRIMARY KEY (session, idx));
      CREATE TABLE IF NOT EXISTS ${this.#version} (version INTEGER NOT NULL);
      INSERT INTO ${this.#version} SELECT ${tablesVersion} WHERE NOT EXISTS (SELECT 1 FROM ${this.#version});`);
  }
}

/** Each of the three says it in its own way. */
function isBusy(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return (
    (typeof code === "string" && code.startsWith("SQLITE_BUSY")) || (typeof errcode === "number" && (errcode & 0xff) === 5)
  );
}
