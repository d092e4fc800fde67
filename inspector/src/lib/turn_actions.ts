// What the user does with the session that is shown: send, queue, stop, answer, choose. Each tells the store what it did, and what
// went wrong where it happened.
import { approvedOption } from "../state/approvals.js";
import type { Ask } from "../state/blocks.js";
import { sessionKey } from "../state/app.js";
import type { Conversation } from "../state/conversation.js";
import { whyNoSending } from "../state/daemon_state.js";
import type { Option } from "../state/settings.js";
import { changeRequest } from "../state/settings.js";
import { AgentRefusal, askKey } from "./instance_link.js";
import type { ShownInstance } from "./shown_instance.js";
import type { Store } from "./store.js";

const stopPatienceMs = 5_000;

export class TurnActions {
  readonly #store: Store;
  readonly #shown: ShownInstance;

  constructor(store: Store, shown: ShownInstance) {
    this.#store = store;
    this.#shown = shown;
  }

  /** What is in the composer: sent at once, or queued while a turn runs. */
  send(session: Conversation): void {
    const key = this.#key(session);
    const text = this.#store.state.composers[key]?.draft ?? "";
    if (text.trim() === "") return;
    if (session.running || this.#isSending.has(key))
      return this.#store.dispatch({ type: "compose", session: key, news: { type: "queued" } });
    if (this.#whyNot() !== undefined) return; // said beside the button
    this.#store.dispatch({ type: "compose", session: key, news: { type: "sent" } });
    void this.#prompt(session, text);
  }

  /** Sends what was asked before once more. */
  retry(session: Conversation, prompt: readonly unknown[]): void {
    if (!session.running && this.#whyNot() === undefined) void this.#prompt(session, prompt);
  }

  /** The next queued message, if the turn is over. */
  flushQueue(session: Conversation): void {
    const key = this.#key(session);
    const [next] = this.#store.state.composers[key]?.queue ?? [];
    if (!next || session.running || session.ended || this.#isSending.has(key) || this.#whyNot() !== undefined) return;
    this.#store.dispatch({ type: "compose", session: key, news: { type: "took", id: next.id } });
    void this.#prompt(session, next.text);
  }

  /** Cancels the turn; everything the agent asked is answered "cancelled". Pressed again, or after a while: force() helps. */
  async stop(session: Conversation): Promise<void> {
    const key = this.#key(session);
    if (!session.running || this.#store.state.stops[key] !== undefined) return;
    this.#store.dispatch({ type: "stopping", session: key, at: Date.now() });
    setTimeout(() => this.#store.dispatch({ type: "shown", change: {} }), stopPatienceMs + 20); // the button changes
    try {
      await this.#shown.link?.notify("session/cancel", { sessionId: session.sessionId });
      for (const ask of session.asks) await this.answer(ask, cancelled(ask));
    } catch (error) {
      this.#store.dispatch({ type: "unsent", session: key, why: `Not stopped: ${sentence(error)}` });
    }
  }

  async answer({ requestId }: Ask, result: object): Promise<void> {
    const { serverId } = this.#shown;
    if (serverId === undefined) return;
    this.#store.dispatch({ type: "answered", key: askKey(serverId, requestId) });
    await this.#shown.link?.answer(requestId, result);
  }

  /** Allows what the user said need not be asked. */
  approve(session: Conversation): void {
    const { approvals, answered } = this.#store.state;
    for (const ask of session.asks) {
      const optionId = approvedOption(approvals[this.#key(session)] ?? "ask", ask);
      if (optionId === undefined || answered.has(askKey(this.#shown.serverId ?? "", ask.requestId))) continue;
      this.answer(ask, { outcome: { outcome: "selected", optionId } }).catch(() => {}); // the question stays, and can be answered
    }
  }

  async choose(session: Conversation, option: Option, value: string): Promise<void> {
    const { method, params } = changeRequest(session.sessionId, option, value);
    try {
      await this.#shown.link?.request(method, params);
    } catch (error) {
      if (!(error instanceof AgentRefusal)) this.#unsent(session, `Not changed: ${sentence(error)}`);
    }
  }

  async signIn(session: Conversation, methodId: string): Promise<string | undefined> {
    try {
      await this.#shown.link?.request("authenticate", { methodId });
      return undefined;
    } catch (error) {
      return sentence(error);
    } finally {
      this.#store.dispatch({ type: "shown", change: { version: session.version } });
    }
  }

  readonly #isSending = new Set<string>(); // prompts the daemon has not taken yet

  async #prompt(session: Conversation, prompt: string | readonly unknown[]): Promise<void> {
    const key = this.#key(session);
    const blocks = typeof prompt === "string" ? [{ type: "text", text: prompt }] : prompt;
    this.#unsent(session, undefined);
    this.#isSending.add(key);
    const taken = () => this.#isSending.delete(key);
    try {
      await this.#shown.link?.request("session/prompt", { sessionId: session.sessionId, prompt: blocks }, taken);
    } catch (error) {
      // What the agent answered, and its end, is shown in the turn. This is what never reached it.
      if (error instanceof AgentRefusal || session.turns.at(-1)?.phase === "interrupted") return;
      this.#unsent(session, `Not sent: ${sentence(error)}`);
      if (typeof prompt === "string")
        this.#store.dispatch({ type: "compose", session: key, news: { type: "put back", text: prompt } });
    } finally {
      taken();
    }
  }

  #unsent(session: Conversation, why: string | undefined): void {
    this.#store.dispatch({ type: "unsent", session: this.#key(session), why });
  }

  #whyNot(): string | undefined {
    return whyNoSending(this.#store.state.daemon) ?? (this.#shown.link ? undefined : "The agent's process has ended.");
  }

  #key(session: Conversation): string {
    return sessionKey(this.#shown.serverId ?? "", session.sessionId);
  }
}

/** Since when a turn is being cancelled is long enough to offer more than asking. */
export const isPatienceOver = (since: number | undefined, now: number) => since !== undefined && now - since >= stopPatienceMs;

function cancelled(ask: Ask): object {
  if (ask.kind === "permission") return { outcome: { outcome: "cancelled" } };
  return ask.method === "elicitation/create" ? { action: "cancel" } : { outcome: "cancelled" };
}

const sentence = (error: unknown) => (error instanceof Error ? error.message : String(error));
