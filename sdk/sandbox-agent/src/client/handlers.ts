// What the agent may ask this side for, if the user of the package offers it. Everything that is not offered is refused at once.
import type {
  PermissionOption,
  QuestionAnswer,
  QuestionForm,
  ReadFileRequest,
  TerminalHandlers,
  ToolChange,
  WriteFileRequest,
} from "./protocol.js";

export interface PermissionRequest {
  readonly sessionId: string;
  /** What the agent wants to do. */
  readonly tool: ToolChange;
  readonly options: PermissionOption[];
}

/** One of the options, or null: no decision, the turn is to end. */
export type PermissionAnswer = { optionId: string } | null;

export interface QuestionRequest {
  readonly sessionId: string | undefined;
  readonly message: string;
  /** The question as the agent put it, with the form to fill in or the address to open. */
  readonly form: QuestionForm;
}

/**
 * `signal` is aborted when the agent withdraws its request or the connection ends; that of permissions and questions also when
 * somebody else has answered or the turn was cancelled.
 */
export interface Handlers {
  onPermission?(request: PermissionRequest, signal: AbortSignal): PermissionAnswer | Promise<PermissionAnswer>;
  onQuestion?(request: QuestionRequest, signal: AbortSignal): QuestionAnswer | Promise<QuestionAnswer>;
  /** The agent reads a file of this side instead of its own. */
  readTextFile?(request: ReadFileRequest, signal: AbortSignal): string | Promise<string>;
  writeTextFile?(request: WriteFileRequest, signal: AbortSignal): void | Promise<void>;
  terminal?: TerminalHandlers;
}
