// What the drivers of SQL databases share: names of tables, rows of sessions, text that every database keeps as it is, and the
// version of the tables.
import { SandboxAgentError } from "../error_classes.js";
import type { StoredSession } from "./driver.js";
import { invalid } from "./refusals.js";

export const tablesVersion = 1;

/** The columns of a session that the database works with. What else it has is in `data`. */
export interface SessionRow {
  id: string;
  epoch: number | string;
  last_event: number | string;
  last_nth: number | string;
  event_count: number | string;
  created_at: number | string;
  updated_at: number | string;
  data: string;
}

export const sessionColumns = "id, epoch, last_event, last_nth, event_count, created_at, updated_at, data";

/** Whole numbers of 64 bits come as text from some clients. */
export function sessionOf(row: SessionRow, rest: object): StoredSession {
  return {
    ...(rest as StoredSession),
    id: idOf(row.id),
    epoch: Number(row.epoch),
    last: { eventId: Number(row.last_event), nth: Number(row.last_nth) },
    eventCount: Number(row.event_count),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}

export function restOf<T extends Partial<StoredSession>>(session: T) {
  const { id, epoch, last, eventCount, createdAt, updatedAt, ...rest } = session;
  return rest;
}

/** Databases keep no NUL and no half of a surrogate pair: an id has them escaped there. Most ids are as they are. */
export function keyOf(id: string): string {
  return JSON.stringify(id).slice(1, -1);
}

function idOf(key: string): string {
  return JSON.parse(`"${key}"`) as string;
}

/** The same JSON in characters that every database keeps. */
export function keepable(json: string): string {
  return json.replace(/[\0\p{Surrogate}]/gu, (odd) => `\\u${odd.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export const defaultPrefix = "sandbox_agent_";

/** A name that needs no quotes in any database, and is short enough with what is added to it. */
export function checkedName(option: string, name: string): string {
  if (/^[a-z_][a-z0-9_]{0,39}$/.test(name)) return name;
  throw invalid(`${option}: "${name}" must have 1 to 40 of a-z, 0-9, _ and not begin with a digit.`);
}

export function checkVersion(version: number): void {
  if (version <= tablesVersion) return;
  throw new SandboxAgentError(
    "The sessions here were written by a newer sandbox-agent: " +
      `their tables have version ${version}, this one knows ${tablesVersion}.`,
    { code: "persist_too_new", hint: "Update the package sandbox-agent, or use another database or prefix." },
  );
}
