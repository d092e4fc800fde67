// One session as the page shows it: blocks, turns, plan, settings, and what the agent waits for. Made of the session's log entry by
// entry, and of nothing else: after a reload, in a second tab, or for a session of another client it comes out the same.
import { Transcript, withDelta, type SessionEnded, type UniversalEvent, type UniversalItem } from "sandbox-agent/transcript";
import {
  textIn,
  untitled,
  type Ask,
  type Block,
  type Closing,
  type ErrorBlock,
  type ItemBlock,
  type PlanEntries,
  type Turn,
} from "./blocks.js";
import { fieldsOf, keyOf, listOf, numberOf } from "./json_rpc.js";
import { seqOf, type LogEntry } from "./log.js";
import { SettingsReader, type Offer, type Settings } from "./settings.js";

// Told by the pickers, the command list and the title instead.
const silentStatuses = new Set(["mode", "commands", "usage", "session_info", "config_options"]);
const signInCode = "-32000";
const mostOfTitle = 80;

export class Conversation {
  readonly blocks: Block[] = [];
  readonly turns: Turn[] = [];
  plan: PlanEntries = [];
  /** How many turns there were when the plan was last told. */
  planTurns = 0;
  /** Changes with every entry. */
  version = 0;
  /** The process has ended, so nothing more will come. */
  ended = false;
  readonly #transcript: Transcript;
  readonly #settings = new SettingsReader();
  /** How many of the oldest blocks are not kept any more. */
  forgotten = 0;
  readonly #places = new Map<string, number>(); // of items and requests among all blocks that ever were
  readonly #begins: number[] = []; // for each block: the entry it began with
  readonly #tools = new Map<string, UniversalItem>(); // by the agent's name for the call
  readonly #numbers = new Map<string, number>(); // of turns, by id
  readonly #planItems = new Map<string, UniversalItem>();
  readonly #open = new Map<string, string>(); // requests that wait for an answer, by id: the keys of their blocks
  #entry!: LogEntry;
  #turn: number | undefined; // that of the event

  constructor(readonly sessionId: string) {
    this.#transcript = new Transcript({ sessionId });
  }

  /** Its beginning is lost; what it offers is known from before, or not at all. */
  beginInTheMiddle(offer: Offer | undefined, cwd = ""): void {
    this.isUnknown = offer === undefined;
    if (offer) this.#settings.begin(offer, cwd);
  }
  /** What it offers is lost. */
  isUnknown = false;

  get settings(): Settings {
    return this.#settings.settings;
  }

  /** The turn that runs; where prompts wait in line, the oldest. */
  get running(): Turn | undefined {
    return this.#running === 0 ? undefined : this.turns.find(({ phase }) => phase === "running");
  }
  #running = 0;
  #isTorn = false; // events were lost since a turn began that still runs

  /** Events were lost, perhaps the answer that ended the turn. */
  get mayHaveEnded(): boolean {
    return this.#isTorn && this.#running > 0;
  }

  /** It is known from elsewhere that no answer is outstanding: what runs ended unseen. */
  endUnseen(): void {
    ++this.version;
    for (const { id, phase } of [...this.turns])
      if (phase === "running") this.#turnEnded(id, "interrupted", undefined, undefined);
  }

