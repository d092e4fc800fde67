// How items begin, change and end; withDelta() is what a reader does with a change.
import type { EventWriter } from "./event_writer.js";
import type { ContentPart, ItemDelta, ItemKind, ItemRole, ProductMeta, UniversalItem } from "./events.js";

interface Beginning {
  native_item_id?: string | undefined;
  parent_id?: string | undefined;
  kind: ItemKind;
  role: ItemRole;
  content?: ContentPart[];
}

export function itemMeta(item: UniversalItem, phase: "started" | "delta" | "completed"): Partial<ProductMeta> {
  const { item_id, native_item_id, parent_id, kind, role } = item;
  const meta: Partial<ProductMeta> = { phase, item_id, kind, role };
  if (native_item_id !== undefined) meta.native_item_id = native_item_id;
  if (parent_id !== undefined) meta.parent_id = parent_id;
  return meta;
}

export function startItem(
  writer: EventWriter,
  { native_item_id, parent_id, kind, role, content = [] }: Beginning,
): UniversalItem {
  const item: UniversalItem = {
    item_id: writer.nameItem(),
    ...(native_item_id !== undefined && { native_item_id }),
    ...(parent_id !== undefined && { parent_id }),
    kind,
    role,
    content,
    status: "in_progress",
  };
  writer.write("item.started", { item }, itemMeta(item, "started"));
  return item;
}

export function completeItem(writer: EventWriter, item: UniversalItem, synthetic = false): void {
  writer.write("item.completed", { item }, itemMeta(item, "completed"), synthetic);
}

/** An item that is whole from the beginning. */
export function wholeItem(writer: EventWriter, kind: ItemKind, role: ItemRole, content: ContentPart[]): void {
  const item = startItem(writer, { kind, role, content });
  completeItem(writer, { ...item, status: "completed" });
}

/** The item after a change. Nothing is changed in place. */
export function withDelta(item: UniversalItem, { delta, part, content }: ItemDelta): UniversalItem {
  if (content) return { ...item, content };
  if (part) return { ...item, content: [...item.content, part] };
  const last = item.content.at(-1);
  const before = item.content.slice(0, -1);
  if (last?.type === "tool_result") return { ...item, content: [...before, { ...last, output: last.output + delta }] };
  if (last?.type === "text" || last?.type === "reasoning")
    return { ...item, content: [...before, { ...last, text: last.text + delta }] };
  return { ...item, content: [...item.content, firstText(item, delta)] };
}

function firstText(item: UniversalItem, text: string): ContentPart {
  if (item.kind === "tool_call") return { type: "tool_result", call_id: item.native_item_id ?? "", output: text };
  return { type: item.kind === "reasoning" ? "reasoning" : "text", text };
}
