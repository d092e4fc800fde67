// One reader of the event stream. It keeps its position over cuts: reconnects, and goes on after the last event it gave out.
// Pulled by its consumer: who does not read stops the server's writing. Owns its connection and nothing else.
import type { AnyMessage } from "@agentclientprotocol/sdk";
import { connectionLost, silent, type AcpHttpError } from "./errors.js";
import { Http, aborted, unanswered } from "./http.js";
import { parsed } from "./json.js";
import {
  settingsOf,
  type AcpHttpGap,
  type AcpHttpMessage,
  type AcpHttpOptions,
  type AcpHttpState,
  type Settings,
} from "./options.js";
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
  /** How often the stream was opened, whether it is open, and how many events it brought. */
  opens = 0;
  isOpen = false;
  events = 0;
  /** Called when a connection has been silent for too long. */
  onSilence = () => {};
  readonly #settings: Settings;
  readonly #http: Http;
  readonly #signal: AbortSignal;
  #connection = new AbortController();
  #reopening = false;
  #clientMessages = 0; // heard or lost since the last numbered event; they come again after a cut, for they have no numbers
  #heardBefore = 0; // of those that come again
  #state: AcpHttpState | undefined;

  constructor(settings: Settings, http: Http, signal: AbortSignal) {
    this.#settings = settings;
    this.#http = http;
    this.#signal = signal;
    this.position = settings.lastEventId;
    this.instanceId = settings.instanceId;
  }

  /** Drops the connection; items() makes a new one at once. */
  reopen(): void {
    this.#reopening = true;
    this.#connection.abort();
  }

  /** Ends by throwing: the first failure when the server was never reached, what it said, `connection_lost`, or the signal's reason. */
  async *items(): AsyncGenerator<ReaderItem, never> {
    let failures = 0;
    let brokenSince = Date.now();
    const { giveUpAfterMs, backoff } = this.#settings;
    const end = () => this.#connection.abort(); // also while nobody reads
    this.#signal.addEventListener("abort", end);
    try {
      for (;;) {
        let failure: AcpHttpError | undefined;
        let openedAt = Number.NaN;
        try {
          const response = await this.#open();
          const replaced = this.#take(response);
          openedAt = Date.now();
          brokenSince = 0;
          yield { type: "open", replaced };
          for await (const item of this.#read(response)) {
            failures = 0;
            yield item;
          }
        } catch (error) {
          failure = unanswered(error, this.#signal);
        } finally {
          this.isOpen = false;
        }
        if (this.#signal.aborted) throw unanswered(this.#signal.reason, this.#signal);
        if (failure && (!this.#http.isKnown || isFinal(failure))) throw failure;
        brokenSince ||= Date.now();
        const left = brokenSince + giveUpAfterMs - Date.now();
        if (left <= 0) throw lost(failure);
        this.#tell("reconnecting");
        if (Date.now() - openedAt >= backoff.mostMs) failures = 0; // it was a good connection, though nothing happened
        const wait = Math.max(failure?.retryAfterMs ?? 0, backoffMs(failures, backoff));
        if (!this.#reopening) await pause(Math.min(wait, left), this.#signal);
        ++failures;
      }
    } finally {
      this.#signal.removeEventListener("abort", end);
    }
  }

  async #open(): Promise<Response> {
    this.#connection = new AbortController();
    this.#reopening = false;
    const headers: Record<string, string> = { Accept: "text/event-stream" };
    if (this.position !== undefined) headers["Last-Event-ID"] = String(this.position);
    if (this.instanceId !== undefined) headers[this.#settings.headerNames.instanceId] = this.instanceId;
    const most = Math.min(this.#settings.silenceMs, this.#settings.giveUpAfterMs);
    const query = this.#settings.streamQuery;
    const response = await this.#guarded(most, (signal) => this.#http.call("GET", { query, headers, signal }));
    if (response.headers.get("Content-Type")?.startsWith("text/event-stream")) return response;
    this.#connection.abort();
    const status = this.opens > 0 ? undefined : response.status; // something in between may say so for a while
    throw connectionLost("The server's answer is no event stream.", { status });
  }

  #take(response: Response): boolean {
    const before = this.instanceId;
    this.instanceId = response.headers.get(this.#settings.headerNames.instanceId) ?? before;
    const replaced = before !== undefined && before !== this.instanceId;
    if (replaced) this.#goTo(0);
    this.#heardBefore = this.#clientMessages;
    this.isOpen = true;
    ++this.opens;
    this.#tell("open");
    return replaced;
  }

  #tell(state: AcpHttpState): void {
    if (state !== this.#state) this.#settings.onState?.((this.#state = state));
  }

  async *#read(response: Response): AsyncGenerator<AcpHttpMessage | AcpHttpGap> {
    const reader = response.body?.getReader();
    if (!reader) return;
    const decoder = new TextDecoder();
    const parser = new SseParser();
    try {
      for (;;) {
        const { value, done } = await this.#guarded(this.#settings.silenceMs, () => reader.read(), this.onSilence);
        if (done) return;
        for (const event of parser.feed(decoder.decode(value, { stream: true }))) {
          if (this.#signal.aborted) return;
          ++this.events;
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
  async #guarded<T>(mostMs: number, work: (signal: AbortSignal) => Promise<T>, onSilence = () => {}): Promise<T> {
    const connection = this.#connection;
    if (this.#signal.aborted) throw aborted(this.#signal.reason);
    if (connection.signal.aborted) throw silent();
    const timer = setTimeout(() => {
      connection.abort();
      onSilence();
    }, mostMs);
    let stop = () => {};
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(silent());
      connection.signal.addEventListener("abort", stop);
    });
    const working = work(connection.signal);
    working.catch(() => {});
    try {
      return await Promise.race([working, stopped]);
    } finally {
      clearTimeout(timer);
      connection.signal.removeEventListener("abort", stop);
    }
  }

  #item({ event, id, data }: ServerSentEvent): AcpHttpMessage | AcpHttpGap | undefined {
    const value = parsed(data);
    if (event === "gap") {
      const gap = { ...(value as object | undefined), type: "gap" } as AcpHttpGap;
      const { to, reason, clientMessages } = gap;
      if (Number.isSafeInteger(to)) this.#goTo(to!);
      else if (reason !== undefined)
        this.#goTo(0); // what follows begins anew
      else if (clientMessages) {
        this.#heardBefore -= clientMessages;
        const unheard = Math.min(clientMessages, -this.#heardBefore); // it counts all since the position
        if (unheard <= 0) return undefined;
        this.#clientMessages += unheard;
        return { ...gap, clientMessages: unheard };
      }
      return gap;
    }
    if (event === "client" && value && --this.#heardBefore < 0) {
      ++this.#clientMessages;
      this.#settings.onClientMessage?.(value as AnyMessage, data);
    }
    const number = /^\d{1,15}$/.test(id) ? Number(id) : 0; // 0: this server does not number
    if (event !== "message" || value === undefined || (number && number <= (this.position ?? 0))) return undefined;
    if (number) this.#goTo(number);
    return { type: "message", id: number, message: Object(value) as AnyMessage, json: data };
  }

  #goTo(position: number): void {
    this.position = position;
    this.#clientMessages = this.#heardBefore = 0;
  }
}

// Not so: no answer, and answers that may be different next time.
function isFinal({ status }: AcpHttpError): boolean {
  return status !== undefined && status < 500 && status !== 408 && status !== 425 && status !== 429;
}

function lost(cause: AcpHttpError | undefined): AcpHttpError {
  return connectionLost("The connection was lost and could not be made again.", { ...cause, cause });
}

/**
 * The messages of one agent process from `lastEventId` on, for as long as one reads them; a lost connection is made again without
 * losing or doubling any. Ends with an AcpHttpError, or quietly when the signal is aborted.
 */
export async function* acpHttpEvents(
  options: AcpHttpOptions & { serverId: string },
): AsyncGenerator<AcpHttpMessage | AcpHttpGap, void> {
  const settings = settingsOf(options);
  const signal = options.signal ?? new AbortController().signal;
  try {
    for await (const item of new EventReader(settings, new Http(settings), signal).items())
      if (item.type !== "open") yield item;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
