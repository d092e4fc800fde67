// What the user does with the session that is shown: send, queue, stop, answer, choose. Each tells the store what it did, and what
// went wrong where it happened.
import { AcpHttpError } from "acp-http-client";
import { approvedOption } from "../state/approvals.js";
import { promptOf } from "../state/attachment_prompt.js";
import type { Ask } from "../state/blocks.js";
import { sessionKey } from "../state/app.js";
import { emptyComposer, isEmpty, nextQueued, writtenIn, type Written } from "../state/composer.js";
import type { Conversation } from "../state/conversation.js";
import { whyNoSending } from "../state/daemon_state.js";
import type { Option } from "../state/settings.js";
import { changeRequest } from "../state/settings.js";
import type { BackgroundQueue } from "./background_queue.js";
import { AgentRefusal, askKey } from "./instance_link.js";
import type { ShownInstance } from "./shown_instance.js";
import type { Store } from "./store.js";

const notStopped = "Not stopped: ";
const stopPatienceMs = 5_000;

export class TurnActions {
  readonly #store: Store;
  readonly #shown: ShownInstance;
  readonly #background: BackgroundQueue;

  constructor(store: Store, shown: ShownInstance, background: BackgroundQueue) {
    this.#store = store;
    this.#shown = shown;
    this.#background = background;
  }

