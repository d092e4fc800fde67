// Blocks as rows of the screen: what the agent reads one after the other is one row.
import type { Block, ItemBlock, Turn } from "./blocks.js";
import type { Conversation } from "./conversation.js";

export type Row =
  | { readonly key: string; readonly turn: number | undefined; readonly block: Block; readonly turnState?: Turn }
  | { readonly key: string; readonly turn: number | undefined; readonly reads: readonly ItemBlock[] }
  /** So many blocks were before, and are not kept. */
  | { readonly key: string; readonly turn: undefined; readonly forgotten: number };

const fewestJoined = 3;

type Source = Pick<Conversation, "blocks" | "turns" | "forgotten">;

/** The rows of a conversation that grows. What did not change is not made anew: a long one has tens of thousands. */
export class RowList {
  readonly rows: Row[] = [];
  #blocks: readonly Block[] = [];
  #rowOf: number[] = []; // for each block, the row it is in
  #forgotten = 0;

  update(source: Source): readonly Row[] {
    const { blocks, forgotten } = source;
    if (forgotten !== this.#forgotten) {
      this.#forgotten = forgotten;
      this.#cut(0);
    } else {
      this.#cut(this.#firstChange(source));
    }
    for (let at = this.#rowOf.length; at < blocks.length;) at = this.#add(source, at);
    this.#blocks = blocks.slice();
    return this.rows;
  }

  #firstChange({ blocks, turns }: Source): number {
    let at = 0;
    while (at < this.#blocks.length && blocks[at] === this.#blocks[at] && !this.#hasOtherTurn(at, turns)) ++at;
    while (at > 0 && isRead(blocks[at - 1]!)) --at; // more of them may be one row now
    return at;
  }

  #hasOtherTurn(at: number, turns: readonly Turn[]): boolean {
    const block = this.#blocks[at]!;
    if (block.kind !== "turn") return false;
    const row = this.rows[this.#rowOf[at]!]!;
    return "block" in row && row.turnState !== turns[(block.turn ?? 0) - 1];
  }

  // Drops the rows of this block and of those behind it.
  #cut(at: number): void {
    if (at >= this.#rowOf.length && at > 0) return;
    this.rows.length = at === 0 ? 0 : this.#rowOf[at]!;
    if (at === 0 && this.#forgotten > 0) this.rows.push({ key: "forgotten", turn: undefined, forgotten: this.#forgotten });
    this.#rowOf.length = at;
  }

  // The row of a block, or of the reads that begin with it; the place behind.
  #add({ blocks, turns }: Source, at: number): number {
    const block = blocks[at]!;
    let end = at;
    while (end < blocks.length && isRead(blocks[end]!)) ++end;
    if (end - at >= fewestJoined) {
      for (let each = at; each < end; ++each) this.#rowOf.push(this.rows.length);
      this.rows.push({ key: `reads-${block.key}`, turn: block.turn, reads: blocks.slice(at, end) as ItemBlock[] });
      return end;
    }
    const turnState = block.kind === "turn" ? turns[(block.turn ?? 0) - 1] : undefined;
    this.#rowOf.push(this.rows.length);
    this.rows.push({ key: block.key, turn: block.turn, block, ...(turnState && { turnState }) });
    return at + 1;
  }
}

// A read that is over, and has nothing to show but what it read.
function isRead(block: Block): block is ItemBlock {
  if (block.kind !== "tool" || block.item.status !== "completed") return false;
  const [call] = block.item.content;
  return call?.type === "tool_call" && call.tool_kind === "read" && !block.item.content.some(({ type }) => type === "file_ref");
}
