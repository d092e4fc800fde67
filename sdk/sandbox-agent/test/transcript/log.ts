// Logs for tests, said line by line; and what must be true of every transcript.
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { Transcript, toTranscript, withDelta } from "sandbox-agent/transcript";
import type { EventType, TranscriptEntry, TranscriptOptions, UniversalEvent, UniversalItem } from "sandbox-agent/transcript";
import { expect } from "vitest";

const schemaFile = new URL("../../../../docs/reference/transcript.schema.json", import.meta.url);
const ajv = new Ajv({ strict: false, discriminator: false });
addFormats.default(ajv);
const isEvent = ajv.compile<UniversalEvent>(JSON.parse(readFileSync(schemaFile, "utf8")) as object);

type Fields = Record<string, unknown>;
export type Of<Type extends EventType> = Extract<UniversalEvent, { type: Type }>;

export const text = (words: string) => ({ type: "text", text: words });
export const chunk = (words: string, more: Fields = {}) => ({
  sessionUpdate: "agent_message_chunk",
  content: text(words),
  ...more,
});
export const thought = (words: string, more: Fields = {}) => ({ ...chunk(words, more), sessionUpdate: "agent_thought_chunk" });
export const tool = (toolCallId: string, more: Fields = {}) => ({
  sessionUpdate: "tool_call",
  toolCallId,
  title: "a tool",
  ...more,
});
export const toolUpdate = (toolCallId: string, more: Fields = {}) => ({
  sessionUpdate: "tool_call_update",
  toolCallId,
  ...more,
});

/** A log with places, as the daemon's stream gives them. */
export class Log {
  readonly entries: TranscriptEntry[] = [];
  epoch = 1;
  #eventId = 0;
  #nth = 0;

  agent(message: unknown): this {
    return this.#add("agent", message, ++this.#eventId, (this.#nth = 0));
  }
  client(message: unknown): this {
    return this.#add("client", message, this.#eventId, ++this.#nth);
  }
  daemon(message: unknown): this {
    return this.#add("daemon", message, this.#eventId, ++this.#nth);
  }
  /** The session goes on in another process. */
  move(): this {
    ++this.epoch;
    this.#eventId = this.#nth = 0;
    return this;
  }

  begin(meta?: Fields): this {
    this.client({ id: "new", method: "session/new", params: { cwd: "/", mcpServers: [], ...(meta && { _meta: meta }) } });
    return this.agent({ id: "new", result: { sessionId: "native" } });
  }
  prompt(id: number, ...prompt: unknown[]): this {
    return this.client({ id, method: "session/prompt", params: { sessionId: "native", prompt } });
  }
  update(...updates: unknown[]): this {
    for (const update of updates) this.agent({ method: "session/update", params: { sessionId: "native", update } });
    return this;
  }
  answer(id: number, stopReason = "end_turn"): this {
    return this.agent({ id, result: { stopReason } });
  }
  ask(id: unknown, method: string, params: Fields): this {
    return this.agent({ id, method, params: { sessionId: "native", ...params } });
  }
  notify(method: string, params: Fields): this {
    return this.agent({ method, params });
  }

  transcript(options: TranscriptOptions = {}): UniversalEvent[] {
    return checked(toTranscript(this.entries, options));
  }
  /** The events so far, without the end of the log. */
  live(options: TranscriptOptions = {}): UniversalEvent[] {
    const transcript = new Transcript(options);
    return this.entries.flatMap((entry) => transcript.push(entry));
  }

  #add(from: TranscriptEntry["from"], message: unknown, eventId: number, nth: number): this {
    const full = typeof message === "object" && message !== null ? { jsonrpc: "2.0", ...message } : message;
    this.entries.push({ from, message: full, eventId, nth, epoch: this.epoch, at: 1_700_000_000_000 + this.entries.length });
    return this;
  }
}

export const types = (events: UniversalEvent[]) => events.map(({ type }) => type);

export function only<Type extends EventType>(events: UniversalEvent[], type: Type): Of<Type>[] {
  return events.filter((event): event is Of<Type> => event.type === type);
}

/** The one event of this type. */
export function the<Type extends EventType>(events: UniversalEvent[], type: Type): Of<Type> {
  const all = only(events, type);
  expect(all).toHaveLength(1);
  return all[0] as Of<Type>;
}

export const ours = (event: UniversalEvent) => event._meta["sandboxagent.dev"];

export const items = (events: UniversalEvent[]) => only(events, "item.completed").map(({ data }) => data.item);

export const wordsOf = (item: UniversalItem) =>
  item.content.map((part) => ("text" in part ? part.text : part.type === "tool_result" ? part.output : "")).join("");

/** What the reader of a transcript may rely on. Gives the events back. */
export function checked(events: UniversalEvent[]): UniversalEvent[] {
  const open = new Map<string, UniversalItem>();
  const names = new Set<string>();
  events.forEach((event, i) => {
    if (!isEvent(event)) expect.fail(`${JSON.stringify(isEvent.errors?.at(-1))} in ${JSON.stringify(event)}`);
    if (event.sequence !== i + 1) expect.fail(`number ${event.sequence} at place ${i}`);
    if (names.has(event.event_id)) expect.fail(`${event.event_id} is there twice`);
    names.add(event.event_id);
    follow(open, names, event);
  });
  expect([...open.keys()]).toEqual([]);
  return events;
}

function follow(open: Map<string, UniversalItem>, names: Set<string>, event: UniversalEvent): void {
  if (event.type === "item.started") {
    const { item } = event.data;
    if (names.has(item.item_id)) expect.fail(`${item.item_id} began twice`);
    names.add(item.item_id);
    open.set(item.item_id, structuredClone(item));
  }
  if (event.type === "item.delta") {
    const item = open.get(event.data.item_id);
    if (!item) return expect.fail(`a change of ${event.data.item_id}, which is not open`);
    open.set(item.item_id, withDelta(item, event.data));
  }
  if (event.type === "item.completed") {
    const { item } = event.data;
    const rebuilt = open.get(item.item_id);
    if (!rebuilt) return expect.fail(`${item.item_id} is completed and was not open`);
    expect({ ...rebuilt, status: item.status }).toEqual(item);
    open.delete(item.item_id);
  }
}
