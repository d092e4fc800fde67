// One turn of a session: an iterable of its events and a promise of its result. Leaving the loop does not end the turn; cancel() or
// the signal does. The promise settles after all events of the turn are in the reader's hands or in its queue.
import type { AcpHttpGap, AcpHttpMessage } from "acp-http-client";
import { Claims, type AgentRequest } from "../client/agent_requests.js";
import type { StopReason } from "../client/protocol.js";
import { CancelledError, SandboxAgentError } from "../errors.js";
import { EventMaker } from "./event_maker.js";
import { EventQueue } from "./event_queue.js";
import type { GapEvent, ToolEvent, TurnEvent, TurnUsage } from "./turn_event.js";

/** A file the agent changed, as its tool calls told it; those that failed or were denied do not count. */
export interface FileChange {
  path: string;
  oldText?: string;
  newText: string;
}

export interface TurnResult {
  /** All text of the answer. */
  text: string;
  /** "cancelled" when the turn was cancelled. */
  stopReason: StopReason;
  usage?: TurnUsage;
  changes: FileChange[];
  /** The events with these numbers were lost, perhaps some of this turn: then the other fields lack what they told. */
  lost?: GapEvent[];
}

/** How a turn reaches the agent. */
export interface TurnWork {
  /** The agent's answer to the prompt, when everything up to it is stored. */
  answer: Promise<{ stopReason: StopReason; usage?: unknown }>;
  /** Resolves when the agent has answered, or will not. */
  answered: Promise<unknown>;
  cancel(): Promise<void>;
  /** How long the agent may take to end a cancelled turn. */
  cancelGraceMs: number;
}

const alreadyRead = "Read a turn once, and before you await it; session.events() can be read any number of times.";

/**
 * One turn: `for await` reads its events, `await` gets its result. Returning it from an async function awaits it, as with every
 * promise: hand it on inside of an object instead.
 */
export class Turn implements AsyncIterable<TurnEvent>, PromiseLike<TurnResult> {
  readonly #work: TurnWork;
  readonly #maker = new EventMaker();
  readonly #claims = new Claims();
  readonly #queue = new EventQueue(() => this.#claims.release());
  readonly #result: Promise<TurnResult>;
  readonly #cancelIgnored: Promise<never>;
  #rejectIgnored!: (error: SandboxAgentError) => void;
  #isRead = false;
  #isOver = false;
  #mayRun = false; // although it is over here: nobody has heard of its end
  #cancelled: Promise<void> | undefined;
  #text: string[] = [];
  #usage: TurnUsage | undefined;
  #changes = new Map<string, FileChange[]>(); // by tool call
  #lost: GapEvent[] = [];

  /** @internal */
  constructor(work: TurnWork) {
    this.#work = work;
    this.#cancelIgnored = new Promise((_, reject) => (this.#rejectIgnored = reject));
    this.#cancelIgnored.catch(() => {});
    this.#result = this.#settle();
    this.#result.catch(() => {}); // who awaits the turn hears of it
  }

  /** The answer has come, or never will. */
  get over(): boolean {
    return this.#isOver;
  }

  /** For one loop only: a second one would take the events of the first. */
  [Symbol.asyncIterator](): AsyncIterator<TurnEvent, undefined> {
    if (this.#isRead || this.#queue.dropped) {
      const message = `This turn ${this.#isRead ? "has a reader already" : "was awaited before it was read"}.`;
      throw new SandboxAgentError(message, { code: "already_read", hint: alreadyRead });
    }
    this.#isRead = true;
    return this.#queue;
  }

  then<Value = TurnResult, Failure = never>(
    resolved?: ((result: TurnResult) => Value | PromiseLike<Value>) | null,
    rejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Value | Failure> {
    if (!this.#isRead) this.#queue.drop(); // nobody reads: nothing is kept, and what the agent asks is refused
    return this.#result.then(resolved, rejected);
  }

  catch<Failure = never>(
    rejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<TurnResult | Failure> {
    return this.then(undefined, rejected);
  }

  finally(settled?: (() => void) | null): Promise<TurnResult> {
    return this.then().finally(settled);
  }

  /** Asks the agent to stop. Resolves when it was told; the turn itself then settles with stopReason "cancelled". */
  cancel(): Promise<void> {
    if (this.#isOver) return this.#mayRun ? this.#work.cancel() : Promise.resolve();
    return (this.#cancelled ??= this.#cancel());
  }

  /** @internal The result, without a word on whether somebody reads. */
  get settled(): Promise<TurnResult> {
    return this.#result;
  }

  /** @internal A message of the session, or of its process, or that some were lost, while the turn runs. */
  hear(message: AcpHttpMessage | AcpHttpGap, request?: AgentRequest): void {
    if (this.#isOver) return;
    if (message.type === "gap") this.#lost.push(message);
    if (!this.#queue.dropped) this.#claims.claim(request);
    const event = this.#maker.make(message, request);
    if (event.type === "exited") return; // the promise says so
    this.#remember(event);
    this.#queue.push(event);
  }

  #remember(event: TurnEvent): void {
    if (event.type === "text") this.#text.push(event.text);
    if (event.type === "usage") {
      const { used, size, cost } = event;
      this.#usage = { ...this.#usage, used, size, ...(cost && { cost }) };
    }
    if (event.type === "tool") this.#changes.set(event.toolCallId, event.status === "failed" ? [] : changesIn(event));
  }

  async #settle(): Promise<TurnResult> {
    let failure: unknown;
    try {
      const answer = await Promise.race([this.#work.answer, this.#cancelIgnored]);
      const usage = answer.usage || this.#usage ? { ...this.#usage, ...(answer.usage as object | undefined) } : undefined;
      return {
        text: this.#text.join(""),
        stopReason: answer.stopReason,
        ...(usage && { usage }),
        changes: [...this.#changes.values()].flat(),
        ...(this.#lost.length > 0 && { lost: this.#lost }),
      };
    } catch (error) {
      failure = error;
      this.#mayRun = /_lost$/.test((error as SandboxAgentError).code);
      throw error;
    } finally {
      this.#isOver = true;
      this.#queue.end(failure);
      this.#claims.release();
      await this.#handedOver();
    }
  }

  // A reader that keeps reading gets everything before the promise settles; one that pauses does not hold it up.
  async #handedOver(): Promise<void> {
    for (let left = Infinity; this.#queue.length > 0 && this.#queue.length < left && this.#isRead;) {
      left = this.#queue.length;
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }

  async #cancel(): Promise<void> {
    const { answered, cancelGraceMs } = this.#work;
    const timer = setTimeout(() => this.#rejectIgnored(ignored(cancelGraceMs)), cancelGraceMs);
    void answered.then(() => clearTimeout(timer));
    try {
      await this.#work.cancel();
    } catch (error) {
      this.#cancelled = undefined; // the agent was not told: it may be tried again
      throw error;
    }
  }
}

function changesIn({ content }: ToolEvent): FileChange[] {
  return content.flatMap((part) => {
    if (part.type !== "diff") return [];
    const { path, oldText, newText } = part;
    return [{ path, newText, ...(typeof oldText === "string" && { oldText }) }];
  });
}

function ignored(ms: number): SandboxAgentError {
  return new CancelledError(`The turn was cancelled, and the agent did not end it within ${ms} ms.`, {
    code: "cancel_ignored",
    hint: "The agent may still be working: session.stopAgent() ends its process.",
  });
}
