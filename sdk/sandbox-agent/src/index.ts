export { SandboxAgent } from "./sandbox_agent.js";
export type * from "./sandbox_agent_options.js";
export { Daemon, type Instance } from "./daemon.js";
export { spawnSandboxAgent, type SandboxAgentSpawnOptions, type SpawnedSandboxAgent } from "#spawn";
export { Session, type PromptOptions } from "./session/session.js";
export type { EventsOptions } from "./session/session_events.js";
export type { SessionHandle } from "./session/session_handle.js";
export type { LogOptions, SessionHistory, SessionLogEntry } from "./stored/log_entry.js";
export type { Restored } from "./stored/session_keeper.js";
export type { RestoreSession } from "./stored/stored_sessions.js";
export type * from "./persist/driver.js";
export { isBehind } from "./persist/driver.js";
export { Turn, type FileChange, type TurnResult } from "./turn/turn.js";
export type * from "./turn/turn_event.js";
export {
  SandboxAgentClient,
  type KnownSession,
  type NewSession,
  type PromptAnswer,
  type SessionState,
} from "./client/sandbox_agent_client.js";
export type { ClientEvent, ClientListener, RawMessage } from "./client/events.js";
export type { Handlers, PermissionAnswer, PermissionRequest, QuestionRequest } from "./client/handlers.js";
export type { AttachPosition, SandboxAgentClientOptions } from "./client/options.js";
export type * from "./client/protocol.js";
export type { SessionList } from "./client/session_list.js";
export type { Model, SessionMetadata, SessionSnapshot, SessionSummary } from "./client/session_records.js";
export {
  Agents,
  type AgentArtifact,
  type AgentInfo,
  type AgentQuery,
  type InstallOptions,
  type InstallProgress,
  type InstallResult,
} from "./agents.js";
export * from "./files.js";
export * from "./mcp.js";
export * from "./skills.js";
export * from "./error_classes.js";
export type { CallOptions, DaemonOptions } from "./http/options.js";
export { version } from "./version.js";
