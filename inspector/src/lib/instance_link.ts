// The connection of this tab to one agent process: one stream that resumes, and messages to the agent. What it hears goes into the
// view, in order; answers to what it asked settle the calls. Lives until close(), leave() or until the stream is over for good.
import { AcpHttpStream, type AcpHttpError, type AcpHttpState } from "acp-http-client";
import { keyOf } from "../state/json_rpc.js";
import type { InstanceView } from "../state/instance.js";
import { notedFetch } from "./http_log.js";

const sliceMs = 12; // so long a burst may keep the page from drawing
const longSliceMs = 40; // while a long history is read, of which little is drawn
export const farBehind = 2_000; // messages
const forever = 2 ** 31 - 1; // the longest a timer can wait
const partingMs = 5_000; // so long what is on its way may be under way after the link was left
const retry = { firstMs: 50, mostMs: 1_000 };

export interface LinkOptions {
  readonly view: InstanceView;
  readonly baseUrl: string;
  readonly token: string | undefined;
  /** Starts this agent if there is no such process. */
  readonly agent?: string;
  /** Where an earlier link was: the stream goes on from there. */
  readonly resume?: { readonly position: number; readonly instanceId: string | undefined };
  /** What the process had said when the link was made; up to there nobody knows when it was said. */
  readonly replayTo: number;
  /** Something was heard. */
  readonly onHeard: () => void;
  readonly onState: (state: AcpHttpState) => void;
  /** The stream is over: the process ended, is gone, or the daemon refuses. */
  readonly onEnd: (failure: AcpHttpError) => void;
}

/** An answer of the agent that says no. */
export class AgentRefusal extends Error {
  constructor(
    message: string,
    readonly code: number | undefined,
    readonly data: unknown,
  ) {
    super(message);
  }
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

export class InstanceLink {
  readonly #options: LinkOptions;
  readonly #stream: AcpHttpStream;
  readonly #writer: WritableStreamDefaultWriter;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 0;
  #known: number; // messages of clients that were heard before and come again
  #sliceBegan = 0;
  readonly #turn = new MessageChannel();
  #isClosed = false; // by whoever made it
  #wanted = Infinity; // the last event to be heard, once it was left

