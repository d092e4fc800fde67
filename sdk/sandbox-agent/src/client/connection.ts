// One connection to one agent process: the transport, the official SDK over it, and who hears what. Made by SandboxAgentClient and
// thrown away with its end.
import { client, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { AcpHttpClient, type AcpHttpMessage } from "acp-http-client";
import {
  AgentExitedError,
  CancelledError,
  NotConnectedError,
  SandboxAgentError,
  TimeoutError,
  toSandboxAgentError,
} from "../errors.js";
import type { Caller } from "../http/caller.js";
import { version } from "../version.js";
import { AgentRequests, type AgentRequest } from "./agent_requests.js";
import { capabilitiesOf, serveFilesAndTerminals } from "./files_and_terminals.js";
import type { AttachPosition, SandboxAgentClientOptions } from "./options.js";
import type { AgentDetails } from "./protocol.js";

const stderrWaitMs = 300;

export interface ConnectionEvents {
  message(message: AcpHttpMessage, request: AgentRequest | undefined): void;
  gap(gap: { from?: number; to?: number; reason?: string }): void;
  state(state: "connecting" | "open" | "reconnecting" | "closed"): void;
  error(error: SandboxAgentError): void;
  /** The process with its sessions is gone, without a word. */
  gone(): void;
  /** Whether this is a session of this client. One that `joins` a process and knows none of its sessions knows all. */
  knows(sessionId: unknown, joins: boolean): boolean;
}

export class Connection {
  readonly requests: AgentRequests;
  readonly transport: AcpHttpClient;
  readonly #caller: Caller;
  readonly #options: SandboxAgentClientOptions;
  readonly #events: ConnectionEvents;
  readonly #underWay = new Set<{ sessionId?: unknown }>(); // params of the requests without an answer
  readonly #used = new Set<unknown>(); // sessions that some client has named
  #details: AgentDetails | undefined;
  /** The agent's end was told; the connection follows in a moment. */
  hasExited = false;
  #opened = () => {};
  #instance: string | undefined; // the one the stream was last read of
  #why: Promise<SandboxAgentError> | undefined;

  constructor(
    options: SandboxAgentClientOptions,
    serverId: string,
    caller: Caller,
    events: ConnectionEvents,
    position?: AttachPosition,
  ) {
    const { handlers = {}, agent, signal, fetch, token, headers, giveUpAfterMs, recorder } = options;
    this.#options = options;
    this.#events = events;
    this.#caller = caller;
    const joins = position !== undefined;
    const isOthers = (sessionId: unknown) => sessionId !== undefined && !events.knows(sessionId, joins);
    // A request that names no session may be making the one that asks, unless somebody has used that before.
    const isOurs = (of: unknown, asks: unknown) => of === asks || (of === undefined && !this.#used.has(asks));
    const mayRefuse = (asks: unknown) =>
      [...this.#underWay].some(({ sessionId }) => asks === undefined || isOurs(sessionId, asks));
    this.requests = new AgentRequests(handlers, (error) => events.error(toSandboxAgentError(error)), mayRefuse);
    const app = client().onNotification("*", () => {});
    if (joins) app.onRequest("*", () => new Promise<never>(() => {})); // whoever started the agent answers
    this.transport = new AcpHttpClient({
      baseUrl: caller.baseUrl,
      serverId,
      firstQuery: { agent },
      app: serveFilesAndTerminals(this.requests.serve(app), handlers),
      onMessage: (message) => {
        recorder?.agent(message);
        if ((message.message as { method?: string }).method === "_adapter/agent_exited") this.hasExited = true;
        const othersAnswer = isRequest(message) && isOthers(sessionOf(message));
        events.message(message, othersAnswer ? undefined : this.requests.appear(message, this.transport.stream));
        return othersAnswer || isUpdate(message) ? "keep" : undefined; // the official SDK would print updates that leave the schema
      },
      streamQuery: { include: "client" },
      onClientMessage: (message, json) => {
        recorder?.client(message, json);
        this.#used.add(sessionOf({ message }));
        this.requests.answeredBy(message);
      },
      onGap: ({ type: _, ...gap }) => {
        recorder?.gap(gap);
        events.gap(gap);
      },
      room: () => recorder?.room(),
      onState: (state) => {
        if (state === "open") this.#isThere();
        if (state === "closed") recorder?.close();
        if (state === "closed" && this.#instance !== undefined) this.#lookAt(this.transport.stream.failure);
        events.state(state);
      },
      answersOutstanding: () => this.#outstanding(),
      signal,
      fetch,
      token: token || undefined,
      headers,
      giveUpAfterMs: giveUpAfterMs || undefined,
      lastEventId: position?.since,
      instanceId: position?.instanceId,
    });
  }

  get serverId(): string {
    return this.transport.serverId;
  }

  /** What the agent said of itself; undefined when the connection was attached to one that runs already. */
  get details(): AgentDetails | undefined {
    return this.#details;
  }

  /** Starts the agent and shakes hands. */
  async initialize(): Promise<void> {
    const { handlers = {}, questions = false, connectTimeoutMs = 300_000 } = this.#options;
    const params = {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: { name: "sandbox-agent", title: "Sandbox Agent SDK", version },
      clientCapabilities: capabilitiesOf(handlers, questions),
    };
    this.#details = await this.#within(connectTimeoutMs, this.request<AgentDetails>("initialize", params));
  }

  /** Reads from an agent that runs already; `details`: what it said when it was started. */
  async attach(details?: AgentDetails): Promise<void> {
    this.#details = details;
    const expected = this.instanceId;
    const opened = new Promise<void>((resolve) => (this.#opened = resolve));
    this.transport.stream.read();
    await Promise.race([opened, this.ended()]);
    const failure = await this.failure;
    if (failure) throw failure;
    if (expected === undefined || expected === this.instanceId) return;
    throw new SandboxAgentError("The agent's process was replaced by another one.", { code: "instance_replaced" });
  }

  get over(): boolean {
    return this.transport.signal.aborted;
  }

  /** Resolves when the connection is over. */
  async ended(): Promise<void> {
    const { signal } = this.transport;
    if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  }

  async request<Result>(method: string, params: object): Promise<Result> {
    this.#underWay.add(params);
    try {
      return await this.transport.request<Result>(method, params);
    } catch (error) {
      throw await this.#translate(error);
    } finally {
      this.#underWay.delete(params);
    }
  }

  async notify(method: string, params: object): Promise<void> {
    try {
      await this.transport.notify(method, params);
    } catch (error) {
      throw await this.#translate(error);
    }
  }

  /** The id under which the request that is made with these params can be adopted later. */
  reserveId(params: object): string {
    return this.transport.stream.reserveId(params);
  }

  /** The agent's request in a message that another reader of the same stream got. */
  requestIn(message: AcpHttpMessage): AgentRequest | undefined {
    return this.requests.appear(message, this.transport.stream, message.id <= (this.position ?? 0));
  }

  get position(): number | undefined {
    return this.transport.stream.position;
  }

  get instanceId(): string | undefined {
    return this.transport.stream.instanceId;
  }

  /** The answer to a request that was made under this id before. */
  async adopt(wireId: string): Promise<unknown> {
    try {
      const answer = await this.transport.stream.adopt(wireId);
      if ("error" in answer) throw Object.assign(new Error(answer.error.message), { ...answer.error, name: "RequestError" });
      return answer.result;
    } catch (error) {
      throw await this.#translate(error);
    }
  }

  /** Why the connection is over, once it is. */
  get failure(): Promise<SandboxAgentError> | undefined {
    return this.over ? (this.#why ?? this.#translate(this.transport.signal.reason)) : undefined;
  }

  // Every open call fails with the same error, so the agent's last words are fetched once.
  #translate(error: unknown): Promise<SandboxAgentError> {
    const code = this.#lookAt(error);
    if (code === "agent_process_exited") this.#why ??= this.#exited(error);
    else if (code !== "not_found" && code !== "closed") return Promise.resolve(this.#failed(error, code));
    return this.#why ?? Promise.resolve(this.#failed(error, code));
  }

  #isThere(): void {
    this.#opened();
    if (this.#instance !== undefined && this.#instance !== this.instanceId) this.#events.gone();
    this.#instance = this.instanceId;
  }

  // A daemon that was started anew does not know the process. What the error says is returned.
  #lookAt(error: unknown): unknown {
    const code = (error as { code?: unknown } | null | undefined)?.code;
    if (code !== "not_found" || this.#instance === undefined || this.#why) return code;
    const message = "The agent's process has ended: the daemon does not know it any more.";
    this.#why = Promise.resolve(new AgentExitedError(message, { cause: error }));
    this.#events.gone();
    this.transport.detach();
    return code;
  }

  #failed(error: unknown, code: unknown): SandboxAgentError {
    if (code === "closed") return new NotConnectedError("The connection was ended meanwhile.", { cause: error });
    if (code === "aborted") return new CancelledError("The connection was ended by its signal.", { cause: error });
    const neverThere = code === "connection_lost" && this.instanceId === undefined;
    return toSandboxAgentError(neverThere ? (error as Error).cause : error, { url: this.#caller.baseUrl });
  }

  async #exited(error: unknown): Promise<SandboxAgentError> {
    const known = toSandboxAgentError(error);
    if (known instanceof AgentExitedError && known.stderr !== undefined) return known;
    const how = (error as { problem?: { exitCode?: number; signal?: string } }).problem;
    const stderr = await this.stderr().catch(() => undefined);
    return new AgentExitedError(known.message, { ...how, ...(stderr ? { stderr } : {}), cause: error });
  }

  /** The last lines the agent wrote to its error output. */
  async stderr(): Promise<string> {
    const limit = AbortSignal.timeout(stderrWaitMs);
    const answer = await this.#caller.open("get", "/v1/acp/{server_id}/stderr", {
      params: { server_id: this.serverId },
      signal: limit,
    });
    return answer.text();
  }

  async #outstanding(): Promise<number | undefined> {
    const { servers } = await this.#caller.json("get", "/v1/acp");
    return servers.find(({ serverId }) => serverId === this.serverId)?.pendingRequests;
  }

  async #within<T>(ms: number, work: Promise<T>): Promise<T> {
    if (ms === 0) return work;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      const error = () =>
        new TimeoutError(`The agent did not start within ${ms} ms.`, {
          hint: "Allow more time with connectTimeoutMs, or look at its error output.",
        });
      timer = setTimeout(() => reject(error()), ms);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function isRequest({ message }: AcpHttpMessage): boolean {
  return "method" in message && "id" in message;
}

function sessionOf({ message }: Pick<AcpHttpMessage, "message">): unknown {
  return (message as { params?: { sessionId?: unknown } | null }).params?.sessionId;
}

function isUpdate({ message }: AcpHttpMessage): boolean {
  return "method" in message && message.method === "session/update";
}
