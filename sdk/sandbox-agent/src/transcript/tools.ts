// Tool calls that are going on: what is said about one is merged, under the id the agent gave it.
import type { EventWriter } from "./event_writer.js";
import type { ContentPart, ItemStatus, UniversalItem } from "./events.js";
import { completeItem, itemMeta, startItem } from "./items.js";
import { fieldsOf, known, listOf, textOf, type Fields } from "./json.js";
import { toolContentOf } from "./parts.js";
import { Recent } from "./recent.js";

const mostRemembered = 1024;

interface OpenTool {
  readonly callId: string;
  item: UniversalItem;
  title: string;
  name?: string | undefined;
  kind?: string | undefined;
  state?: string | undefined;
  input?: unknown;
  output?: unknown;
  locations?: unknown[] | undefined;
  shown: { text: string | undefined; parts: ContentPart[] };
  terminal: string; // what its terminal printed
  isRefused: boolean;
}

export class Tools {
  readonly #writer: EventWriter;
  readonly #open = new Map<string, OpenTool>();
  readonly #over = new Recent<{ item_id: string; status: ItemStatus }>(mostRemembered);
  #bornFinished: OpenTool | undefined;

  constructor(writer: EventWriter) {
    this.#writer = writer;
  }

  isOpen(callId: string): boolean {
    return this.#open.has(callId);
  }

  itemOf(callId: string | undefined): string | undefined {
    if (callId === undefined) return undefined;
    return this.#open.get(callId)?.item.item_id ?? this.#over.get(callId)?.item_id;
  }

  /** `isNew`: the agent says it is a new call, so it does not continue one that is over. */
  hear(callId: string, update: Fields, isNew: boolean, parent?: string): void {
    const tool = this.#open.get(callId);
    if (tool) this.#change(tool, update);
    else this.#begin(callId, update, isNew, parent);
  }

  /** What a permission request says of its tool. One that is over stays so. */
  hearOfRequest(callId: string, update: Fields): void {
    if (this.#open.has(callId) || !this.#over.get(callId)) this.hear(callId, { ...update, status: undefined }, false);
  }

  refused(callId: string | undefined): void {
    const tool = callId === undefined ? undefined : this.#open.get(callId);
    if (tool) tool.isRefused = true;
  }

  /** A call that was finished when it was first heard of is completed when something else follows: often its result does. */
  settle(nextCallId?: string): void {
    const tool = this.#bornFinished;
    if (!tool || tool.callId === nextCallId) return;
    this.#complete(tool, tool.state === "failed" ? "failed" : "completed", false);
  }

  /** Those that the user refused. */
  endRefused(): void {
    for (const tool of this.#open.values()) if (tool.isRefused) this.#complete(tool, "failed", true);
  }

  endAll(): void {
    this.settle();
    for (const tool of this.#open.values()) this.#complete(tool, tool.isRefused ? "failed" : "interrupted", true);
  }

  end(name: string, status: ItemStatus): boolean {
    const tool = this.#open.get(name) ?? [...this.#open.values()].find(({ item }) => item.item_id === name);
    if (tool) this.#complete(tool, status, false);
    return tool !== undefined;
  }

  #begin(callId: string, update: Fields, isNew: boolean, parent?: string): void {
    const past = isNew ? undefined : this.#over.get(callId);
    if (past && !saysMore(update, past.status)) return;
    const tool = {
      callId,
      title: "",
      shown: { text: undefined, parts: [] },
      terminal: "",
      isRefused: false,
    } as unknown as OpenTool;
    merge(tool, update);
    tool.item = startItem(this.#writer, {
      native_item_id: callId,
      parent_id: past?.item_id ?? parent,
      kind: "tool_call",
      role: "tool",
      content: partsOf(tool),
    });
    this.#open.set(callId, tool);
    if (isFinished(tool) && isNew) this.#bornFinished = tool;
    else if (isFinished(tool) || (past && tool.state === undefined)) this.#finish(tool, past?.status);
  }

  #change(tool: OpenTool, update: Fields): void {
    const before = { ...tool };
    const isMore = merge(tool, update);
    const { item_id } = tool.item;
    const write = (delta: string, content?: ContentPart[]) =>
      this.#writer.write(
        "item.delta",
        { item_id, native_item_id: tool.callId, delta, ...(content && { content }) },
        itemMeta(tool.item, "delta"),
      );
    if (isMore || before.state !== tool.state) write(grown(outputOf(before), outputOf(tool)), partsOf(tool));
    else if (before.terminal.length < tool.terminal.length && outputOf(tool) === tool.terminal) write(terminalOutput(update));
    if (isFinished(tool) && tool !== this.#bornFinished) this.#finish(tool);
  }

