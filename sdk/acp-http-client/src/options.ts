// What can be said about a connection, and what holds when it is not said.
import type { AnyMessage } from "@agentclientprotocol/sdk";
import type { AcpHttpError } from "./errors.js";

/** One message of the stream: its number, its parsed form, and its text as it came. */
export interface AcpHttpMessage {
  readonly type: "message";
  readonly id: number;
  /** A line that is no object is wrapped in one; `json` is what was said. */
  readonly message: AnyMessage;
  readonly json: string;
}

/** The server lost events for this reader: those with the numbers `from` to `to`, or, without numbers, an unknown many. */
export interface AcpHttpGap {
  readonly type: "gap";
  readonly from?: number;
  readonly to?: number;
  readonly reason?: string;
  /** So many of what clients sent were lost. Alone: nothing of the agent was. */
  readonly clientMessages?: number;
}

export type AcpHttpState = "connecting" | "open" | "reconnecting" | "closed";

export interface AcpHttpOptions {
  /** Where the server is, for example `http://127.0.0.1:2468`; may have a path of its own. */
  baseUrl: string;
  /** Names the agent process on the server. Default: a random one. */
  serverId?: string | undefined;
  /** Path below `baseUrl`; `{serverId}` stands for the id. Default: `/v1/acp/{serverId}`. */
  path?: string | undefined;
  /** Query of the requests until the first one has succeeded; says for example which agent to start. */
  firstQuery?: Record<string, string> | undefined;
  /** Query of the stream; `{ include: "client" }` also brings what clients send, to `onClientMessage`. */
  streamQuery?: Record<string, string> | undefined;
  /** Sent as `Authorization: Bearer …`. */
  token?: string | undefined;
  /** Further headers; a function is asked before each request. */
  headers?: HeadersInit | (() => HeadersInit | Promise<HeadersInit>) | undefined;
  /** Names of the transport's own headers. */
  headerNames?: { instanceId?: string; eventId?: string } | undefined;
  /** The notification that says that the agent process has ended. */
  exitMethod?: string | undefined;
  fetch?: typeof globalThis.fetch | undefined;
  /**
   * Aborting it ends the connection: all open calls reject with its reason if that is an AcpHttpError, else with `aborted`. The
   * agent process stays.
   */
  signal?: AbortSignal | undefined;
  /** Begin after this event instead of at the oldest the server has. */
  lastEventId?: number | undefined;
  /** The instance `lastEventId` belongs to: if it is another one by now, that is a gap. */
  instanceId?: string | undefined;
  /** Without a connection for this long, everything rejects. Default: 30,000, also for 0. */
  giveUpAfterMs?: number | undefined;
  /** A stream without a byte for this long counts as dead; servers send a heartbeat every 15 s. Default: 45,000. */
  silenceMs?: number | undefined;
  /** Waits between attempts to reconnect: doubled from `firstMs` up to `mostMs`, with jitter. Default: 50 and 5,000. */
  backoff?: { firstMs?: number; mostMs?: number } | undefined;
  /**
   * Called for each message in the order of the stream, before the official SDK sees it; a message of the agent for which it
   * returns "keep" is not handed on, and a request then not answered here. None of these callbacks may throw.
   */
  onMessage?: ((message: AcpHttpMessage) => unknown) | undefined;
  /** What some client, perhaps this one, sent to the agent, in its place among the messages, and its text. Needs `streamQuery`. */
  onClientMessage?: ((message: AnyMessage, json: string) => void) | undefined;
  onGap?: ((gap: AcpHttpGap) => void) | undefined;
  onState?: ((state: AcpHttpState) => void) | undefined;
  /** Asked after each message: the stream is read on when the promise, if there is one, has resolved. */
  room?: (() => Promise<void> | undefined) | undefined;
  /**
   * How many requests of this agent process are still unanswered, for an answer may be lost in a gap; unknown: undefined. An error:
   * no answer will come to those from before the gap, and they reject with it.
   */
  answersOutstanding?: (() => Promise<number | AcpHttpError | undefined>) | undefined;
}

export type Settings = Omit<AcpHttpOptions, "headerNames" | "backoff"> &
  Required<Pick<AcpHttpOptions, "serverId" | "path" | "exitMethod" | "fetch" | "giveUpAfterMs" | "silenceMs">> & {
    headerNames: { instanceId: string; eventId: string };
    backoff: { firstMs: number; mostMs: number };
  };

export function settingsOf(options: AcpHttpOptions): Settings {
  return {
    ...options,
    serverId: options.serverId ?? randomHex(16),
    path: options.path ?? "/v1/acp/{serverId}",
    exitMethod: options.exitMethod ?? "_adapter/agent_exited",
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    giveUpAfterMs: options.giveUpAfterMs || 30_000,
    silenceMs: options.silenceMs ?? 45_000,
    headerNames: { instanceId: "Acp-Instance-Id", eventId: "Acp-Event-Id", ...options.headerNames },
    backoff: { firstMs: 50, mostMs: 5_000, ...options.backoff },
  };
}

/** Random bytes in hex. Not crypto.randomUUID: pages that came over plain http do not have it. */
export function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
