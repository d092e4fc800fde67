// `sandbox-agent/transcript`: what a session said, in one form for all agents; and requests of that form as messages of the protocol.
export type { TranscriptEntry } from "./entry.js";
export type * from "./events.js";
export { withDelta } from "./items.js";
export { toTranscript, transcriptOf } from "./read.js";
export { Transcript, type TranscriptOptions } from "./transcript.js";
export { promptMessage, promptOf, terminateMessages, type Attachment, type MessageRequest } from "./message_request.js";
export {
  permissionResponse,
  questionRejection,
  questionResponse,
  type AgentQuestion,
  type PermissionReply,
  type ProtocolAnswer,
  type QuestionAnswers,
} from "./replies.js";
export {
  createSessionMessages,
  mcpServersOf,
  newSessionMessage,
  sessionSettings,
  type CreateSessionRequest,
  type Environment,
  type LocalMcpServer,
  type McpServerEntry,
  type ProtocolMessage,
  type RemoteMcpServer,
  type SessionOffers,
} from "./session_request.js";
