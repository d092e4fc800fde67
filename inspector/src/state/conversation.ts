// One session as the page shows it: blocks, turns, plan, settings, and what the agent waits for. Made of the session's log entry by
// entry, and of nothing else: after a reload, in a second tab, or for a session of another client it comes out the same.
import { Transcript, withDelta, type UniversalEvent, type UniversalItem } from "sandbox-agent/transcript";
import {
  textIn,
  type Ask,
  type Block,
  type Closing,
  type ErrorBlock,
  type ItemBlock,
  type PlanEntries,
  type Turn,
} from "./blocks.js";
import { fieldsOf, listOf, numberOf } from "./json_rpc.js";
import { seqOf, type LogEntry } from "./log.js";
import { SettingsReader, type Settings } from "./settings.js";

// Told by the pickers, the command list and the title instead.
const silentStatuses = new Set(["mode", "commands", "usage", "session_info", "config_options"]);
const signInCode = "-32000";

export class Conversation {
  readonly blocks: Block[] = [];
  readonly turns: Turn[] = [];
  plan: PlanEntries = [];
  /** Changes with every entry. */
  version = 0;
  /** The process has ended, so nothing more will come. */
  ended = false;
  readonly #transcript: Transcript;
  readonly #settings = new SettingsReader();
  readonly #places = new Map<string, number>(); // of items and requests among the blocks
  readonly #tools = new Map<string, UniversalItem>(); // by the agent's name for the call
  readonly #open = new Set<string>(); // keys of requests that wait for an answer
  #prompts: { prompt: readonly unknown[]; seq: string }[] = []; // of turns that have not begun
  #entry!: LogEntry;

  constructor(readonly sessionId: string) {
    this.#transcript = new Transcript({ sessionId });
  }

  get settings(): Settings {
    return this.#settings.settings;
  }

  /** The turn that runs. */
  get running(): Turn | undefined {
    const last = this.turns.at(-1);
    return last?.phase === "running" ? last : undefined;
  }

