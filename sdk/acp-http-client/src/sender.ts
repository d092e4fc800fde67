// Messages to the agent, one POST after the other. A POST that was cut before its answer is repeated where that cannot do harm.
import type { AnyMessage, AnyResponse } from "@agentclientprotocol/sdk";
import { AcpHttpError, connectionLost, silent } from "./errors.js";
import { drain, type Http } from "./http.js";
import { parsed } from "./json.js";
import type { Settings } from "./options.js";
import { backoffMs, pause } from "./timing.js";

/** What the server did with a message: took it, or (to a request) answered at once. */
export interface Sent {
  instanceId?: string | undefined;
  answer?: AnyResponse;
  /** The number of the answer in the stream; 0: it has none. */
  eventId?: number;
}

/** Whether a message that may have arrived is to be sent again; takes the time it needs to find out. */
export type Recheck = () => Promise<boolean>;

export class Sender {
  /** The server does not know respond-async: the POST of a request lasts as long as the agent needs, do not wait for it. */
  waitsForAnswers = false;
  readonly #settings: Settings;
  readonly #http: Http;
  readonly #signal: AbortSignal;
  readonly #underWay = new Set<AbortController>();
  #query: Record<string, string> | undefined; // until the first success

  constructor(settings: Settings, http: Http, signal: AbortSignal) {
    this.#settings = settings;
    this.#http = http;
    this.#signal = signal;
    this.#query = settings.firstQuery;
    signal.addEventListener("abort", () => this.#abort(signal.reason));
  }

  /** The network is found to be dead: what is under way counts as cut. POSTs that wait for the agent may go on. */
  cut(): void {
    if (!this.waitsForAnswers) this.#abort(silent());
  }

  /**
   * Repeats after cuts: answers to the agent and cancels, of which the first counts; a request, which has a `recheck`, only when that
   * says that its answer is not there. 409 says that it had arrived.
   */
  async send(message: AnyMessage, recheck?: Recheck): Promise<Sent> {
    const isRequest = recheck !== undefined;
    const mayRepeat = isRequest || isHarmless(message);
    const body = JSON.stringify(message);
    const giveUpAt = Date.now() + this.#settings.giveUpAfterMs;
    for (let attempt = 0; ; ++attempt) {
      try {
        return await this.#post(body, isRequest);
      } catch (error) {
        const failure = error as AcpHttpError;
        if (attempt > 0 && isRequest && failure.status === 409) return {};
        const isPassing = isCut(failure) || (isBusy(failure) && !("method" in message)); // nobody would see that an answer failed
        if (!isPassing || !mayRepeat || !this.#http.isKnown || this.#signal.aborted || Date.now() >= giveUpAt) throw failure;
        if (recheck && !(await recheck())) return {};
        await pause(Math.max(failure.retryAfterMs ?? 0, backoffMs(attempt, this.#settings.backoff)), this.#signal);
      }
    }
  }

  async #post(body: string, isRequest: boolean): Promise<Sent> {
    const headers: Record<string, string> = { "Content-Type": "application/json", Accept: "application/json" };
    if (isRequest) headers["Prefer"] = "respond-async";
    const attempt = new AbortController();
    if (this.#signal.aborted) attempt.abort(this.#signal.reason);
    this.#underWay.add(attempt);
    try {
      const response = await this.#http.call("POST", { query: this.#query, headers, body, signal: attempt.signal });
      this.#query = undefined;
      return await this.#sent(response, isRequest);
    } finally {
      this.#underWay.delete(attempt);
    }
  }

  async #sent(response: Response, isRequest: boolean): Promise<Sent> {
    const { instanceId: instanceHeader, eventId: eventHeader } = this.#settings.headerNames;
    const instanceId = response.headers.get(instanceHeader) ?? undefined;
    if (!isRequest || response.status === 202) {
      drain(response);
      return { instanceId };
    }
    this.waitsForAnswers = true;
    return { instanceId, answer: await answerOf(response), eventId: Number(response.headers.get(eventHeader)) || 0 };
  }

  #abort(reason: unknown): void {
    for (const attempt of this.#underWay) attempt.abort(reason);
  }
}

async function answerOf(response: Response): Promise<AnyResponse> {
  const text = await response.text().catch((cause: unknown) => {
    throw connectionLost("The connection was lost while the answer came.", { cause });
  });
  const answer = Object(parsed(text)) as object;
  if ("result" in answer || "error" in answer) return answer as AnyResponse;
  throw new AcpHttpError("What the server sent is no answer to the request.", {
    code: "invalid_answer",
    status: response.status,
  });
}

function isCut({ code, status }: AcpHttpError): boolean {
  return code === "connection_lost" && status === undefined;
}

function isBusy({ status }: AcpHttpError): boolean {
  return status === 503 || status === 429;
}

function isHarmless(message: AnyMessage): boolean {
  return !("method" in message) || message.method === "session/cancel" || message.method === "$/cancel_request";
}
