// What a conversation is made of on the page, from top to bottom. A block is replaced, never changed: who has the same object shows the
// same thing.
import type { ContentPart, ItemStatus, PermissionOffer, QuestionOption, UniversalItem } from "sandbox-agent/transcript";

interface Common {
  readonly key: string;
  /** The message it began with, as the Trace names it. */
  readonly seq: string;
  /** The turn it belongs to: 1, 2, 3 …; undefined: outside of any. */
  readonly turn?: number;
}

export interface ItemBlock extends Common {
  readonly kind: "user" | "message" | "thought" | "tool" | "notice";
  readonly item: UniversalItem;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
}

/** How a request of the agent was closed, in words the page shows. */
export interface Closing {
  readonly status: "approved" | "approved_always" | "denied" | "cancelled" | "expired" | "unknown" | "answered" | "rejected";
  /** The option that was chosen. */
  readonly chosen?: string;
  /** What a question was answered with. */
  readonly said?: string;
}

export interface PermissionBlock extends Common {
  readonly kind: "permission";
  /** The id of the agent's request, to answer it. */
  readonly requestId: unknown;
  readonly action: string;
  readonly options: readonly PermissionOffer[];
  readonly tool?: UniversalItem;
  readonly shownAt: number | undefined;
  readonly closing?: Closing;
}

export interface QuestionBlock extends Common {
  readonly kind: "question";
  readonly requestId: unknown;
  readonly prompt: string;
  readonly method: string;
  readonly options: readonly QuestionOption[];
  readonly multiSelect: boolean;
  readonly schema?: unknown;
  readonly url?: string;
  readonly shownAt: number | undefined;
  readonly closing?: Closing;
}

export interface ErrorBlock extends Common {
  readonly kind: "error";
  readonly message: string;
  readonly code?: string;
  readonly details?: unknown;
  /** How often in a row. */
  readonly times: number;
  /** The agent wants a login: its methods. */
  readonly signIn?: boolean;
  /** Nothing is broken by it. */
  readonly isMild?: boolean;
}

export interface GapBlock extends Common {
  readonly kind: "gap";
  readonly from?: number;
  readonly to?: number;
  readonly reason?: string;
}

export interface ExitBlock extends Common {
  readonly kind: "exit";
  readonly exitCode?: number;
  readonly signal?: string;
  readonly message?: string; // why the daemon ended it
  readonly wasAsked: boolean;
}

export interface Turn {
  readonly number: number;
  readonly id: string;
  readonly phase: "running" | "ended" | "failed" | "interrupted";
  readonly stopReason?: string;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  /** What was asked, as it was sent. */
  readonly prompt: readonly unknown[];
  readonly seq: string;
  readonly tools: number;
  readonly tokens?: number;
}

export interface TurnBlock extends Common {
  readonly kind: "turn";
  readonly phase: Turn["phase"];
}

export type Block = ItemBlock | PermissionBlock | QuestionBlock | ErrorBlock | GapBlock | ExitBlock | TurnBlock;
export type Ask = PermissionBlock | QuestionBlock;

export type PlanEntries = Extract<ContentPart, { type: "plan" }>["entries"];

/** What a session is called that has no name yet. */
export const untitled = "New session";

/** All text of an item's parts of these types, joined. */
export function textIn(item: UniversalItem): string {
  return item.content.map((part) => (part.type === "text" || part.type === "reasoning" ? part.text : "")).join("");
}

/** In a word, for people. */
export function toolWord(status: ItemStatus, state: string | undefined): string {
  if (status === "in_progress") return state === "pending" ? "pending" : "running";
  return status === "completed" ? "done" : status;
}

/** Why a turn ended, in words. */
export function endWord({ phase, stopReason }: Pick<Turn, "phase" | "stopReason">): string {
  if (phase !== "ended") return phase;
  return stopWords.get(stopReason || "end_turn") ?? `ended: ${stopReason}`;
}

const stopWords = new Map([
  ["end_turn", "done"],
  ["cancelled", "cancelled"],
  ["max_tokens", "stopped: token limit"],
  ["max_turn_requests", "stopped: request limit"],
  ["refusal", "refused"],
]);
