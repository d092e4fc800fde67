// What a store of sessions must be able to do, and what it stores. A driver moves data and knows nothing of agents; whoever records or
// restores sessions knows nothing of databases.
import type { AgentDetails, SessionMcpServer } from "../client/protocol.js";
import type { SessionSnapshot } from "../client/session_records.js";

/**
 * A place in the stream of an agent's process: the number of a message of the agent, and behind it how many things came that have no
 * number (what clients sent). The message itself has `nth` 0.
 */
export interface EventPlace {
  readonly eventId: number;
  readonly nth: number;
}

/** One message of a session, either way. */
export interface NewEvent extends EventPlace {
  /** "daemon": its word that messages were lost. */
  readonly from: "agent" | "client" | "daemon";
  /** When it was recorded: milliseconds since 1970. */
  readonly at: number;
  /** The message as it was on the wire. */
  readonly json: string;
}

export interface StoredEvent extends NewEvent {
  /** Its place in the session's log: 0, 1, 2 … without holes. */
  readonly index: number;
  /** The part of the session's life it belongs to, see StoredSession. */
  readonly epoch: number;
}

/** Messages in the order of the stream. */
export interface EventBatch {
  readonly epoch: number;
  readonly events: readonly NewEvent[];
  /** How far the stream was read: at the last event or behind it. */
  readonly upTo: EventPlace;
}

/** What is kept of a session besides its log. Plain data. */
export interface StoredSession {
  readonly id: string;
  readonly agent: string;
  /** Absolute, on the daemon's machine. */
  readonly cwd: string;
  /** Counts the processes the session has lived in. Places of events are comparable within one epoch only. */
  readonly epoch: number;
  /** The daemon it was last on. */
  readonly baseUrl: string;
  /** The agent's process: its name on the daemon, and which of that name; empty while it is being started. */
  readonly serverId: string;
  readonly instanceId: string;
  /** The name of the process, if the caller chose it: it is started anew under the same. */
  readonly chosenServerId?: string | undefined;
  /** What the agent calls the session. */
  readonly agentSessionId?: string | undefined;
  /** How far the stream of this epoch is in the log. */
  readonly last: EventPlace;
  /** How many events the log has. */
  readonly eventCount: number;
  /** "moving": a client is about to take it into another process. */
  readonly state: "ready" | "moving";
  /** The turn that may run: the id of its request. */
  readonly turn?: { readonly id: string; readonly epoch: number } | undefined;
  /** Everything in the log before this index is answered. */
  readonly answeredTo?: number | undefined;
  /** The agent does not know the session's past yet: the next prompt has to tell it. */
  readonly untold?: boolean | undefined;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** What the session was made with, and what is known of it and of its agent. */
  readonly mcpServers?: SessionMcpServer[] | undefined;
  readonly additionalDirectories?: string[] | undefined;
  readonly known?: SessionSnapshot | undefined;
  readonly details?: AgentDetails | undefined;
}

/** Fields to replace, or, where undefined, to remove; those that are not named stay. `eventCount` is the driver's own. */
export type SessionChange = Partial<Omit<StoredSession, "id" | "eventCount">>;

export interface PageOfSessions {
  readonly sessions: StoredSession[];
  /** There are more: ask again with it as `cursor`. */
  readonly nextCursor?: string | undefined;
}

export interface PageOfEvents {
  readonly events: StoredEvent[];
  /** How many the whole log has. */
  readonly total: number;
}

/**
 * A store of sessions and their logs. Several clients may use one store at a time, also from several processes: each call is one
 * transaction. A call that fails rejects with the store's own error and has changed nothing.
 */
export interface SessionPersistDriver {
  getSession(id: string): Promise<StoredSession | undefined>;
  /** The newest first, by `createdAt`. At most `limit` at a time (default: 100). */
  listSessions(page?: { cursor?: string; limit?: number }): Promise<PageOfSessions>;
  /** Makes a session; undefined, and nothing changed, when there is one with this id. Its log is empty. */
  createSession(session: Omit<StoredSession, "eventCount">): Promise<StoredSession | undefined>;
  /**
   * Replaces fields of a session that exists. With `ifEpoch` only while its epoch is that one. Resolves to the session as it is now,
   * or to undefined when nothing was changed.
   */
  updateSession(id: string, change: SessionChange, ifEpoch?: number): Promise<StoredSession | undefined>;
  /** Forgets the session and its log. */
  deleteSession(id: string): Promise<void>;
  /**
   * Appends those events whose place is behind the session's `last`, and moves `last` to `upTo` unless it is further already; so
   * several clients may record the same session. `updatedAt` becomes the time of the last event. False, and nothing stored, when there is no such session or its epoch is another.
   */
  appendEvents(id: string, batch: EventBatch): Promise<boolean>;
  /** The log from index `offset` (default: 0), at most `limit` (default: 100) events. Without a session: an empty log. */
  listEvents(id: string, page?: { offset?: number; limit?: number }): Promise<PageOfEvents>;
  /** Gives back what the driver opened itself. */
  close?(): Promise<void>;
}

export const defaultPageLimit = 100;

/** Whether place `a` lies behind place `b`. */
export function isBehind(a: EventPlace, b: EventPlace): boolean {
  return a.eventId === b.eventId ? a.nth > b.nth : a.eventId > b.eventId;
}
