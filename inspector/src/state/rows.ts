// Blocks as rows of the screen: what the agent reads one after the other is one row.
import type { Block, ItemBlock, Turn } from "./blocks.js";
import type { Conversation } from "./conversation.js";

export type Row =
  | { readonly key: string; readonly turn: number | undefined; readonly block: Block; readonly turnState?: Turn }
  | { readonly key: string; readonly turn: number | undefined; readonly reads: readonly ItemBlock[] };

const fewestJoined = 3;

export function rowsOf({ blocks, turns }: Pick<Conversation, "blocks" | "turns">): Row[] {
  const rows: Row[] = [];
  let reads: ItemBlock[] = [];
  const flush = () => {
    const [first] = reads;
    if (first && reads.length >= fewestJoined) rows.push({ key: `reads-${first.key}`, turn: first.turn, reads });
    else for (const block of reads) rows.push({ key: block.key, turn: block.turn, block });
    reads = [];
  };
  for (const block of blocks) {
    if (isRead(block)) {
      reads.push(block);
      continue;
    }
    flush();
    const turnState = block.kind === "turn" ? turns[(block.turn ?? 0) - 1] : undefined;
    rows.push({ key: block.key, turn: block.turn, block, ...(turnState && { turnState }) });
  }
  flush();
  return rows;
}

// A read that is over, and has nothing to show but what it read.
function isRead(block: Block): block is ItemBlock {
  if (block.kind !== "tool" || block.item.status !== "completed") return false;
  const [call] = block.item.content;
  return call?.type === "tool_call" && call.tool_kind === "read" && !block.item.content.some(({ type }) => type === "file_ref");
}
