// Which SQLite there is: Node's own, or one of two packages that people install. They are looked for when they are needed, by names
// that bundlers do not follow.
import { SandboxAgentError } from "../error_classes.js";

/** An open database of node:sqlite, better-sqlite3 or libsql: what they have in common. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

export interface SqliteStatement {
  run(...values: (string | number)[]): unknown;
  all(...values: (string | number)[]): unknown[];
}

type SqliteClass = new (filename: string) => SqliteDatabase;

const places = [
  ["node:sqlite", "DatabaseSync"],
  ["better-sqlite3", "default"],
  ["libsql", "default"],
] as const;

export async function findSqlite(): Promise<SqliteClass> {
  const reasons: unknown[] = [];
  for (const [name, member] of places)
    try {
      const found = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as Record<string, SqliteClass>;
      const Database = found[member];
      if (!Database) throw new TypeError(`${name} has no ${member}.`);
      new Database(":memory:").close(); // some find out only now that they lack their native part
      return Database;
    } catch (reason) {
      reasons.push(reason);
    }
  throw new SandboxAgentError("There is no SQLite here.", {
    code: "persist_unsupported",
    hint: "Use Node 22.5 or newer, or install better-sqlite3 or libsql.",
    cause: new AggregateError(reasons),
  });
}
