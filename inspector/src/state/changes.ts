// The files a session changed, as its tool calls told: per file all edits in order, and what was done to it without saying how.
import type { UniversalItem } from "sandbox-agent/transcript";
import type { Conversation } from "./conversation.js";
import { fieldsOf, textOf } from "./json_rpc.js";

export interface Edit {
  readonly key: string;
  readonly turn: number | undefined;
  /** null: the file is new. */
  readonly oldText: string | null;
  readonly newText: string;
}

/** A tool that changes files and named this one, but not what it did to it. */
export interface Touch {
  readonly key: string;
  readonly turn: number | undefined;
  readonly how: "edited" | "deleted" | "moved";
}

export interface ChangedFile {
  readonly path: string;
  readonly edits: readonly Edit[];
  readonly touches: readonly Touch[];
}

const touching = new Map<string | undefined, Touch["how"]>([
  ["edit", "edited"],
  ["delete", "deleted"],
  ["move", "moved"],
]);

export function changedFiles({ blocks }: Pick<Conversation, "blocks">): ChangedFile[] {
  const files = new Map<string, { edits: Edit[]; touches: Touch[] }>();
  const fileAt = (path: string) => files.get(path) ?? files.set(path, { edits: [], touches: [] }).get(path)!;
  for (const block of blocks) {
    if (block.kind !== "tool" || block.item.status === "failed" || isOnlyAsked(block.item)) continue;
    const { key, turn, item } = block;
    const diffs = item.content.filter((part) => part.type === "file_ref");
    for (const { path, diff } of diffs) fileAt(path).edits.push(editOf(diff, key, turn));
    if (diffs.length > 0) continue;
    for (const { path, how } of touchesIn(item)) fileAt(path).touches.push({ key, turn, how });
  }
  return [...files].map(([path, changes]) => ({ path, ...changes }));
}

type Diff = Extract<UniversalItem["content"][number], { type: "file_ref" }>["diff"];

const edits = new WeakMap<Diff, Edit>();

// The same object for the same edit, however often it is asked for: who counts its lines does it once.
function editOf(diff: Diff, key: string, turn: number | undefined): Edit {
  const { old_text: oldText, new_text: newText } = diff;
  const known = edits.get(diff);
  if (known?.key === key && known.turn === turn && known.oldText === oldText && known.newText === newText) return known;
  const edit = { key, turn, oldText, newText };
  edits.set(diff, edit);
  return edit;
}

function touchesIn({ content: [call], status }: UniversalItem): { path: string; how: Touch["how"] }[] {
  const how = call?.type === "tool_call" ? touching.get(call.tool_kind) : undefined;
  if (call?.type !== "tool_call" || how === undefined || status !== "completed") return [];
  const paths = (call.locations ?? []).map((place) => textOf(fieldsOf(place)["path"]));
  return [...new Set(paths)].flatMap((path) => (path === undefined ? [] : [{ path, how }]));
}

/** The turns in which something was changed, in order. */
export function turnsOf(files: readonly ChangedFile[]): number[] {
  const turns = files.flatMap(({ edits, touches }) => [...edits, ...touches]).map(({ turn }) => turn);
  return [...new Set(turns.filter((turn) => turn !== undefined))].sort((a, b) => a - b);
}

/** Only what was changed in that turn; undefined: in all. */
export function filesOfTurn(files: readonly ChangedFile[], turn: number | undefined): readonly ChangedFile[] {
  if (turn === undefined) return files;
  const isOf = (change: { turn: number | undefined }) => change.turn === turn;
  return files
    .map(({ path, edits, touches }) => ({ path, edits: edits.filter(isOf), touches: touches.filter(isOf) }))
    .filter(({ edits, touches }) => edits.length + touches.length > 0);
}

// What waits for a permission, or waited in vain, has changed nothing.
function isOnlyAsked({ status, content: [call] }: UniversalItem): boolean {
  return status !== "completed" && call?.type === "tool_call" && call.state === "pending";
}