  /** What the agent waits for, oldest first. */
  get asks(): Ask[] {
    return [...this.#open].map((key) => this.blocks[this.#places.get(key)!] as Ask);
  }

  /** What to call it. */
  get title(): string {
    const first = this.turns[0];
    const said =
      first &&
      listOf(first.prompt)
        .map((part) => fieldsOf(part)["text"])
        .find((text) => typeof text === "string");
    return this.settings.title ?? (said as string | undefined)?.trim().split("\n")[0]?.slice(0, 80) ?? "New session";
  }

  hear(entry: LogEntry): void {
    this.#entry = entry;
    ++this.version;
    this.#settings.hear(entry);
    const { method, params } = fieldsOf(entry.message);
    if (entry.from === "client" && method === "session/prompt")
      this.#prompts.push({ prompt: listOf(fieldsOf(params)["prompt"]), seq: seqOf(entry) });
    const { from, message, eventId, nth, at } = entry;
    for (const event of this.#transcript.push({ from, message, eventId, nth, ...(at !== undefined && { at }) }))
      this.#take(event);
  }

  #take(event: UniversalEvent): void {
    switch (event.type) {
      case "turn.started":
        return this.#turnStarted(event.data.turn_id);
      case "turn.ended":
        return this.#turnEnded(event.data.turn_id, event.data.phase, event.data.stop_reason, event.data.usage);
      case "item.started":
      case "item.completed":
        return this.#item(event.data.item);
      case "item.delta": {
        const known = this.#itemAt(event.data.item_id);
        if (known) this.#item(withDelta(known, event.data));
        return;
      }
      case "permission.requested": {
        const { permission_id, action, options, tool_call_id } = event.data;
        const tool = tool_call_id === undefined ? undefined : this.#tools.get(tool_call_id);
        const requestId = event._meta["sandboxagent.dev"].request_id;
        return this.#ask({
          ...this.#common(permission_id),
          kind: "permission",
          requestId,
          action,
          options,
          ...(tool && { tool }),
          shownAt: this.#entry.at,
        });
      }
      case "question.requested": {
        const { question_id, prompt, options, multi_select, method, schema, url } = event.data;
        return this.#ask({
          ...this.#common(question_id),
          kind: "question",
          requestId: event._meta["sandboxagent.dev"].request_id,
          prompt,
          method,
          options,
          multiSelect: multi_select,
          ...(schema !== undefined && { schema }),
          ...(url !== undefined && { url }),
          shownAt: this.#entry.at,
        });
      }
      case "permission.resolved": {
        const { permission_id, status, option_id } = event.data;
        return this.#close(permission_id, { status, ...(option_id !== undefined && { chosen: option_id }) });
      }
      case "question.resolved":
        return this.#close(event.data.question_id, { status: event.data.status });
      case "error":
        return this.#failed(event.data.message, event.data.code, event.data.details, event.data.method);
      case "agent.unparsed":
        return this.#failed(event.data.error, "unparsed", event.data.text);
      case "session.ended":
        return this.#exited(event.data);
      case "session.started":
        this.ended = false;
    }
  }

  #common(key: string): { key: string; seq: string; turn?: number } {
    const { running } = this;
    return { key, seq: seqOf(this.#entry), ...(running && { turn: running.number }) };
  }

  #turnStarted(id: string): void {
    const { prompt, seq } = this.#prompts.shift() ?? { prompt: [], seq: seqOf(this.#entry) };
    const number = this.turns.length + 1;
    this.turns.push({ number, id, phase: "running", startedAt: this.#entry.at, endedAt: undefined, prompt, seq, tools: 0 });
  }

  #turnEnded(id: string, phase: Turn["phase"], stopReason: string | undefined, usage: unknown): void {
    const place = this.turns.findLastIndex((turn) => turn.id === id);
    const turn = this.turns[place];
    if (!turn) return;
    const tokens = numberOf(fieldsOf(usage)["totalTokens"]);
    this.#add({ ...this.#common(`end-${id}`), kind: "turn", turn: turn.number, phase });
    this.turns[place] = {
      ...turn,
      phase,
      endedAt: this.#entry.at,
      ...(stopReason !== undefined && { stopReason }),
      ...(tokens !== undefined && { tokens }),
    };
  }

  #item(item: UniversalItem): void {
    if (item.kind === "plan") return this.#planned(item);
    if (isSilent(item)) return;
    const place = this.#places.get(item.item_id);
    const endedAt = item.status === "in_progress" ? undefined : this.#entry.at;
    if (item.kind === "tool_call" && item.native_item_id !== undefined) this.#tools.set(item.native_item_id, item);
    if (place !== undefined) {
      this.blocks[place] = { ...(this.blocks[place] as ItemBlock), item, endedAt };
      return;
    }
    if (item.kind === "tool_call") this.#countTool();
    this.#add({ ...this.#common(item.item_id), kind: kindOf(item), item, startedAt: this.#entry.at, endedAt });
  }

  #planned(item: UniversalItem): void {
    const part = item.content.find(({ type }) => type === "plan");
    if (part?.type === "plan") this.plan = part.entries;
    this.#planItems.set(item.item_id, item);
  }
  readonly #planItems = new Map<string, UniversalItem>();

  #itemAt(id: string): UniversalItem | undefined {
    const place = this.#places.get(id);
    return place === undefined ? this.#planItems.get(id) : (this.blocks[place] as ItemBlock).item;
  }

  #countTool(): void {
    const turn = this.running;
    if (turn) this.turns[this.turns.length - 1] = { ...turn, tools: turn.tools + 1 };
  }

  #ask(ask: Ask): void {
    this.#add(ask);
    this.#open.add(ask.key);
  }

  #close(key: string, closing: Closing): void {
    const place = this.#places.get(key);
    this.#open.delete(key);
    if (place !== undefined) this.blocks[place] = { ...(this.blocks[place] as Ask), closing };
  }

  #failed(message: string, code: string | undefined, details: unknown, method?: string): void {
    if (code === "events_lost") {
      this.#add({ ...this.#common(`gap-${this.#entry.index}`), kind: "gap", ...(details as object) });
      return;
    }
    const last = this.blocks.at(-1);
    if (code === "unparsed" && last?.kind === "error" && last.code === code) {
      this.blocks[this.blocks.length - 1] = { ...last, details, times: last.times + 1 };
      return;
    }
    const block: ErrorBlock = { ...this.#common(`error-${this.#entry.index}`), kind: "error", message, times: 1 };
    this.#add({
      ...block,
      ...(code !== undefined && { code }),
      ...(details !== undefined && { details }),
      ...(code === signInCode && { signIn: true }),
      ...(/^session\/(load|resume)$/.test(method ?? "") && { isMild: true }),
    });
  }

  #exited({ exit_code, signal, terminated_by }: { exit_code?: number; signal?: string; terminated_by: string }): void {
    this.ended = true;
    this.#add({
      ...this.#common(`exit-${this.#entry.index}`),
      kind: "exit",
      ...(exit_code !== undefined && { exitCode: exit_code }),
      ...(signal !== undefined && { signal }),
      wasAsked: terminated_by !== "agent",
    });
  }

  #add(block: Block): void {
    this.#places.set(block.key, this.blocks.length);
    this.blocks.push(block);
  }
}

function kindOf({ kind, role }: UniversalItem): ItemBlock["kind"] {
  if (kind === "message") return role === "user" ? "user" : "message";
  if (kind === "reasoning") return "thought";
  return kind === "tool_call" ? "tool" : "notice";
}

function isSilent({ kind, content }: UniversalItem): boolean {
  const [part] = content;
  return kind === "status" && part?.type === "status" && silentStatuses.has(part.label);
}

/** The answer of a turn as text: what the agent said in it. */
export function answerOf(conversation: Conversation, turn: number): string {
  return conversation.blocks
    .filter((block): block is ItemBlock => block.kind === "message" && block.turn === turn)
    .map(({ item }) => textIn(item))
    .join("\n\n");
}
