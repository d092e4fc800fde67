// What the agent tells with `session/update`, and all items that are open.
import { productMeta, type EventWriter } from "./event_writer.js";
import type { ContentPart, ItemKind, ItemRole, ItemStatus, UniversalItem } from "./events.js";
import { completeItem, itemMeta, startItem, wholeItem } from "./items.js";
import { fieldsOf, isFields, known, textOf, wordOf, type Fields } from "./json.js";
import { Messages } from "./messages.js";
import { planOf, rawPart } from "./parts.js";
import { Tools } from "./tools.js";

const chunks: Record<string, [ItemKind, ItemRole]> = {
  user_message_chunk: ["message", "user"],
  agent_message_chunk: ["message", "assistant"],
  agent_thought_chunk: ["reasoning", "assistant"],
};

// What is told about the session besides the conversation: a label, and which member says it in a word.
const statuses: Record<string, [string, string]> = {
  current_mode_update: ["mode", "currentModeId"],
  available_commands_update: ["commands", ""],
  usage_update: ["usage", ""],
  session_info_update: ["session_info", "title"],
  config_option_update: ["config_options", ""],
  notice: ["notice", "title"],
  compaction_update: ["compaction", "status"],
};

export class Updates {
  readonly messages: Messages;
  readonly tools: Tools;
  readonly #writer: EventWriter;
  #plan: UniversalItem | undefined;

  constructor(writer: EventWriter) {
    this.#writer = writer;
    this.messages = new Messages(writer);
    this.tools = new Tools(writer);
  }

  hear(update: unknown, message: Fields): void {
    if (!isFields(update)) return this.unknown("session/update", message);
    const kind = textOf(update["sessionUpdate"]) ?? "";
    const isTool = kind === "tool_call" || kind === "tool_call_update";
    const callId = isTool ? wordOf(update["toolCallId"]) : undefined;
    this.tools.settle(callId);
    if (Object.hasOwn(chunks, kind)) this.#chunk(chunks[kind] as [ItemKind, ItemRole], update);
    else if (callId !== undefined) this.#tool(callId, update, kind === "tool_call");
    else if (kind === "plan") this.#planned(update);
    else if (Object.hasOwn(statuses, kind)) {
      const [label, detail] = statuses[kind] as [string, string];
      this.status(label, update, textOf(update[detail]));
    } else this.unknown(kind === "" ? "session/update" : kind, update);
  }

  status(label: string, data: unknown, detail?: string): void {
    wholeItem(this.#writer, "status", "system", [known({ type: "status", label, detail, data })]);
  }

  /** Something that has no form of its own. */
  unknown(label: string, data: unknown): void {
    wholeItem(this.#writer, "unknown", "system", [rawPart(label, data)]);
  }

  /** A tool call that waits for its result waits no longer. */
  settle(): void {
    this.tools.settle();
  }

  /** The agent's adapter says that an item is complete. */
  complete(params: Fields): boolean {
    const item = fieldsOf(params["item"]);
    const said = (key: string) => wordOf(params[key]) ?? wordOf(item[key]);
    const name = said("item_id") ?? said("native_item_id") ?? said("messageId") ?? said("toolCallId");
    const status: ItemStatus = said("status") === "failed" ? "failed" : "completed";
    return (name !== undefined && this.tools.end(name, status)) || this.messages.end(name, status);
  }

  /** The answer to a prompt: messages are complete. Tools may go on, unless the turn was cut off. */
  endTurn(isCut: boolean): void {
    this.tools.settle();
    this.endMessages(isCut ? "interrupted" : "completed");
    if (isCut) this.tools.endAll();
    else this.tools.endRefused();
  }

  endMessages(ofLast: ItemStatus): void {
    this.messages.endAll(ofLast);
    if (this.#plan) completeItem(this.#writer, { ...this.#plan, status: "completed" }, true);
    this.#plan = undefined;
  }

  endAll(ofLast: ItemStatus): void {
    this.tools.endAll();
    this.endMessages(ofLast);
  }

  #chunk([kind, role]: [ItemKind, ItemRole], update: Fields): void {
    // In a past that is told again, what a user said is a boundary, as a prompt is.
    const isPast = role === "user" && !this.#writer.turn;
    if (isPast && this.messages.begins(kind, role, update)) this.endAll("completed");
    this.messages.say(kind, role, update, parentOf(update));
  }

  #tool(callId: string, update: Fields, isNew: boolean): void {
    const { status } = update;
    if (!this.tools.isOpen(callId) || status === "completed" || status === "failed") this.messages.interrupt();
    this.tools.hear(callId, update, isNew, parentOf(update));
  }

  #planned(update: Fields): void {
    const content: ContentPart[] = [planOf(update["entries"])];
    if (!this.#plan) {
      this.messages.interrupt();
      this.#plan = startItem(this.#writer, { kind: "plan", role: "assistant", content });
      return;
    }
    this.#plan = { ...this.#plan, content };
    const data = { item_id: this.#plan.item_id, delta: "", content };
    this.#writer.write("item.delta", data, itemMeta(this.#plan, "delta"));
  }
}

const parentOf = (update: Fields) => wordOf(productMeta(update)["parent_id"]);
