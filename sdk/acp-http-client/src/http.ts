// One HTTP call to the connection's path. An answer that is no success, and no answer at all, become an AcpHttpError.
import { AcpHttpError, connectionLost, errorOf } from "./errors.js";
import type { Settings } from "./options.js";

export interface Call {
  query?: Record<string, string> | undefined;
  headers?: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

export class Http {
  /** The server has answered with success before, so that not reaching it is a cut. */
  isKnown = false;
  readonly #settings: Settings;
  readonly #url: string;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#url =
      settings.baseUrl.replace(/\/+$/, "") + settings.path.replaceAll("{serverId}", encodeURIComponent(settings.serverId));
  }

  async call(method: "POST" | "GET" | "DELETE", call: Call): Promise<Response> {
    let response;
    try {
      const { body = null, signal } = call;
      const headers = await this.#headers(call.headers);
      const { fetch } = this.#settings;
      response = await fetch(this.#urlWith(call.query), { method, headers, body, signal });
    } catch (cause) {
      throw unanswered(cause, call.signal);
    }
    if (!response.ok) throw await errorOf(response);
    this.isKnown = true;
    return response;
  }

  async #headers(more: Record<string, string> = {}): Promise<Headers> {
    const { headers: given, token } = this.#settings;
    const headers = new Headers(typeof given === "function" ? await given() : given);
    if (token) headers.set("Authorization", `Bearer ${token}`);
    for (const name in more) headers.set(name, more[name]!);
    return headers;
  }

  #urlWith(query: Record<string, string> = {}): string {
    const text = String(new URLSearchParams(query));
    return this.#url + (text && (this.#url.includes("?") ? "&" : "?")) + text;
  }
}

/** Reads the rest of an answer that does not matter, so that its connection can be used again. */
export function drain(response: Response): void {
  response.text().catch(() => {});
}

/** The failure of a connection, as opposed to an answer that says no. */
export function unanswered(cause: unknown, signal: AbortSignal | undefined): AcpHttpError {
  if (cause instanceof AcpHttpError) return cause;
  if (signal?.aborted) return aborted(signal.reason);
  return connectionLost("The connection to the server failed or was lost.", { cause });
}

export function aborted(cause: unknown): AcpHttpError {
  if (cause instanceof AcpHttpError) return cause;
  return new AcpHttpError("The connection was ended by its signal.", { code: "aborted", cause });
}
