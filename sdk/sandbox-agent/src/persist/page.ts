// What a caller of a list may ask for, checked; and cursors, which are the same for all drivers.
import { defaultPageLimit, type StoredSession } from "./driver.js";
import { invalid } from "./refusals.js";

/** Lists of sessions are sorted by both, the greatest first. */
export interface SessionKey {
  readonly createdAt: number;
  readonly id: string;
}

export interface SessionsPage {
  readonly limit: number;
  /** Only sessions with a smaller key. */
  readonly below?: SessionKey | undefined;
}

export interface EventsPage {
  readonly offset: number;
  readonly limit: number;
}

export function sessionsPage({ cursor, limit = defaultPageLimit }: { cursor?: string; limit?: number } = {}): SessionsPage {
  return { limit: checked("limit", limit, 1), below: cursor === undefined ? undefined : parseCursor(cursor) };
}

export function eventsPage({ offset = 0, limit = defaultPageLimit }: { offset?: number; limit?: number } = {}): EventsPage {
  return { offset: checked("offset", offset, 0), limit: checked("limit", limit, 1) };
}

/** One page of the sessions of which one more than `limit` were looked for. */
export function pageOfSessions(found: StoredSession[], limit: number): { sessions: StoredSession[]; nextCursor?: string } {
  const sessions = found.slice(0, limit);
  const last = sessions.at(-1);
  return found.length > limit && last ? { sessions, nextCursor: JSON.stringify([last.createdAt, last.id]) } : { sessions };
}

function parseCursor(cursor: string): SessionKey {
  try {
    const [createdAt, id] = JSON.parse(cursor) as [unknown, unknown];
    if (typeof createdAt === "number" && typeof id === "string") return { createdAt, id };
  } catch {
    // not ours
  }
  throw invalid("cursor: this is none that listSessions() gave.");
}

function checked(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw invalid(`${name}: ${value} is not a whole number from ${least} on.`);
}
