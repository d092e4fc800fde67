// Messages to the agent, one POST after the other. A POST that was cut before its answer is repeated where that cannot do harm.
import type { AnyMessage, AnyResponse } from "@agentclientprotocol/sdk";
import { AcpHttpError } from "./errors.js";
import type { Http } from "./http.js";
import type { Settings } from "./options.js";
import { backoffMs, pause } from "./timing.js";

/** What the server did with a message: took it, or (to a request) answered at once. */
export interface Sent {
  instanceId: string | undefined;
  answer?: AnyResponse;
  /** The number of the answer in the stream, if it has one. */
  eventId?: number;
}

/** Makes a fresh stream and resolves when it has been open for a moment; false: the message is no longer needed. */
export type Recheck = () => Promise<boolean>;

export class Sender {
  readonly #settings: Settings;
  readonly #http: Http;
  readonly #signal: AbortSignal;
  #query: Record<string, string> | undefined; // until the first success
  #known = false;
  #waitsForAnswers = false; // the server does not know respond-async

  constructor(settings: Settings, http: Http, signal: AbortSignal) {
    this.#settings = settings;
    this.#http = http;
    this.#signal = signal;
    this.#query = settings.firstQuery;
  }

  /** The POST of a request lasts as long as the agent needs: do not wait for it. */
  get waitsForAnswers(): boolean {
    return this.#waitsForAnswers;
  }

  /** Repeats after cuts: for answers to the agent and for cancels, of which the first counts. */
  async send(message: AnyMessage): Promise<Sent> {
    return this.#repeated(message, isHarmless(message) ? () => pause(0, this.#signal).then(() => true) : undefined);
  }

  /** A request: repeated after a cut only when `recheck` says that its answer is not there; 409 says that it had arrived. */
  async request(message: AnyMessage, recheck: Recheck): Promise<Sent> {
    return this.#repeated(message, recheck);
  }

  async #repeated(message: AnyMessage, recheck: Recheck | undefined): Promise<Sent> {
    const body = JSON.stringify(message);
    const isRequest = "method" in message && "id" in message;
    const giveUpAt = Date.now() + this.#settings.giveUpAfterMs;
    for (let cuts = 0; ; ++cuts) {
      try {
        return await this.#post(body, isRequest);
      } catch (error) {
        const failure = error as AcpHttpError;
        if (cuts > 0 && isRequest && failure.status === 409) return { instanceId: undefined };
        const isCut = failure.code === "connection_lost" && failure.status === undefined;
        if (!isCut || !recheck || !this.#known || this.#signal.aborted || Date.now() >= giveUpAt) throw failure;
        if (!(await recheck())) return { instanceId: undefined };
        await pause(backoffMs(cuts, this.#settings.backoff), this.#signal);
      }
    }
  }

  async #post(body: string, isRequest: boolean): Promise<Sent> {
    const headers: Record<string, string> = { "Content-Type": "application/json", Accept: "application/json" };
    if (isRequest) headers["Prefer"] = "respond-async";
    const response = await this.#http.call("POST", { query: this.#query, headers, body, signal: this.#signal });
    this.#query = undefined;
    this.#known = true;
    const { instanceId: instanceHeader, eventId: eventHeader } = this.#settings.headerNames;
    const instanceId = response.headers.get(instanceHeader) ?? undefined;
    if (!isRequest || response.status === 202) {
      response.body?.cancel().catch(() => {});
      return { instanceId };
    }
    this.#waitsForAnswers = true;
    const eventId = Number(response.headers.get(eventHeader) ?? Number.NaN);
    const answer = await answerOf(response);
    return Number.isNaN(eventId) ? { instanceId, answer } : { instanceId, answer, eventId };
  }
}

async function answerOf(response: Response): Promise<AnyResponse> {
  let text;
  try {
    text = await response.text();
  } catch (cause) {
    throw new AcpHttpError("The connection was lost while the answer came.", { code: "connection_lost", cause });
  }
  try {
    return JSON.parse(text) as AnyResponse;
  } catch (cause) {
    throw new AcpHttpError("The server's answer is no JSON.", { code: "invalid_answer", status: response.status, cause });
  }
}

function isHarmless(message: AnyMessage): boolean {
  return !("method" in message) || message.method === "session/cancel" || message.method === "$/cancel_request";
}
