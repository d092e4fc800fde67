// One reader of the event stream. It keeps its position over cuts: reconnects, and goes on after the last event it gave out.
// Pulled by its consumer: who does not read stops the server's writing. Owns its connection and nothing else.
import type { AnyMessage } from "@agentclientprotocol/sdk";
import { AcpHttpError, type Problem } from "./errors.js";
import { Http, aborted, unanswered } from "./http.js";
import { settingsOf, type AcpHttpGap, type AcpHttpMessage, type AcpHttpOptions, type Settings } from "./options.js";
import { SseParser, type ServerSentEvent } from "./sse.js";
import { backoffMs, pause } from "./timing.js";

/** The stream is there (again). `replaced`: it is the stream of another instance than before. */
export interface Opened {
  readonly type: "open";
  readonly replaced: boolean;
}

export type ReaderItem = AcpHttpMessage | AcpHttpGap | Opened;

export class EventReader {
  position: number | undefined;
  instanceId: string | undefined;
  readonly #settings: Settings;
  readonly #http: Http;
  readonly #signal: AbortSignal;
  #connection = new AbortController();
  #known: boolean;

  /** `known`: the server has answered before, so that not reaching it is a cut; else the first failure ends the reader. */
  constructor(settings: Settings, http: Http, signal: AbortSignal, known: boolean) {
    this.#settings = settings;
    this.#http = http;
    this.#signal = signal;
    this.#known = known;
    this.position = settings.lastEventId;
    this.instanceId = settings.instanceId;
  }

  /** Drops the connection; items() makes a new one at once. */
  reopen(): void {
    this.#connection.abort();
  }

  /** Ends by throwing: what the server said, `connection_lost`, or the signal's reason. */
  async *items(): AsyncGenerator<ReaderItem, never> {
    let failures = 0;
    let brokenSince = Date.now();
    for (;;) {
      let failure: AcpHttpError | undefined;
      try {
        const response = await this.#open();
        const replaced = this.#take(response);
        brokenSince = 0;
        this.#known = true;
        this.#settings.onState?.("open");
        yield { type: "open", replaced };
        for await (const item of this.#read(response)) {
          failures = 0;
          if (item) yield item;
        }
      } catch (error) {
        failure = unanswered(error, this.#signal);
      }
      if (this.#signal.aborted) throw unanswered(this.#signal.reason, this.#signal);
      if (failure && (!this.#known || isFinal(failure))) throw failure;
      brokenSince ||= Date.now();
      if (Date.now() - brokenSince >= this.#settings.giveUpAfterMs) throw lost(failure);
      this.#settings.onState?.("reconnecting");
      if (!this.#connection.signal.aborted || failures > 0) {
        await pause(Math.max(failure?.retryAfterMs ?? 0, backoffMs(failures, this.#settings.backoff)), this.#signal);
      }
      ++failures;
    }
  }

  async #open(): Promise<Response> {
    this.#connection = new AbortController();
    const headers: Record<string, string> = { Accept: "text/event-stream" };
    if (this.position !== undefined) headers["Last-Event-ID"] = String(this.position);
    if (this.instanceId !== undefined) headers[this.#settings.headerNames.instanceId] = this.instanceId;
    return await this.#guarded((signal) => this.#http.call("GET", { query: this.#settings.streamQuery, headers, signal }));
  }

  #take(response: Response): boolean {
    const instanceId = response.headers.get(this.#settings.headerNames.instanceId) ?? undefined;
    const replaced = instanceId !== undefined && this.instanceId !== undefined && instanceId !== this.instanceId;
    this.instanceId = instanceId ?? this.instanceId;
    return replaced;
  }

  // undefined: a sign of life.
  async *#read(response: Response): AsyncGenerator<AcpHttpMessage | AcpHttpGap | undefined> {
    const reader = response.body?.getReader();
    if (!reader) return;
    const decoder = new TextDecoder();
    const parser = new SseParser();
    try {
      for (;;) {
        const { value, done } = await this.#guarded(() => reader.read());
        if (done) return;
        yield undefined;
        for (const event of parser.feed(decoder.decode(value, { stream: true }))) {
          const item = this.#item(event);
          if (item) yield item;
        }
      }
    } finally {
      this.#connection.abort();
      reader.cancel().catch(() => {});
    }
  }

  // Waits for the network, but no longer than silence may last, and not when the reader is told to end or to reopen.
  async #guarded<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const connection = this.#connection;
    if (this.#signal.aborted) throw aborted(this.#signal.reason);
    const end = () => connection.abort();
    const timer = setTimeout(end, this.#settings.silenceMs);
    this.#signal.addEventListener("abort", end);
    let stop = () => {};
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(new AcpHttpError("The stream was silent for too long.", { code: "connection_lost" }));
      connection.signal.addEventListener("abort", stop);
    });
    const working = work(connection.signal);
    working.catch(() => {});
    try {
      return await Promise.race([working, stopped]);
    } finally {
      clearTimeout(timer);
      this.#signal.removeEventListener("abort", end);
      connection.signal.removeEventListener("abort", stop);
    }
  }

  #item({ event, id, data }: ServerSentEvent): AcpHttpMessage | AcpHttpGap | undefined {
    const value = parse(data);
    if (event === "gap") {
      const gap = { ...(value as object), type: "gap" } as AcpHttpGap;
      this.position = gap.to ?? 0;
      return gap;
    }
    if (event === "client" && value) this.#settings.onClientMessage?.(value as AnyMessage);
    const number = Number(id); // 0: this server does not number
    if (event !== "message" || value === undefined || (number && number <= (this.position ?? 0))) return undefined;
    if (number) this.position = number;
    return { type: "message", id: number, message: value as AnyMessage, json: data };
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

// Not so: no answer, and answers that may be different next time.
function isFinal({ status }: AcpHttpError): boolean {
  return status !== undefined && status < 500 && status !== 408 && status !== 425 && status !== 429;
}

function lost(cause: AcpHttpError | undefined): AcpHttpError {
  const problem: Problem | undefined = cause?.problem;
  return new AcpHttpError("The connection was lost and could not be made again.", { code: "connection_lost", status: cause?.status, problem, cause });
}

/**
 * The messages of one agent process from `lastEventId` on, for as long as one reads them; a lost connection is made again without
 * losing or doubling any. Ends with an AcpHttpError, or quietly when the signal is aborted.
 */
export async function* acpHttpEvents(options: AcpHttpOptions & { serverId: string }): AsyncGenerator<AcpHttpMessage | AcpHttpGap, void> {
  const settings = settingsOf(options);
  const signal = options.signal ?? new AbortController().signal;
  try {
    for await (const item of new EventReader(settings, new Http(settings), signal, false).items()) if (item.type !== "open") yield item;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
