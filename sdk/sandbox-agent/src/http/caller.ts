// One caller per daemon: makes requests, tells failures apart, keeps the token out of URLs and messages. Holds nothing open.
import { fromProblem, SandboxAgentError, toSandboxAgentError, type ErrorContext } from "../errors.js";
import type { paths } from "../generated/api.js";
import { sendable, streamsRequests, type FileContent } from "./bodies.js";
import { parseJson } from "./json.js";
import { defaultTimeoutMs, type CallOptions, type DaemonOptions } from "./options.js";
import type { Answer, JsonBody, Method, PathParameters, Query, Route } from "./paths.js";
import { TimeLimit } from "./time_limit.js";

export interface Call<P extends keyof paths, M extends Method> extends CallOptions {
  params?: PathParameters<P, M>;
  query?: Query<P, M>;
  headers?: Record<string, string | undefined>;
  json?: JsonBody<P, M>;
  /** A stream is let go when the call is over, however it went. */
  body?: FileContent;
  /** Instead of the caller's own limit; 0: none. */
  timeoutMs?: number;
}

export class Caller {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly #headers: Headers;
  readonly #fetch: typeof globalThis.fetch;
  readonly #timeoutMs: number;

  constructor({ baseUrl, token, headers, fetch, timeoutMs = defaultTimeoutMs }: DaemonOptions) {
    this.baseUrl = withoutEnd(baseUrl);
    this.#headers = makeHeaders(headers, token);
    this.#fetch = fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.#timeoutMs = timeoutMs;
  }

  /** A short call: the answer's JSON, or undefined when it has no body. */
  async json<M extends Method, P extends Route<M>>(method: M, path: P, call: Call<P, M> = {}): Promise<Answer<P, M>> {
    const limit = new TimeLimit(call.timeoutMs ?? this.#timeoutMs, call.signal);
    const context: ErrorContext = { url: this.baseUrl, signal: limit.signal };
    try {
      const response = await this.#send(method, path, { ...call, signal: limit.signal });
      context.answered = true;
      const text = await response.text();
      return (text === "" ? undefined : parseJson(text, response.status)) as Answer<P, M>;
    } catch (cause) {
      throw toSandboxAgentError(cause, context);
    } finally {
      limit.end();
    }
  }

  /** An answer whose body the caller reads, however long that takes. Errors while reading it are the reader's to translate. */
  async open<M extends Method, P extends Route<M>>(method: M, path: P, call: Call<P, M> = {}): Promise<Response> {
    const { body, signal } = call;
    const sending = new TimeLimit(0, signal);
    try {
      return await this.#send(method, path, call, body && (await sendable(body, sending.signal)));
    } catch (cause) {
      throw toSandboxAgentError(signal?.aborted ? signal.reason : cause, { url: this.baseUrl, signal });
    } finally {
      sending.end();
    }
  }

  async #send<M extends Method, P extends Route<M>>(method: M, path: P, call: Call<P, M>, body?: BodyInit): Promise<Response> {
    const headers = new Headers(this.#headers);
    for (const [name, value] of Object.entries(call.headers ?? {})) if (value !== undefined) headers.set(name, value);
    const init: RequestInit = { method: method.toUpperCase(), headers };
    if (call.json !== undefined) {
      headers.set("content-type", "application/json");
      init.body = JSON.stringify(call.json);
    } else if (body !== undefined) {
      init.body = body;
      // Node keeps a copy of the whole body for a redirect, unless there can be none; and it wants `duplex` with a stream.
      if (streamsRequests()) Object.assign(init, { redirect: "error", window: null, duplex: "half" });
    }
    if (call.signal) init.signal = call.signal; // undefined is not for every fetch
    const target = fill(path, call.params as object | undefined) + search(call.query as object | undefined);
    const response = await this.#fetch(this.baseUrl + target, init);
    if (response.ok) return response;
    throw fromProblem(response.status, parsed(await response.text()));
  }
}

function withoutEnd(baseUrl: string): string {
  try {
    const url = new URL(baseUrl, globalThis.location?.href);
    if (/^https?:$/.test(url.protocol)) return url.origin + url.pathname.replace(/\/+$/, "");
  } catch {
    // said below
  }
  throw new SandboxAgentError("baseUrl is not an http or https URL.", {
    code: "invalid_option",
    hint: 'Pass one such as "http://127.0.0.1:2468".',
  });
}

// What Headers says about a bad value repeats it, so it is not passed on.
function makeHeaders(given: Record<string, string> | undefined, token: string | undefined): Headers {
  try {
    const headers = new Headers(given);
    if (token) headers.set("authorization", `Bearer ${token}`);
    return headers;
  } catch {
    throw new SandboxAgentError("The token or a header has characters that no header can carry.", {
      code: "invalid_option",
    });
  }
}

function fill(path: string, params: object | undefined): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => segment((params as Record<string, string> | undefined)?.[name] ?? ""));
}

/** A name as a part of a path. Refuses what would lead elsewhere. */
export function segment(name: string): string {
  if (/^\.{0,2}$/.test(name)) throw new SandboxAgentError(`"${name}" is no name.`, { code: "invalid_option" });
  return encodeURIComponent(name);
}

function search(query: object | undefined): string {
  const words = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  return words.length > 0 ? `?${new URLSearchParams(words as [string, string][])}` : "";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
