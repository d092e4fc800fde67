import type { AgentDetails } from "../client/protocol.js";
import type { SessionSnapshot } from "../client/session_records.js";

/** Where a session is and how far it was read. Plain data: it can be stored and given to SandboxAgent.attachSession(). */
export interface SessionHandle {
  agent: string;
  serverId: string;
  sessionId: string;
  cwd: string;
  /** The process `since` belongs to. */
  instanceId?: string;
  /** The number of the last event seen; of a running turn, the one before its first. */
  since?: number;
  /** The turn that runs. */
  turn?: string;
  /** What is known of the session and of its agent. */
  known?: SessionSnapshot;
  details?: AgentDetails;
}
