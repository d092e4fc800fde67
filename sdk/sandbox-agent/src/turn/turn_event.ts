// The events of a turn, and of a session. Every event has `raw`, the message it was made of, so that nothing is hidden; what this
// version of the package does not know is an event of type "raw".
import type { RawMessage } from "../client/events.js";
import type {
  ContentPart,
  PermissionOption,
  PlanEntry,
  QuestionAnswer,
  QuestionForm,
  SlashCommand,
  ToolContent,
  ToolKind,
  ToolLocation,
  ToolStatus,
} from "../client/protocol.js";
import type { SandboxAgentError } from "../errors.js";

interface Made {
  readonly raw: RawMessage;
}

/** A piece of the answer. */
export interface TextEvent extends Made {
  readonly type: "text";
  readonly text: string;
  readonly messageId?: string;
}

/** A piece of what the agent thinks. */
export interface ThoughtEvent extends Made {
  readonly type: "thought";
  readonly text: string;
}

/** A tool call as it is now; comes again whenever something of it changes. */
export interface ToolEvent extends Made {
  readonly type: "tool";
  readonly toolCallId: string;
  readonly title: string;
  readonly status: ToolStatus;
  readonly kind?: ToolKind;
  readonly content: ToolContent[];
  readonly locations: ToolLocation[];
  readonly input?: unknown;
  readonly output?: unknown;
}

/** The whole plan as it is now. */
export interface PlanEvent extends Made {
  readonly type: "plan";
  readonly entries: PlanEntry[];
}

/** The agent waits for a decision. The first answer counts; the promises resolve when the daemon has taken it. */
export interface PermissionEvent extends Made {
  readonly type: "permission";
  readonly title: string;
  readonly tool: {
    readonly toolCallId?: string;
    readonly title?: string | null;
    readonly kind?: ToolKind | null;
    readonly rawInput?: unknown;
  };
  readonly options: PermissionOption[];
  /** Nobody has answered yet, here or elsewhere. */
  readonly open: boolean;
  /** "always" takes the agent's offer for always if there is one, else "once". */
  allow(how?: "once" | "always"): Promise<void>;
  deny(how?: "once" | "always"): Promise<void>;
  /** One of `options`. */
  choose(optionId: string): Promise<void>;
}

/** The agent waits for an answer. */
export interface QuestionEvent extends Made {
  readonly type: "question";
  readonly message: string;
  readonly form: QuestionForm;
  readonly open: boolean;
  /** Fills in the form. */
  answer(content: Record<string, string | number | boolean | string[]>): Promise<void>;
  decline(): Promise<void>;
  /** The whole answer: accept with content, decline, or cancel. */
  respond(answer: QuestionAnswer): Promise<void>;
}

/** The session has another mode now. */
export interface ModeEvent extends Made {
  readonly type: "mode";
  readonly modeId: string;
}

/** The agent has these slash commands now. */
export interface CommandsEvent extends Made {
  readonly type: "commands";
  readonly commands: SlashCommand[];
}

/** How full the agent's context is, in tokens. */
export interface UsageEvent extends Made {
  readonly type: "usage";
  readonly used: number;
  readonly size: number;
  readonly cost?: { readonly amount: number; readonly currency: string };
}

/** Everything that has no type of its own: content that is not text, and messages this version does not know. */
export interface RawEvent extends Made {
  readonly type: "raw";
  /** The content, when it is some that is not text. */
  readonly content?: ContentPart;
}

/**
 * Something went wrong that does not end the turn: output of the agent that is no message ("unparsed_output"), or events that the
 * daemon had to drop ("events_lost"; `error.data` is the GapEvent, and `raw` has it in the place of a message).
 */
export interface ErrorEvent extends Made {
  readonly type: "error";
  readonly error: SandboxAgentError;
}

export type TurnEvent =
  | TextEvent
  | ThoughtEvent
  | ToolEvent
  | PlanEvent
  | PermissionEvent
  | QuestionEvent
  | ModeEvent
  | CommandsEvent
  | UsageEvent
  | RawEvent
  | ErrorEvent;

/** The daemon had to drop events before this reader got them. */
export interface GapEvent {
  readonly type: "gap";
  readonly from?: number;
  readonly to?: number;
  readonly reason?: string;
}

/** The agent's process has ended; nothing follows. */
export interface ExitedEvent extends Made {
  readonly type: "exited";
  readonly exitCode?: number;
  readonly signal?: string;
}

export type SessionEvent = TurnEvent | GapEvent | ExitedEvent;

export type TurnUsage = { used?: number; size?: number; cost?: { amount: number; currency: string }; [key: string]: unknown };