  /** What is in the composer: sent at once, or queued while a turn runs. */
  send(session: Conversation): void {
    const key = this.#key(session);
    const composer = this.#store.state.composers[key] ?? emptyComposer;
    if (isEmpty(composer)) return;
    if (composer.editing) {
      this.#store.dispatch({ type: "compose", session: key, news: { type: "queued" } });
      return this.flushQueue(session);
    }
    const isBusy = session.running !== undefined || this.#isOnItsWay(session);
    if ((isBusy ? this.#isCut() : this.#whyNot()) !== undefined) return; // said beside the button
    if (isBusy || this.#isBehind()) return this.#store.dispatch({ type: "compose", session: key, news: { type: "queued" } });
    this.#store.dispatch({ type: "compose", session: key, news: { type: "sent" } });
    void this.#prompt(session, promptOf(writtenIn(composer)), writtenIn(composer));
  }

  /** Sends what was asked before once more. */
  retry(session: Conversation, prompt: readonly unknown[]): void {
    if (session.running || this.#isOnItsWay(session) || this.#whyNot() !== undefined) return;
    void this.#prompt(session, prompt);
  }

  /** The next queued message, if the turn is over. */
  flushQueue(session: Conversation): void {
    const key = this.#key(session);
    const next = nextQueued(this.#store.state.composers[key]);
    if (!next || session.running || session.ended || this.#isOnItsWay(session)) return;
    if (this.#store.state.shown?.stream !== "live" || this.#whyNot() !== undefined) return;
    this.#store.dispatch({ type: "compose", session: key, news: { type: "took", id: next.id } });
    void this.#prompt(session, promptOf(next), next);
  }

  /** Cancels the turn; everything the agent asked is answered "cancelled". Pressed again, or after a while: force() helps. */
  async stop(session: Conversation): Promise<void> {
    const key = this.#key(session);
    const { link } = this.#shown; // the user may look at another one before all is said
    if (!session.running || this.#store.state.stops[key] !== undefined || !link || this.#isCut()) return;
    this.#store.dispatch({ type: "stopping", session: key, at: Date.now() });
    this.#store.dispatch({ type: "compose", session: key, news: { type: "hold" } });
    try {
      const said = [link.notify("session/cancel", { sessionId: session.sessionId })];
      for (const ask of session.asks) said.push(this.answer(ask, cancelled(ask)));
      await Promise.all(said);
    } catch (error) {
      this.#store.dispatch({ type: "stopping", session: key, at: undefined });
      this.#store.dispatch({ type: "unsent", session: key, why: `${notStopped}${sentence(error)}` });
    }
  }

  /** After something was heard. When a turn has ended, however: what was said of stopping it is over. */
  settle(session: Conversation): void {
    const key = this.#key(session);
    const { stops, unsent } = this.#store.state;
    if (session.running) {
      if (this.#store.state.shown?.stream === "live") this.#background.heard(key); // else it may be one of before
      return;
    }
    if (stops[key] !== undefined) this.#store.dispatch({ type: "stopping", session: key, at: undefined });
    if (unsent[key]?.startsWith(notStopped)) this.#unsent(key, undefined);
  }

  /** Sends what was held. */
  release(session: Conversation): void {
    this.#store.dispatch({ type: "compose", session: this.#key(session), news: { type: "release" } });
    this.flushQueue(session);
  }

  async answer(ask: Ask, result: object, by: "user" | "rule" = "user"): Promise<void> {
    const { serverId, link } = this.#shown;
    if (serverId === undefined || !link) throw new Error("The agent cannot be reached.");
    this.#answering.add(ask);
    this.#store.dispatch({ type: "answered", key: askKey(serverId, ask.requestId), by });
    try {
      await link.answer(ask.requestId, result);
    } catch (error) {
      this.#answering.delete(ask);
      throw error;
    }
  }
  readonly #answering = new WeakSet<Ask>(); // agents may use the id of a request again

  /** Allows what the user said need not be asked. */
  approve(session: Conversation): void {
    const { approvals, shown } = this.#store.state;
    if (shown?.stream !== "live") return; // what is asked there may have been answered long ago
    for (const ask of session.asks) {
      const optionId = approvedOption(approvals[this.#key(session)] ?? "ask", ask);
      if (optionId === undefined || this.#answering.has(ask)) continue;
      this.answer(ask, { outcome: { outcome: "selected", optionId } }, "rule").catch(() => {}); // the question stays, and can be answered
    }
  }

  async choose(session: Conversation, option: Option, value: string): Promise<void> {
    const { method, params } = changeRequest(session.sessionId, option, value);
    const key = this.#key(session);
    try {
      await this.#shown.link?.request(method, params);
    } catch (error) {
      if (!(error instanceof AgentRefusal) && !isLeft(error)) this.#unsent(key, `Not changed: ${sentence(error)}`);
    }
  }

  async signIn(methodId: string): Promise<string | undefined> {
    try {
      if (!this.#shown.link) return this.#whyNot();
      await this.#shown.link.request("authenticate", { methodId });
      return undefined;
    } catch (error) {
      return sentence(error);
    }
  }

  // By session: how many turns it had when a prompt was sent that has not been heard yet.
  readonly #sent = new Map<string, number>();

  // `written`: what goes back into the composer when it could not be sent.
  async #prompt(session: Conversation, prompt: readonly unknown[], written?: Written): Promise<void> {
    const key = this.#key(session);
    const turns = session.turns.length;
    this.#unsent(key, undefined);
    this.#sent.set(key, turns);
    let isTaken = false;
    const onTaken = () => (isTaken = true);
    try {
      await this.#shown.link?.request("session/prompt", { sessionId: session.sessionId, prompt }, onTaken);
    } catch (error) {
      // What the agent answered, and its end, is shown in the turn; so is what goes on after the user left. This never reached it.
      if (isTaken || error instanceof AgentRefusal || session.turns.length > turns) return;
      this.#unsent(key, `Not sent: ${sentence(error)}`);
      if (written) this.#store.dispatch({ type: "compose", session: key, news: { type: "put back", written } });
    } finally {
      if (this.#sent.get(key) === turns) this.#sent.delete(key);
    }
  }

  #isOnItsWay(session: Conversation): boolean {
    const key = this.#key(session);
    return this.#sent.get(key) === session.turns.length || this.#background.isOnItsWay(key);
  }

  // What is known of the session may be old.
  #isBehind(): boolean {
    const stream = this.#store.state.shown?.stream;
    return stream === "connecting" || stream === "catching up";
  }

  #unsent(key: string, why: string | undefined): void {
    this.#store.dispatch({ type: "unsent", session: key, why });
  }

  #isCut(): string | undefined {
    return whyNoSending(this.#store.state.daemon);
  }

  #whyNot(): string | undefined {
    return this.#isCut() ?? (this.#shown.link ? undefined : "The agent's process has ended.");
  }

  #key(session: Conversation): string {
    return sessionKey(this.#shown.serverId ?? "", session.sessionId);
  }
}

/** Since when a turn is being cancelled is long enough to offer more than asking. */
export const isPatienceOver = (since: number | undefined, now: number) => since !== undefined && now - since >= stopPatienceMs;

/** What a question is answered with when its turn is stopped. */
export function cancelled(ask: Ask): object {
  if (ask.kind === "permission") return { outcome: { outcome: "cancelled" } };
  return ask.method === "elicitation/create" ? { action: "cancel" } : { outcome: "cancelled" };
}

// The user went to another process before the answer came.
const isLeft = (error: unknown) => error instanceof AcpHttpError && error.code === "closed";

const sentence = (error: unknown) => (error instanceof Error ? error.message : String(error));
