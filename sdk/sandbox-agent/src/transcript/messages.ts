// Messages and thoughts that are being said. Chunks with a message id belong to the message of that id, however they are mixed with others;
// chunks without one to the message before them, until something else follows.
import type { EventWriter } from "./event_writer.js";
import type { ContentPart, ItemDelta, ItemKind, ItemRole, ItemStatus, ProductMeta, UniversalItem } from "./events.js";
import { completeItem, itemMeta, startItem } from "./items.js";
import { wordOf } from "./json.js";
import { partOf } from "./parts.js";
import { Recent } from "./recent.js";

const mostOpen = 16; // the one that was silent longest is completed when there are more
const mostRemembered = 256;

interface OpenMessage {
  readonly key: string;
  readonly isNamed: boolean;
  readonly item: UniversalItem; // as it began: no content
  readonly deltaMeta: Partial<ProductMeta>;
  readonly parts: ContentPart[];
  text: string; // of the last part, which is not in `parts` yet
}

export class Messages {
  readonly #writer: EventWriter;
  readonly #open = new Map<string, OpenMessage>(); // the one that spoke last is the last
  readonly #over = new Recent<string>(mostRemembered); // names of messages that may still be continued
  #last: OpenMessage | undefined;
  #continued: { key: string; item_id: string } | undefined; // without a name, cut off by the end of its turn

  constructor(writer: EventWriter) {
    this.#writer = writer;
  }

  /** Whether this chunk begins a message. */
  begins(kind: ItemKind, role: ItemRole, chunk: { content?: unknown; messageId?: unknown }): boolean {
    return !isEmpty(partOf(chunk.content)) && !this.#open.has(keyOf(kind, role, wordOf(chunk.messageId)));
  }

  say(kind: ItemKind, role: ItemRole, chunk: { content?: unknown; messageId?: unknown }, parent?: string): void {
    const part = partOf(chunk.content);
    if (isEmpty(part)) return;
    const messageId = wordOf(chunk.messageId);
    const key = keyOf(kind, role, messageId);
    let message = this.#last?.key === key ? this.#last : this.#open.get(key);
    if (!message) message = this.#begin(key, kind, role, messageId, parent);
    else if (message !== this.#last) this.#touch(message);
    this.#append(message, part);
  }

  /** Something else follows: a message without an id is over. */
  interrupt(): void {
    this.#continued = undefined;
    for (const message of this.#open.values()) if (!message.isNamed) this.#complete(message, "completed");
  }

  /** A turn is over. The message that spoke last is the one that may have been cut off. */
  endAll(ofLast: ItemStatus = "completed"): void {
    const last = this.#last;
    for (const message of this.#open.values()) {
      this.#complete(message, message === last ? ofLast : "completed");
      if (!message.isNamed) this.#continued = { key: message.key, item_id: message.item.item_id };
    }
  }

  /** The next turn begins: what comes without an id is a new message. */
  forget(): void {
    this.#continued = undefined;
  }

  /** Completes the message that has this name, the agent's or ours; without one, those without. */
  end(name: string | undefined, status: ItemStatus): boolean {
    const isMeant = ({ item, isNamed }: OpenMessage) =>
      name === undefined ? !isNamed : item.item_id === name || item.native_item_id === name;
    const meant = [...this.#open.values()].filter(isMeant);
    for (const message of meant) this.#complete(message, status, false);
    return meant.length > 0;
  }

  #begin(key: string, kind: ItemKind, role: ItemRole, messageId: string | undefined, parent?: string): OpenMessage {
    const isNamed = messageId !== undefined;
    const continued = isNamed ? this.#over.get(key) : this.#continued?.key === key ? this.#continued.item_id : undefined;
    this.interrupt();
    if (this.#open.size >= mostOpen) this.#complete(this.#open.values().next().value as OpenMessage, "completed");
    const item = startItem(this.#writer, { native_item_id: messageId, parent_id: continued ?? parent, kind, role });
    const message = { key, isNamed, item, deltaMeta: itemMeta(item, "delta"), parts: [], text: "" };
    this.#open.set(key, message);
    this.#last = message;
    return message;
  }

  #touch(message: OpenMessage): void {
    if (message.isNamed) this.interrupt();
    this.#open.delete(message.key);
    this.#open.set(message.key, message);
    this.#last = message;
  }

  #append(message: OpenMessage, part: ContentPart): void {
    const { item_id, native_item_id } = message.item;
    const delta = part.type === "text" ? part.text : "";
    const data: ItemDelta = native_item_id === undefined ? { item_id, delta } : { item_id, native_item_id, delta };
    if (part.type === "text") {
      message.text += delta;
    } else {
      settleText(message);
      message.parts.push(part);
      data.part = part;
    }
    this.#writer.write("item.delta", data, message.deltaMeta);
  }

  #complete(message: OpenMessage, status: ItemStatus, synthetic = true): void {
    this.#open.delete(message.key);
    if (this.#last === message) this.#last = undefined;
    if (message.isNamed) this.#over.set(message.key, message.item.item_id);
    settleText(message);
    completeItem(this.#writer, { ...message.item, content: message.parts, status }, synthetic);
  }
}

const keyOf = (kind: ItemKind, role: ItemRole, messageId: string | undefined) =>
  messageId === undefined ? `${kind} ${role}` : `${kind} ${role} ${messageId}`;

const isEmpty = (part: ContentPart) => part.type === "text" && part.text === "";

function settleText(message: OpenMessage): void {
  if (message.text === "") return;
  message.parts.push({ type: message.item.kind === "reasoning" ? "reasoning" : "text", text: message.text });
  message.text = "";
}
