// What is said aloud of a conversation: whole sentences of the answer, and how a turn ended.
import { endWord, textIn, type ItemBlock } from "./blocks.js";
import type { Conversation } from "./conversation.js";

const mostRead = 2_000; // of the end of an answer

export function spokenOf({ blocks, turns }: Pick<Conversation, "blocks" | "turns">): string {
  const last = blocks.findLast(({ kind }) => kind === "message" || kind === "turn");
  if (last?.kind === "message") {
    const text = endOf(last);
    return lastSentence(last.item.status === "in_progress" ? text.slice(0, wholeTo(text)) : text);
  }
  if (last?.kind !== "turn") return "";
  const said = blocks.findLast(({ kind, turn }) => kind === "message" && turn === last.turn);
  const ending = `Turn ${last.turn}: ${endWord(turns[(last.turn ?? 1) - 1] ?? { phase: last.phase })}.`;
  return said?.kind === "message" ? `${lastSentence(endOf(said))} ${ending}`.trim() : ending;
}

const endOf = ({ item }: ItemBlock) => textIn(item).slice(-mostRead);

// Behind the last sentence that is whole: something follows it.
const wholeTo = (text: string) =>
  1 + Math.max(text.lastIndexOf(". "), text.lastIndexOf("! "), text.lastIndexOf("? "), text.lastIndexOf("\n"));

function lastSentence(text: string): string {
  const sentences = text.trim();
  return sentences.slice(wholeTo(sentences)).trim();
}