  /** The process is gone without a word: nobody will answer any more, on either side. */
  loseProcess(): void {
    if (this.#running === 0 && this.#open.size === 0) return;
    for (const key of this.#open.values()) this.#closeAt(key, { status: "expired" });
    this.#open.clear();
    this.endUnseen();
  }

  /** What the agent waits for, oldest first. */
  get asks(): Ask[] {
    return [...this.#open.values()].map((key) => this.blocks[this.#placeOf(key)!] as Ask);
  }

  /** What to call it: as the agent does, else by the first words of the user. */
  get title(): string {
    return this.settings.title ?? this.#firstWords ?? this.#findFirstWords() ?? untitled;
  }
  #firstWords: string | undefined; // once the block that has them is gone

  #findFirstWords(): string | undefined {
    for (const block of this.blocks) {
      const said = block.kind === "user" ? textIn(block.item).trim() : "";
      if (said !== "") return said.split("\n")[0]!.slice(0, mostOfTitle);
    }
    return undefined;
  }

  /** Drops the blocks that began before an entry, oldest first, up to one that waits for an answer. */
  forget(before: number): void {
    let count = 0;
    while (count < this.blocks.length - 1 && this.#begins[count]! < before && !this.#waits(this.blocks[count]!)) ++count;
    if (count === 0) return;
    this.#firstWords ??= this.#findFirstWords();
    this.#begins.splice(0, count);
    for (const block of this.blocks.splice(0, count)) {
      this.#places.delete(block.key);
      if (block.kind === "tool" && block.item.native_item_id !== undefined) this.#tools.delete(block.item.native_item_id);
      if (block.kind === "turn") this.#forgetPrompt(block.turn);
    }
    this.forgotten += count;
    ++this.version;
  }

  // It may carry pictures.
  #forgetPrompt(number = 0): void {
    const turn = this.turns[number - 1];
    if (turn) this.turns[number - 1] = { ...turn, prompt: [] };
  }

  hear(entry: LogEntry): void {
    this.#entry = entry;
    ++this.version;
    this.#settings.hear(entry);
    const { from, message, eventId, nth, at } = entry;
    for (const event of this.#transcript.push({ from, message, eventId, nth, ...(at !== undefined && { at }) }))
      this.#take(event);
  }

  #take(event: UniversalEvent): void {
    this.#turn = this.#turnOf(event);
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
        const { action, options, tool_call_id } = event.data;
        const tool = tool_call_id === undefined ? undefined : this.#tools.get(tool_call_id);
        return this.#ask({
          ...this.#common(`ask-${this.#entry.index}`),
          kind: "permission",
          requestId: event._meta["sandboxagent.dev"].request_id,
          action,
          options,
          ...(tool && { tool }),
          shownAt: this.#entry.at,
        });
      }
      case "question.requested": {
        const { prompt, options, multi_select, method, schema, url } = event.data;
        return this.#ask({
          ...this.#common(`ask-${this.#entry.index}`),
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
        const { status, option_id } = event.data;
        return this.#close(event, { status, ...(option_id !== undefined && { chosen: option_id }) });
      }
      case "question.resolved":
        return this.#close(event, { status: event.data.status, ...saidIn(event.data.response) });
      case "error":
        if (event.data.method?.startsWith("session/set_")) return; // said where it was set
        return this.#failed(event.data.message, event.data.code, event.data.details, event.data.method);
      case "agent.unparsed":
        return this.#failed(event.data.error, "unparsed", event.data.text);
      case "session.ended":
        return this.#exited(event.data);
      case "session.started":
        this.ended = false;
    }
  }

  // What is said after a turn's answer still belongs to the turn; what happens then does not.
  #turnOf({ type, _meta }: UniversalEvent): number | undefined {
    const { turn } = _meta["sandboxagent.dev"];
    if (!turn || (turn.late && !type.startsWith("item."))) return undefined;
    return this.#numbers.get(turn.turn_id);
  }

  #common(key: string): { key: string; seq: string; turn?: number } {
    return { key, seq: seqOf(this.#entry), ...(this.#turn !== undefined && { turn: this.#turn }) };
  }

  #turnStarted(id: string): void {
    const { at, message } = this.#entry;
    const prompt = listOf(fieldsOf(fieldsOf(message)["params"])["prompt"]);
    const number = this.turns.length + 1;
    const seq = seqOf(this.#entry);
    ++this.#running;
    this.#numbers.set(id, number);
    this.turns.push({ number, id, phase: "running", startedAt: at, endedAt: undefined, prompt, seq, tools: 0 });
  }

  #turnEnded(id: string, phase: Turn["phase"], stopReason: string | undefined, usage: unknown): void {
    const place = (this.#numbers.get(id) ?? 0) - 1;
    const turn = this.turns[place];
    if (turn?.phase !== "running") return;
    --this.#running;
    this.#isTorn &&= this.#running > 0;
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
    const place = this.#placeOf(item.item_id);
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
    if (part?.type === "plan" && item.status === "in_progress") this.planTurns = this.turns.length;
    if (part?.type === "plan") this.plan = part.entries;
    this.#planItems.set(item.item_id, item);
  }

  #itemAt(id: string): UniversalItem | undefined {
    const place = this.#placeOf(id);
    return place === undefined ? this.#planItems.get(id) : (this.blocks[place] as ItemBlock).item;
  }

  #countTool(): void {
    const place = (this.#turn ?? 0) - 1;
    const turn = this.turns[place];
    if (turn) this.turns[place] = { ...turn, tools: turn.tools + 1 };
  }

  #ask(ask: Ask): void {
    this.#add(ask);
    this.#open.set(keyOf(ask.requestId), ask.key);
  }

  #close({ _meta }: UniversalEvent, closing: Closing): void {
    const id = keyOf(_meta["sandboxagent.dev"].request_id);
    this.#closeAt(this.#open.get(id) ?? "", closing);
    this.#open.delete(id);
  }

  #closeAt(key: string, closing: Closing): void {
    const place = this.#placeOf(key);
    if (place !== undefined) this.blocks[place] = { ...(this.blocks[place] as Ask), closing };
  }

  #failed(message: string, code: string | undefined, details: unknown, method?: string): void {
    if (code === "events_lost") {
      this.#isTorn = this.#running > 0;
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

  #exited({ exit_code, signal, terminated_by, reason, message }: SessionEnded): void {
    this.ended = true;
    this.#add({
      ...this.#common(`exit-${this.#entry.index}`),
      kind: "exit",
      ...(exit_code !== undefined && { exitCode: exit_code }),
      ...(signal !== undefined && { signal }),
      ...(message !== undefined && { message }),
      wasAsked: terminated_by !== "agent" && reason !== "error",
    });
  }

  #add(block: Block): void {
    this.#places.set(block.key, this.forgotten + this.blocks.length);
    this.#begins.push(this.#entry.index);
    this.blocks.push(block);
  }

  #waits({ kind, key }: Block): boolean {
    return (kind === "permission" || kind === "question") && [...this.#open.values()].includes(key);
  }

  #placeOf(key: string): number | undefined {
    const place = this.#places.get(key);
    return place === undefined ? undefined : place - this.forgotten;
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

// What a form or a question was answered with, in a line.
function saidIn(response: unknown): { said?: string } {
  const values = Array.isArray(response) ? (response as unknown[]).flat() : Object.values(fieldsOf(response));
  const words = values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).filter(Boolean);
  return words.length === 0 ? {} : { said: words.join(", ").slice(0, mostOfTitle) };
}
