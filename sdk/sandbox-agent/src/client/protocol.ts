// The official SDK's types under the names this package uses for them.
import type {
  AuthMethod as OfficialAuthMethod,
  AvailableCommand,
  ContentBlock,
  CreateElicitationRequest,
  CreateElicitationResponse,
  CreateTerminalRequest,
  CreateTerminalResponse,
  InitializeResponse,
  KillTerminalRequest,
  McpServer,
  PermissionOption as OfficialPermissionOption,
  PlanEntry as OfficialPlanEntry,
  ReadTextFileRequest,
  ReleaseTerminalRequest,
  SessionConfigOption,
  SessionModeState,
  SessionUpdate as OfficialSessionUpdate,
  StopReason as OfficialStopReason,
  TerminalOutputRequest,
  TerminalOutputResponse,
  ToolCallContent,
  ToolCallLocation,
  ToolCallStatus,
  ToolCallUpdate,
  ToolKind as OfficialToolKind,
  WaitForTerminalExitRequest,
  WaitForTerminalExitResponse,
  WriteTextFileRequest,
} from "@agentclientprotocol/sdk";

/** A piece of a prompt or of an answer: text, image, audio, link to a resource, embedded resource. */
export type ContentPart = ContentBlock;
export type SessionUpdate = OfficialSessionUpdate;
export type StopReason = OfficialStopReason;
export type AgentDetails = InitializeResponse;
export type AuthMethod = OfficialAuthMethod;
export type SessionMcpServer = McpServer;
export type SessionModes = SessionModeState;
export type SessionOption = SessionConfigOption;
export type SlashCommand = AvailableCommand;
export type PlanEntry = OfficialPlanEntry;
export type ToolKind = OfficialToolKind;
export type ToolStatus = ToolCallStatus;
export type ToolContent = ToolCallContent;
export type ToolLocation = ToolCallLocation;
export type ToolChange = ToolCallUpdate;
export type PermissionOption = OfficialPermissionOption;
export type QuestionForm = CreateElicitationRequest;
export type QuestionAnswer = CreateElicitationResponse;
export type ReadFileRequest = ReadTextFileRequest;
export type WriteFileRequest = WriteTextFileRequest;

/** Commands the agent runs on this side. */
export interface TerminalHandlers {
  create(request: CreateTerminalRequest): Promise<CreateTerminalResponse> | CreateTerminalResponse;
  output(request: TerminalOutputRequest): Promise<TerminalOutputResponse> | TerminalOutputResponse;
  waitForExit(request: WaitForTerminalExitRequest): Promise<WaitForTerminalExitResponse> | WaitForTerminalExitResponse;
  kill(request: KillTerminalRequest): Promise<void> | void;
  release(request: ReleaseTerminalRequest): Promise<void> | void;
}
