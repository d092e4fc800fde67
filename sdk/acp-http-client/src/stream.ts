// The Stream for the official SDK. Messages are handed on in the order of the server's numbers, an answer in a task of its own, after
// the handlers of everything before it have begun. Ends with the first failure that concerns everything; failures of one call
// reject that call. Lives until close(), delete(), its signal, or that failure.
import type { AnyMessage, AnyResponse, JsonRpcId, Stream } from "@agentclientprotocol/sdk";
import { AcpHttpError, connectionLost, silent } from "./errors.js";
import { EventReader } from "./events.js";
import { Http, aborted, drain, unanswered } from "./http.js";
import { settingsOf, type AcpHttpGap, type AcpHttpMessage, type AcpHttpOptions, type Settings } from "./options.js";
import { Inbox } from "./inbox.js";
import { Pending } from "./pending.js";
import { Sender } from "./sender.js";
import { nextTask, pause } from "./timing.js";

const calmMs = 250; // a stream that brought nothing for this long has brought what there was
const mostCalmChecks = 8; // for as many times that long a busy stream is read before a request is sent again
const askAgainMs = 5_000;

export class AcpHttpStream implements Stream {
  readonly serverId: string;
  readonly writable: WritableStream<AnyMessage>;
  readonly #settings: Settings;
  readonly #http: Http;
  readonly #end = new AbortController();
  readonly #pending = new Pending();
  readonly #sender: Sender;
  readonly #reader: EventReader;
  readonly #reserved = new WeakMap<object, string>();
  readonly #watched = new Map<object, { resolve: () => void; reject: (error: AcpHttpError) => void }>();
  readonly #inbox = new Inbox(() => this.close());
  #failure: AcpHttpError | undefined;
  #reading = false;
  #isHeld = false; // what was read waits for room: that nothing follows says nothing
  #seeksLostAnswers = false;

