// The universal events: one form for what every agent says. These types are the one truth; docs/reference/transcript.schema.json is made
// from them by scripts/transcript-schema.

/** Who said it. "daemon": what is known of the agent's process. */
export type EventSource = "agent" | "client" | "daemon";

/** What all events have. */
export interface EventEnvelope {
  /** Made from the entry's place in the log: the same for everyone who reads that log. */
  event_id: string;
  /** 1, 2, 3 … without holes. */
  sequence: number;
  /**
   * When the entry was recorded; absent when the log does not tell.
   * @format date-time
   */
  time?: string;
  /** What the client calls the session. */
  session_id: string;
  /** What the agent calls the session, once it is known. */
  native_session_id?: string;
  source: EventSource;
  /** Nobody said it: it follows from what was said. */
  synthetic: boolean;
  /** The message the event was made from; only with the option `raw`. */
  raw?: unknown;
  _meta: EventMeta;
}

export interface EventMeta {
  traceparent?: string;
  tracestate?: string;
  baggage?: string;
  "sandboxagent.dev": ProductMeta;
}

/** What the message had under the same name is here too, such as `connectionId` and `requestedSessionId`. */
export interface ProductMeta {
  legacyEvent: LegacyEvent;
  /** The turn it belongs to. `late`: it came after the answer to the turn's prompt. */
  turn?: { turn_id: string; late?: boolean };
  phase?: "started" | "delta" | "completed" | "ended" | "failed" | "interrupted";
  item_id?: string;
  native_item_id?: string;
  parent_id?: string;
  kind?: ItemKind;
  role?: ItemRole;
  permission_id?: string;
  question_id?: string;
  /** The id of the agent's request, as it was on the wire. */
  request_id?: string | number | null;
  [key: string]: unknown;
}

export interface LegacyEvent {
  eventId: string;
  sequence: number;
  source: EventSource;
  synthetic: boolean;
  nativeSessionId?: string;
}

export type UniversalEvent =
  | SessionStartedEvent
  | SessionEndedEvent
  | TurnStartedEvent
  | TurnEndedEvent
  | ItemStartedEvent
  | ItemDeltaEvent
  | ItemCompletedEvent
  | ErrorEvent
  | PermissionRequestedEvent
  | PermissionResolvedEvent
  | QuestionRequestedEvent
  | QuestionResolvedEvent
  | AgentUnparsedEvent;

export type EventType = UniversalEvent["type"];

export interface SessionStartedEvent extends EventEnvelope {
  type: "session.started";
  data: SessionStarted;
}
export interface SessionEndedEvent extends EventEnvelope {
  type: "session.ended";
  data: SessionEnded;
}
export interface TurnStartedEvent extends EventEnvelope {
  type: "turn.started";
  data: TurnStarted;
}
export interface TurnEndedEvent extends EventEnvelope {
  type: "turn.ended";
  data: TurnEnded;
}
export interface ItemStartedEvent extends EventEnvelope {
  type: "item.started";
  data: { item: UniversalItem };
}
export interface ItemDeltaEvent extends EventEnvelope {
  type: "item.delta";
  data: ItemDelta;
}
/** The item as it is for good. */
export interface ItemCompletedEvent extends EventEnvelope {
  type: "item.completed";
  data: { item: UniversalItem };
}
export interface ErrorEvent extends EventEnvelope {
  type: "error";
  data: ErrorDetails;
}
export interface PermissionRequestedEvent extends EventEnvelope {
  type: "permission.requested";
  data: PermissionRequested;
}
export interface PermissionResolvedEvent extends EventEnvelope {
  type: "permission.resolved";
  data: PermissionResolved;
}
export interface QuestionRequestedEvent extends EventEnvelope {
  type: "question.requested";
  data: QuestionRequested;
}
export interface QuestionResolvedEvent extends EventEnvelope {
  type: "question.resolved";
  data: QuestionResolved;
}
export interface AgentUnparsedEvent extends EventEnvelope {
  type: "agent.unparsed";
  data: AgentUnparsed;
}

export interface SessionStarted {
  how: "new" | "loaded" | "resumed" | "forked" | "announced";
  agent?: string;
  /** What the agent offers, as it said it. */
  modes?: unknown;
  config_options?: unknown;
}

export interface SessionEnded {
  reason: "completed" | "error" | "terminated";
  terminated_by: "agent" | "daemon" | "user";
  message?: string;
  exit_code?: number;
  signal?: string;
}

export interface TurnStarted {
  turn_id: string;
  phase: "started";
}

export interface TurnEnded {
  turn_id: string;
  /** "failed": the prompt was answered with an error. "interrupted": it was never answered. */
  phase: "ended" | "failed" | "interrupted";
  /** The agent's word, such as "end_turn" or "cancelled". */
  stop_reason?: string;
  usage?: unknown;
}