  constructor(options: LinkOptions) {
    this.#options = options;
    const { view, resume, agent } = options;
    this.#known = resume ? clientMessagesBehind(view) : 0;
    this.#stream = new AcpHttpStream({
      baseUrl: options.baseUrl,
      serverId: view.serverId,
      ...(agent !== undefined && { firstQuery: { agent } }),
      streamQuery: { include: "client" },
      ...(options.token !== undefined && { token: options.token }),
      ...(resume && { lastEventId: resume.position }),
      ...(resume?.instanceId !== undefined && { instanceId: resume.instanceId }),
      fetch: notedFetch,
      giveUpAfterMs: forever,
      backoff: retry,
      onMessage: ({ id, message, json }) => {
        if (id > this.#wanted) return "keep";
        this.#known = 0;
        view.hear(view.log.agent(id, message, json, id > options.replayTo ? Date.now() : undefined));
        options.onHeard();
        return "keep";
      },
      onClientMessage: (message, json) => {
        if (this.#isClosed || --this.#known >= 0) return;
        view.hear(view.log.client(message, json, this.position >= options.replayTo ? Date.now() : undefined));
        options.onHeard();
      },
      onGap: ({ type: _, ...gap }) => {
        if (this.#isClosed) return;
        this.#known = 0;
        view.hear(view.log.gap(gap, Date.now()));
        options.onHeard();
      },
      onState: (state) => {
        if (!this.#isClosed) options.onState(state);
      },
      room: () => this.#breath(),
    });
    this.#writer = this.#stream.writable.getWriter();
    this.#writer.closed.catch(() => {});
    void this.#listen();
  }

  /** Of the last message of the agent that was heard. */
  get position(): number {
    return this.#stream.position ?? 0;
  }

  get instanceId(): string | undefined {
    return this.#stream.instanceId;
  }

  /** Reads from a process that runs already. */
  read(): void {
    this.#stream.read();
  }

  /** `onTaken`: the daemon has it. Rejects with AgentRefusal, or AcpHttpError when it could not be asked. */
  request(method: string, params: object, onTaken = () => {}): Promise<unknown> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      const written = () => this.#waiting.has(id) && onTaken(); // a request that was refused is not waited for
      this.#writer.write({ jsonrpc: "2.0", id, method, params }).then(written, (error: unknown) => {
        this.#waiting.delete(id);
        reject(error as Error);
      });
    });
  }

  /** Resolves when the daemon has taken it. */
  async notify(method: string, params: object): Promise<void> {
    await this.#send({ jsonrpc: "2.0", method, params }, params);
  }

  /** Answers a request of the agent. */
  async answer(id: unknown, result: object): Promise<void> {
    await this.#send({ jsonrpc: "2.0", id, result }, result);
  }

  /** Tells the agent that nobody here can do that. */
  async refuse(id: unknown, method: string): Promise<void> {
    const error = { code: -32601, message: `The inspector does not offer ${method}.` };
    await this.#writer.write({ jsonrpc: "2.0", id, error });
  }

  /** Stops reading and sending. The process goes on. */
  close(): void {
    this.#isClosed = true;
    this.#stream.close();
  }

  /**
   * Stops reading. What is on its way is still sent; calls that wait for the agent reject then. Resolves when that is over; undefined:
   * nothing is on its way.
   */
  leave(): Promise<void> | undefined {
    const isSending = this.#writer.desiredSize !== 1;
    this.#isClosed = true;
    this.#wanted = this.position;
    const end = () => this.#stream.close();
    setTimeout(end, partingMs);
    const sent = this.#writer.close().then(end, end);
    return isSending ? sent : undefined;
  }

  async #send(message: object, watched: object): Promise<void> {
    const taken = this.#stream.watch(watched);
    await this.#writer.write(message);
    await taken;
  }

  async #listen(): Promise<void> {
    const reader = this.#stream.readable.getReader();
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        this.#settle(value as { id?: unknown; result?: unknown; error?: { code?: number; message?: string; data?: unknown } });
      }
    } catch {
      // what failed is said below
    }
    const { failure } = this.#stream;
    for (const { reject } of this.#waiting.values()) reject(failure);
    this.#waiting.clear();
    if (failure && !this.#isClosed) this.#options.onEnd(failure);
  }

  #settle({
    id,
    result,
    error,
  }: {
    id?: unknown;
    result?: unknown;
    error?: { code?: number; message?: string; data?: unknown };
  }) {
    const waiting = this.#waiting.get(id as number);
    this.#waiting.delete(id as number);
    if (!waiting) return;
    if (error === undefined) waiting.resolve(result);
    else if (error.data instanceof Error) waiting.reject(error.data);
    else waiting.reject(new AgentRefusal(error.message ?? "The agent refused.", error.code, error.data));
  }

  // A long burst lets the page draw in between. One that is not seen draws nothing, and its timers are so slow that the agent would wait.
  #breath(): Promise<void> | undefined {
    if (document.hidden) return undefined;
    const now = performance.now();
    const longest = this.#options.replayTo - this.position > farBehind ? longSliceMs : sliceMs;
    if (this.#sliceBegan === 0 || now - this.#sliceBegan > 10 * longest) this.#sliceBegan = now;
    if (now - this.#sliceBegan < longest) return undefined;
    // Timers within timers wait for 4 ms; a message does not.
    return new Promise((resolve) => {
      this.#turn.port1.onmessage = () => {
        this.#sliceBegan = performance.now();
        resolve();
      };
      this.#turn.port2.postMessage(undefined);
    });
  }
}

// They have no numbers of their own: a stream that goes on behind an event of the agent brings them again.
function clientMessagesBehind({ log: { entries } }: InstanceView): number {
  const last = entries.findLastIndex(({ from }) => from !== "client");
  return entries.length - 1 - last;
}

/** Names a request of an agent among all that this tab answered. */
export const askKey = (serverId: string, requestId: unknown): string => `${serverId} ${keyOf(requestId)}`;
