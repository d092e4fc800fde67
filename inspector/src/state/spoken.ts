// What is said aloud of a conversation: whole sentences of the answer, and how a turn ended.
import { endWord, textIn } from "./blocks.js";
import type { Conversation } from "./conversation.js";

export function spokenOf({ blocks, turns }: Pick<Conversation, "blocks" | "turns">): string {
  const last = blocks.findLast(({ kind }) => kind === "message" || kind === "turn");
  if (last?.kind === "turn") return `Turn ${last.turn}: ${endWord(turns[(last.turn ?? 1) - 1] ?? { phase: last.phase })}.`;
  if (last?.kind !== "message") return "";
  const text = textIn(last.item).slice(-2_000);
  const end = Math.max(text.lastIndexOf(". "), text.lastIndexOf("! "), text.lastIndexOf("? "), text.lastIndexOf("\n"));
  if (end < 0) return "";
  const whole = text.slice(0, end + 1).trim();
  const begin = Math.max(whole.lastIndexOf(". "), whole.lastIndexOf("! "), whole.lastIndexOf("? "), whole.lastIndexOf("\n"));
  return whole.slice(begin + 1).trim();
}