export type ItemKind = "message" | "reasoning" | "tool_call" | "plan" | "system" | "status" | "unknown";
export type ItemRole = "user" | "assistant" | "tool" | "system";
/** "interrupted": it is over, and nobody said how. */
export type ItemStatus = "in_progress" | "completed" | "failed" | "interrupted";

export interface UniversalItem {
  item_id: string;
  /** The agent's name for it: the id of a message or of a tool call. */
  native_item_id?: string;
  /** The completed item that this one continues. */
  parent_id?: string;
  kind: ItemKind;
  role: ItemRole;
  content: ContentPart[];
  status: ItemStatus;
}

/** A change of an open item; withDelta() applies it. */
export interface ItemDelta {
  item_id: string;
  native_item_id?: string;
  /** Text to append to the item's last part; "" when the change is another one. */
  delta: string;
  /** A part to append. */
  part?: ContentPart;
  /** All parts from now on. `delta` is then the text that came to it, where it only grew. */
  content?: ContentPart[];
}

export type ContentPart =
  | TextPart
  | ReasoningPart
  | ToolCallPart
  | ToolResultPart
  | FileRefPart
  | TerminalPart
  | ImagePart
  | AudioPart
  | ResourcePart
  | PlanPart
  | StatusPart
  | RawPart;

export interface TextPart {
  type: "text";
  text: string;
}
export interface ReasoningPart {
  type: "reasoning";
  text: string;
}
export interface ToolCallPart {
  type: "tool_call";
  call_id: string;
  /** For people. */
  title: string;
  /** For programs, where the agent tells. */
  name?: string;
  /** The agent's class of the tool, such as "edit" or "execute". */
  tool_kind?: string;
  /** The agent's last word on it, such as "pending" or "in_progress". */
  state?: string;
  input?: unknown;
  locations?: unknown[];
}
export interface ToolResultPart {
  type: "tool_result";
  call_id: string;
  output: string;
  /** What the tool gave, where it is more than text. */
  raw_output?: unknown;
}
export interface FileRefPart {
  type: "file_ref";
  path: string;
  action: "create" | "update";
  diff: { old_text: string | null; new_text: string };
}
export interface TerminalPart {
  type: "terminal";
  terminal_id: string;
}
export interface ImagePart {
  type: "image";
  mime_type?: string;
  /** Base64. */
  data?: string;
  uri?: string;
}
export interface AudioPart {
  type: "audio";
  mime_type?: string;
  /** Base64. */
  data?: string;
}
/** A link, or with `text` or `data` the thing itself. */
export interface ResourcePart {
  type: "resource";
  uri: string;
  name?: string;
  title?: string;
  description?: string;
  mime_type?: string;
  size?: number;
  text?: string;
  /** Base64. */
  data?: string;
}
export interface PlanPart {
  type: "plan";
  entries: { content: string; priority?: string; status?: string }[];
}
export interface StatusPart {
  type: "status";
  /** What it is about: "mode", "commands", "usage", "session_info", "config_options", "notice", "compaction", or a method. */
  label: string;
  detail?: string;
  data: unknown;
}
/** Something that has no other form, as it came. `label`: its kind or method. */
export interface RawPart {
  type: "raw";
  label: string;
  data: unknown;
}

export interface ErrorDetails {
  message: string;
  /** A JSON-RPC code as text, or a word such as "events_lost". */
  code?: string;
  details?: unknown;
  /** The method of the request that failed. */
  method?: string;
}

export interface PermissionOffer {
  option_id: string;
  name: string;
  kind: string;
}

export interface PermissionRequested {
  permission_id: string;
  /** What the agent wants to do. */
  action: string;
  status: "requested";
  options: PermissionOffer[];
  /** The tool call it is about, and its item. */
  tool_call_id?: string;
  item_id?: string;
}

export interface PermissionResolved {
  permission_id: string;
  action: string;
  /** "cancelled": by the client or the agent. "expired": the agent is gone. "unknown": the option is none that was offered. */
  status: "approved" | "approved_always" | "denied" | "cancelled" | "expired" | "unknown";
  option_id?: string;
}

export interface QuestionOption {
  value: string;
  label: string;
  description?: string;
}

export interface QuestionRequested {
  question_id: string;
  prompt: string;
  status: "requested";
  options: QuestionOption[];
  /** Several options may be chosen. */
  multi_select: boolean;
  /** Which request it was: "elicitation/create", or the extension. */
  method: string;
  /** The form an elicitation asks for. */
  schema?: unknown;
  url?: string;
}

export interface QuestionResolved {
  question_id: string;
  prompt: string;
  status: "answered" | "rejected" | "cancelled" | "expired";
  /** What was answered: the content of a form, or the extension's answers. */
  response?: unknown;
}

export interface AgentUnparsed {
  error: string;
  /** Where it was found: "stdout", "message", "entry", or what the agent's adapter said. */
  location: string;
  /** FNV-1a, 64 bits, of the UTF-8 of the text, or of its JSON: to tell things apart, not to protect them. */
  raw_hash: string;
  /** The text, where there is one. */
  text?: string;
}
