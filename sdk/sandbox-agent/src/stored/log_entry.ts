import type { StoredEvent } from "../persist/driver.js";

/** One message of a session, either way, as it is read from its log. */
export interface SessionLogEntry extends StoredEvent {
  /** `json`, parsed. */
  readonly message: unknown;
}

export interface SessionHistory {
  readonly events: SessionLogEntry[];
  /** How many the whole log has. */
  readonly total: number;
}

export interface LogOptions {
  /** Index of the first entry. Default: 0. */
  offset?: number | undefined;
  /** Goes on with what comes, until the signal is aborted or the session has ended. */
  follow?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

export function entryOf(event: StoredEvent): SessionLogEntry {
  return { ...event, message: JSON.parse(event.json) as unknown };
}
