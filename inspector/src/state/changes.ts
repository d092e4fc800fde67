// The files a session changed, as its tool calls told: per file all edits in order.
import type { UniversalItem } from "sandbox-agent/transcript";
import type { Conversation } from "./conversation.js";

export interface Edit {
  readonly key: string;
  readonly turn: number | undefined;
  readonly oldText: string | null;
  readonly newText: string;
}

export interface ChangedFile {
  readonly path: string;
  readonly edits: readonly Edit[];
}

export function changedFiles({ blocks }: Pick<Conversation, "blocks">): ChangedFile[] {
  const files = new Map<string, Edit[]>();
  for (const block of blocks) {
    if (block.kind !== "tool" || block.item.status === "failed" || isOnlyAsked(block.item)) continue;
    for (const part of block.item.content) {
      if (part.type !== "file_ref") continue;
      const edits = files.get(part.path) ?? [];
      edits.push({ key: block.key, turn: block.turn, oldText: part.diff.old_text, newText: part.diff.new_text });
      files.set(part.path, edits);
    }
  }
  return [...files].map(([path, edits]) => ({ path, edits }));
}

// What waits for a permission, or waited in vain, has changed nothing.
function isOnlyAsked({ status, content: [call] }: UniversalItem): boolean {
  return status !== "completed" && call?.type === "tool_call" && call.state === "pending";
}
