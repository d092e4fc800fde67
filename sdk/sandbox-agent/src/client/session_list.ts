// One list of sessions from two sources: what the agent remembers, and what this client knows.
import { metadataKey, type SessionMetadata, type SessionRecord, type SessionSummary } from "./session_records.js";

export interface SessionList {
  sessions: SessionSummary[];
  /** There are more: ask again with it as `cursor`. */
  nextCursor?: string;
}

interface Listed {
  sessionId: string;
  cwd: string;
  title?: string | null;
  updatedAt?: string | null;
  additionalDirectories?: string[];
  _meta?: Record<string, unknown> | null;
}

export type AgentsList = { sessions: Listed[]; nextCursor?: string | null } | undefined;

/** The agent's sessions with what this client knows of them; on the first page also those the agent does not name. */
export function mergedList(
  agent: string,
  own: SessionRecord[],
  agents: AgentsList,
  query: { cwd?: string; cursor?: string },
): SessionList {
  const known = new Map(own.map((record) => [record.sessionId, record]));
  const sessions = (agents?.sessions ?? []).map((listed) => {
    const record = known.get(listed.sessionId);
    known.delete(listed.sessionId);
    return merged(agent, listed, record);
  });
  for (const { cwd, summary } of query.cursor === undefined ? known.values() : [])
    if (cwd === (query.cwd ?? cwd)) sessions.push(summary);
  return { sessions, ...(agents?.nextCursor ? { nextCursor: agents.nextCursor } : {}) };
}

function merged(
  agent: string,
  { _meta, title: told, updatedAt, ...listed }: Listed,
  record: SessionRecord | undefined,
): SessionSummary {
  const title = record?.title ?? told;
  const when = updatedAt ?? record?.summary.updatedAt;
  const metadata: SessionMetadata = {
    ...(_meta?.[metadataKey] as SessionMetadata | undefined),
    ...(title ? { title } : {}),
    agent,
    ended: false,
    eventCount: 0,
    ...(when ? { createdAt: when, updatedAt: when } : {}),
    ...record?.metadata,
  };
  return { ...listed, ...(title ? { title } : {}), ...(when ? { updatedAt: when } : {}), metadata };
}