  #finish(tool: OpenTool, past?: ItemStatus): void {
    const status = tool.state === "failed" ? "failed" : tool.state === "completed" ? "completed" : (past ?? "completed");
    this.#complete(tool, status, false);
  }

  #complete(tool: OpenTool, status: ItemStatus, synthetic: boolean): void {
    this.#open.delete(tool.callId);
    if (this.#bornFinished === tool) this.#bornFinished = undefined;
    this.#over.set(tool.callId, { item_id: tool.item.item_id, status });
    completeItem(this.#writer, { ...tool.item, content: partsOf(tool), status }, synthetic);
  }
}

const isFinished = ({ state }: OpenTool) => state === "completed" || state === "failed";

/** Whether an update of a call that is over brings anything but the end that is known. */
function saysMore(update: Fields, status: ItemStatus): boolean {
  const said = ["title", "name", "kind", "content", "locations", "rawInput", "rawOutput"].some(
    (key) => (update[key] ?? null) !== null,
  );
  return said || terminalOutput(update) !== "" || (textOf(update["status"]) ?? status) !== status;
}

/** Takes over what the update says; what it leaves out stays. Answers whether it said anything but state and terminal output. */
function merge(tool: OpenTool, update: Fields): boolean {
  const [title, name, kind] = [textOf(update["title"]), textOf(update["name"]), textOf(update["kind"])];
  const [content, locations] = [listOf(update["content"]), listOf(update["locations"])];
  const { rawInput, rawOutput } = update;
  tool.title = title ?? tool.title;
  tool.name = name ?? tool.name;
  tool.kind = kind ?? tool.kind;
  tool.state = textOf(update["status"]) ?? tool.state;
  tool.locations = locations ?? tool.locations;
  tool.input = rawInput ?? tool.input;
  tool.output = rawOutput ?? tool.output;
  if (content) tool.shown = withFiles(toolContentOf(content), tool.shown);
  tool.terminal += terminalOutput(update);
  return [title, name, kind, content, locations, rawInput ?? undefined, rawOutput ?? undefined].some(
    (said) => said !== undefined,
  );
}

// Content replaces what was shown before. Only the diffs stay where it has none: some agents show them with the permission request only.
function withFiles(shown: OpenTool["shown"], before: OpenTool["shown"]): OpenTool["shown"] {
  const isFile = ({ type }: ContentPart) => type === "file_ref";
  return shown.parts.some(isFile) ? shown : { ...shown, parts: [...shown.parts, ...before.parts.filter(isFile)] };
}

// A widespread way to show what a command prints while it runs.
function terminalOutput(update: Fields): string {
  return textOf(fieldsOf(fieldsOf(update["_meta"])["terminal_output"])["data"]) ?? "";
}

function outputOf({ shown, output, terminal }: OpenTool): string {
  return shown.text ?? textOf(output) ?? terminal;
}

// The result is the last part: its text may grow.
function partsOf(tool: OpenTool): ContentPart[] {
  const { callId: call_id, title, name, kind: tool_kind, state, input, locations, shown } = tool;
  const parts: ContentPart[] = [known({ type: "tool_call", call_id, title, name, tool_kind, state, input, locations })];
  parts.push(...shown.parts);
  const output = outputOf(tool);
  const raw_output = tool.output === output ? undefined : tool.output;
  if (output !== "" || raw_output !== undefined) parts.push(known({ type: "tool_result", call_id, output, raw_output }));
  return parts;
}

const grown = (before: string, after: string) => (after.startsWith(before) ? after.slice(before.length) : "");
