// A talk between clients and one agent process, said line by line, for tests. The view hears each line as it is said.
import type { Block, ItemBlock, PermissionBlock, QuestionBlock } from "./blocks.js";
import { textIn } from "./blocks.js";
import type { Conversation } from "./conversation.js";
import { InstanceView } from "./instance.js";
import type { Fields } from "./json_rpc.js";
import type { LogBounds, LogEntry } from "./log.js";

export const text = (words: string) => ({ type: "text", text: words });
export const chunk = (words: string, more: Fields = {}) => ({
  sessionUpdate: "agent_message_chunk",
  content: text(words),
  ...more,
});
export const tool = (toolCallId: string, more: Fields = {}) => ({
  sessionUpdate: "tool_call",
  toolCallId,
  title: toolCallId,
  status: "completed",
  ...more,
});
export const allowOrNot = [
  { optionId: "yes", name: "Allow once", kind: "allow_once" },
  { optionId: "always", name: "Always allow", kind: "allow_always" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];

export class Talk {
  readonly view: InstanceView;
  /** The clock: every line takes a second. */
  now = 0;
  #events = 0;

  constructor(bounds?: LogBounds, remembered?: InstanceView["remembered"]) {
    this.view = new InstanceView("server", bounds, remembered);
  }

  agent(message: unknown): this {
    return this.#heard(this.view.log.agent(++this.#events, message, JSON.stringify(message) ?? "", this.#at()));
  }
  client(message: unknown): this {
    return this.#heard(this.view.log.client(message, JSON.stringify(message) ?? "", this.#at()));
  }
  /** So many messages of the agent are lost. */
  gap(count: number): this {
    const from = this.#events + 1;
    this.#events += count;
    return this.#heard(this.view.log.gap({ from, to: this.#events, reason: "evicted" }, this.#at()));
  }

  begin(sessionId = "s", offers: Fields = {}): this {
    this.client({ id: `new ${sessionId}`, method: "session/new", params: { cwd: "/work", mcpServers: [] } });
    return this.agent({ id: `new ${sessionId}`, result: { sessionId, ...offers } });
  }
  prompt(id: unknown, words: string, sessionId = "s"): this {
    return this.client({ id, method: "session/prompt", params: { sessionId, prompt: [text(words)] } });
  }
  update(update: unknown, sessionId = "s"): this {
    return this.agent({ method: "session/update", params: { sessionId, update } });
  }
  answer(id: unknown, stopReason = "end_turn", more: Fields = {}): this {
    return this.agent({ id, result: { stopReason, ...more } });
  }
  askPermission(id: unknown, toolCall: Fields = { toolCallId: `call ${String(id)}`, title: `tool ${String(id)}` }): this {
    return this.ask(id, "session/request_permission", { toolCall, options: allowOrNot });
  }
  ask(id: unknown, method: string, params: Fields, sessionId = "s"): this {
    return this.agent({ id, method, params: { sessionId, ...params } });
  }
  choose(id: unknown, optionId: string): this {
    return this.client({ id, result: { outcome: { outcome: "selected", optionId } } });
  }
  exit(params: Fields): this {
    return this.agent({ method: "_adapter/agent_exited", params });
  }

  session(sessionId = "s"): Conversation {
    const session = this.view.sessions.get(sessionId);
    if (!session) throw new Error(`There is no session ${sessionId}.`);
    return session;
  }
  get blocks(): readonly Block[] {
    return this.session().blocks;
  }
  get permissions(): PermissionBlock[] {
    return this.blocks.filter((block): block is PermissionBlock => block.kind === "permission");
  }
  get questions(): QuestionBlock[] {
    return this.blocks.filter((block): block is QuestionBlock => block.kind === "question");
  }

  #at(): number {
    this.now += 1_000;
    return this.now;
  }
  #heard(entry: LogEntry): this {
    this.view.hear(entry);
    return this;
  }
}

/** The blocks in a word or two each. */
export function inWords(blocks: readonly Block[]): string[] {
  return blocks.map((block) => {
    switch (block.kind) {
      case "user":
      case "message":
      case "thought":
        return `${block.kind}: ${textIn(block.item)}`;
      case "tool":
      case "notice":
        return `${block.kind}: ${(block as ItemBlock).item.status}`;
      case "turn":
        return `turn: ${block.phase}`;
      case "error":
        return `error: ${block.message}`;
      default:
        return block.kind;
    }
  });
}