  constructor(options: AcpHttpOptions) {
    this.#settings = settingsOf(options);
    this.serverId = this.#settings.serverId;
    this.#http = new Http(this.#settings);
    this.#sender = new Sender(this.#settings, this.#http, this.#end.signal);
    this.#reader = new EventReader(this.#settings, this.#http, this.#end.signal);
    this.#reader.onSilence = () => this.#sender.cut();
    this.writable = new WritableStream({ write: (message) => this.#write(message), abort: () => this.close() });
    const { signal } = options;
    const end = () => this.#fail(aborted(signal!.reason));
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end, { signal: this.#end.signal });
  }

  get readable(): ReadableStream<AnyMessage> {
    return this.#inbox.readable;
  }

  /** Why the stream is over; undefined while it is not. */
  get failure(): AcpHttpError | undefined {
    return this.#failure;
  }

  /** The number of the last event that was handed on. */
  get position(): number | undefined {
    return this.#reader.position;
  }

  get instanceId(): string | undefined {
    return this.#reader.instanceId;
  }

  /** The ids, on the wire, of the requests that are unanswered. */
  get openRequests(): JsonRpcId[] {
    return this.#pending.ids();
  }

  /** The id on the wire that the request with these params will have, for adopt(). */
  reserveId(params: object): string {
    const id = this.#pending.reserve();
    this.#reserved.set(params, id);
    return id;
  }

  /** Reads without having sent anything: for an agent process that runs already. */
  read(): void {
    if (this.#reading || this.#failure) return;
    this.#reading = true;
    this.#settings.onState?.("connecting");
    void this.#pump();
  }

  /** The answer to a request that was made under this id on the wire before, for example by the page before it was loaded anew. */
  adopt(wireId: string): Promise<AnyResponse> {
    if (this.#failure) return Promise.reject(this.#failure);
    const answer = this.#pending.adopt(wireId);
    if (!this.#seeksLostAnswers) void this.#seekLostAnswers(); // it may have been lost long ago
    return answer;
  }

  /** Settles when the message with these params, or this result, has been taken by the server or will never be. */
  watch(paramsOrResult: object): Promise<void> {
    const sent = new Promise<void>((resolve, reject) => {
      if (this.#failure) reject(this.#failure);
      else this.#watched.set(paramsOrResult, { resolve, reject });
    });
    sent.catch(() => {});
    return sent;
  }

  /** Stops reading and sending. The agent process stays. */
  close(): void {
    this.#fail(new AcpHttpError("The connection is closed.", { code: "closed" }));
  }

  /** Ends the agent process, and with it the connection. Rejects when nobody says so in time; default: `giveUpAfterMs`. */
  async delete(withinMs = this.#settings.giveUpAfterMs): Promise<void> {
    this.close();
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(silent()), withinMs);
    try {
      drain(await this.#http.call("DELETE", { signal: limit.signal }));
    } finally {
      clearTimeout(timer);
    }
  }

  async #write(message: AnyMessage): Promise<void> {
    if (this.#failure) throw this.#failure;
    const { params, result } = message as { params?: object; result?: object };
    const watched = this.#watched.get((params ?? result)!);
    this.#watched.delete((params ?? result)!);
    const wire = this.#pending.outgoing(message, this.#reserved.get(params!));
    this.#reserved.delete(params!);
    if ("method" in wire && "id" in wire) {
      const sent = this.#request(wire, wire.id);
      if (!this.#sender.waitsForAnswers) await sent;
      return;
    }
    try {
      await this.#sender.send(wire);
      watched?.resolve();
      this.read();
    } catch (error) {
      const failure = error as AcpHttpError;
      watched?.reject(failure); // the official SDK would close the whole connection
      if ("result" in wire && !this.#failure)
        await this.#write({ jsonrpc: "2.0", id: wire.id, error: { code: -32603, message: failure.message } }); // the agent waits
    }
  }

  async #request(wire: AnyMessage, wireId: JsonRpcId): Promise<void> {
    try {
      const sent = await this.#sender.send(wire, () => this.#needsRepeating(wireId));
      const waiting = this.#pending.get(wireId);
      if (waiting) {
        waiting.taken = true;
        waiting.instanceId = sent.instanceId;
        if (sent.answer) waiting.early = { after: (sent.eventId ?? 0) - 1, answer: { ...sent.answer, id: wireId } };
      }
      this.#reader.instanceId ??= sent.instanceId;
      this.read();
      await this.#handOnRipe();
    } catch (error) {
      this.#reject(wireId, error as AcpHttpError);
    }
  }

  // Whether a request that may have arrived is unanswered. Asks a fresh stream, which begins with all that was missed.
  async #needsRepeating(wireId: JsonRpcId): Promise<boolean> {
    this.read();
    const { opens } = this.#reader;
    this.#reader.reopen();
    const isCertain = await this.#calm([wireId], opens + 1, mostCalmChecks);
    if (this.#pending.get(wireId)?.gapped) this.#reject(wireId, answerLost());
    if (!isCertain) this.#reject(wireId, connectionLost("Whether the request arrived is unknown."));
    return this.#pending.get(wireId) !== undefined && !this.#failure;
  }

  // While one of the requests is open: waits until the stream, opened that often, has brought nothing for a moment, or has been
  // read for as many moments as given. False: there was no such stream.
  async #calm(ids: JsonRpcId[], opens: number, mostChecks: number): Promise<boolean> {
    const reader = this.#reader;
    const giveUpAt = Date.now() + this.#settings.giveUpAfterMs;
    for (let checks = 0; checks < mostChecks && ids.some((id) => this.#pending.get(id));) {
      const before = { opens: reader.opens, events: reader.events, isRead: this.#isRead };
      await pause(Math.min(calmMs, this.#settings.silenceMs / 3), this.#end.signal);
      const isSame = before.isRead && this.#isRead && before.opens >= opens && before.opens === reader.opens;
      if (isSame && before.events === reader.events) return true;
      checks = isSame ? checks + 1 : 0;
      if (this.#failure || (!isSame && Date.now() >= giveUpAt)) return false;
    }
    return true;
  }

  get #isRead(): boolean {
    return this.#reader.isOpen && !this.#isHeld;
  }

  async #pump(): Promise<void> {
    try {
      for await (const item of this.#reader.items()) {
        if (item.type === "open") this.#onOpen(item.replaced);
        else if (item.type === "gap") this.#onGap(item);
        else await this.#onMessage(item);
        const handedOn = this.#handOnRipe();
        if (handedOn) await handedOn;
        this.#isHeld = true;
        if (this.#inbox.isFull) await this.#inbox.room();
        const room = this.#settings.room?.();
        if (room) await room;
        this.#isHeld = false;
      }
    } catch (error) {
      this.#fail(unanswered(error, undefined));
    }
  }

  async #onMessage(item: AcpHttpMessage): Promise<void> {
    const { message } = item;
    const isAnswer = !("method" in message);
    if (isAnswer && this.#pending.get(message.id)) await nextTask();
    const kept = this.#settings.onMessage?.(item) === "keep";
    if (isAnswer) return this.#handOn(this.#pending.settle(message));
    if (!kept) this.#handOn(message);
    if (message.method !== this.#settings.exitMethod || "id" in message) return;
    await nextTask();
    this.#fail(exited(message.params));
  }

  #onOpen(replaced: boolean): void {
    if (!replaced) return;
    const error = new AcpHttpError("The agent process was replaced by another one.", { code: "instance_replaced" });
    for (const id of this.#pending.ids())
      if (this.#pending.get(id)?.instanceId !== this.#reader.instanceId) this.#reject(id, error);
  }

  #onGap(gap: AcpHttpGap): void {
    this.#settings.onGap?.(gap);
    if (gap.to === undefined && gap.clientMessages !== undefined) return;
    this.#pending.markGap();
    if (!this.#seeksLostAnswers) void this.#seekLostAnswers();
  }

  async #seekLostAnswers(): Promise<void> {
    const ask = this.#settings.answersOutstanding;
    const doubtful = () => this.#pending.ids().filter((id) => this.#pending.get(id)?.gapped);
    this.#seeksLostAnswers = true;
    while (ask && !this.#failure && doubtful().length > 0) {
      const taken = doubtful().filter((id) => this.#pending.get(id)?.taken);
      const outstanding = await Promise.resolve()
        .then(ask)
        .catch(() => undefined);
      const error = outstanding === 0 ? answerLost() : outstanding;
      if (error instanceof AcpHttpError && taken.length > 0) {
        const isCalm = await this.#calm(taken, 0, Number.POSITIVE_INFINITY); // else they may be on their way
        if (isCalm) for (const id of taken) this.#reject(id, error);
      } else {
        await pause(askAgainMs, this.#end.signal);
      }
    }
    this.#seeksLostAnswers = false;
  }

  // Answers that came by POST, once the stream has come to their place. An answer without a number has no place.
  #handOnRipe(): Promise<void> | undefined {
    const ripe = this.#pending.ripe(this.#reader.position ?? 0);
    if (ripe.length === 0) return undefined; // so for nearly every message
    return nextTask().then(() => ripe.forEach((answer) => this.#handOn(this.#pending.settle(answer))));
  }

  #reject(wireId: JsonRpcId, error: AcpHttpError): void {
    this.#handOn(this.#pending.fail(wireId, error));
  }

  #handOn(message: AnyMessage | undefined): void {
    if (message) this.#inbox.put(message);
  }

  #fail(error: AcpHttpError): void {
    if (this.#failure) return;
    this.#failure = error;
    this.#end.abort(error);
    this.#pending.failAdopted(error);
    for (const { reject } of this.#watched.values()) reject(error);
    this.#watched.clear();
    this.#settings.onState?.("closed");
    this.#inbox.end(error);
  }
}

function answerLost(): AcpHttpError {
  return new AcpHttpError("No answer will come: the server had to drop it, or never got the request.", { code: "answer_lost" });
}

function exited(params: unknown): AcpHttpError {
  const { code, signal, reason } = (params ?? {}) as { code?: number | null; signal?: string | null; reason?: string };
  const how = signal ? `was ended by ${signal}` : `ended with exit code ${code ?? "unknown"}`;
  return new AcpHttpError(reason ?? `The agent process ${how}.`, {
    code: "agent_process_exited",
    problem: { ...(typeof code === "number" && { exitCode: code }), ...(signal && { signal }) },
  });
}
