// One connection to one agent process: the transport, the official SDK over it, and who hears what. Made by SandboxAgentClient and
// thrown away with its end.
import { client, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { AcpHttpClient, type AcpHttpGap, type AcpHttpMessage } from "acp-http-client";
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
import type { Heard } from "./after_gap.js";
import type { AttachPosition, SandboxAgentClientOptions } from "./options.js";
import type { AgentDetails } from "./protocol.js";

const stderrWaitMs = 300;

export interface ConnectionEvents {
  message(message: AcpHttpMessage, request: AgentRequest | undefined): void;
  gap(gap: AcpHttpGap): void;
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
  readonly #underWay = new Map<{ sessionId?: unknown }, (error: SandboxAgentError) => void>(); // by their params: how it is given up
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
    const heard: Heard = { asked: new Set(), last: 0 };
    const isOthers = (sessionId: unknown) => sessionId !== undefined && !events.knows(sessionId, joins);
    // A request that names no session may be making the one that asks, unless somebody has used that before.
    const isOurs = (of: unknown, asks: unknown) => of === asks || (of === undefined && !this.#used.has(asks));
    const mayRefuse = (asks: unknown) =>
      [...this.#underWay.keys()].some(({ sessionId }) => asks === undefined || isOurs(sessionId, asks));
    this.requests = new AgentRequests(handlers, (error) => events.error(toSandboxAgentError(error)), mayRefuse);
    const app = client().onNotification("*", () => {});
    if (joins) app.onRequest("*", () => new Promise<never>(() => {})); // whoever started the agent answers
    this.transport = new AcpHttpClient({
      baseUrl: caller.baseUrl,
      serverId,
      firstQuery: joins ? {} : { agent }, // what has ended meanwhile is not started anew
      app: serveFilesAndTerminals(this.requests.serve(app), handlers),
      onMessage: (message) => {
        recorder?.agent(message);
        heard.last = message.id;
        const { method, id } = message.message as { method?: string; id?: unknown };
        if (method === "_adapter/agent_exited") this.hasExited = true;
        const isRequest = method !== undefined && id !== undefined;
        if (isRequest) heard.asked.add(id);
        const othersAnswer = isRequest && isOthers(sessionOf(message));
        events.message(message, othersAnswer ? undefined : this.requests.appear(message, this.transport.stream));
        return othersAnswer || method === "session/update" ? "keep" : undefined; // the official SDK would print updates that leave the schema
      },
      streamQuery: { include: "client" },
      onClientMessage: (message, json) => {
        recorder?.client(message, json);
        this.#used.add(sessionOf({ message }));
        if (!("method" in message)) heard.asked.delete(message.id);
        this.requests.answeredBy(message);
      },
      onGap: (gap) => {
        recorder?.gap(gap);
        if (gap.to) heard.last = gap.to;
        heard.hasGap = true;
        events.gap(gap);
      },
      room: () => recorder?.room(),
      onState: (state) => {
        if (state === "open") this.#isThere();
        if (state === "closed") {
          recorder?.close();
          if (this.#instance !== undefined) this.#lookAt(this.transport.stream.failure);
        }
        events.state(state);
      },
      answersOutstanding: async () => {
        const { outstanding } = await import("./after_gap.js"); // most never need it
        return outstanding(caller, serverId, this.transport.stream.openRequests.length, heard);
      },
      signal,
      fetch,
      token,
      headers,
      giveUpAfterMs,
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
    const params: object = {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: { name: "sandbox-agent", title: "Sandbox Agent SDK", version },
      clientCapabilities: capabilitiesOf(handlers, questions),
    };
    const giveUp = () => {
      const hint = "Allow more with connectTimeoutMs, or look at its error output.";
      this.#underWay.get(params)?.(new TimeoutError(`The agent was not ready within ${connectTimeoutMs} ms.`, { hint }));
    };
    const timer = connectTimeoutMs ? setTimeout(giveUp, connectTimeoutMs) : undefined;
    try {
      this.#details = await this.request<AgentDetails>("initialize", params);
    } finally {
      clearTimeout(timer);
    }
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
    if (expected !== undefined && expected !== this.instanceId)
      throw new SandboxAgentError("The agent's process was replaced by another one.", { code: "instance_replaced" });
  }

  get over(): boolean {
    return this.transport.signal.aborted;
  }

  /** Resolves when the connection is over. */
  async ended(): Promise<void> {
    if (!this.over) await new Promise((resolve) => this.transport.signal.addEventListener("abort", resolve));
  }

  request<Result>(method: string, params: object): Promise<Result> {
    const answer = new Promise<Result>((resolve, reject) => {
      this.#underWay.set(params, reject);
      this.transport.request<Result>(method, params).then(resolve, reject);
    });
    return this.#translated(answer).finally(() => this.#underWay.delete(params));
  }

  async notify(method: string, params: object): Promise<void> {
    await this.#translated(this.transport.notify(method, params));
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
      const answer = await this.transport.stream.adopt(wireId); // at once: what follows in the log is not the turn's any more
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

  async #translated<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      throw await this.#translate(error);
    }
  }

  // Every open call fails with the same error, so the agent's last words are fetched once.
  #translate(error: unknown): Promise<SandboxAgentError> {
    const code = this.#lookAt(error);
    if (code === "agent_process_exited") this.#why ??= this.#exited(error);
    else if (code !== "not_found" && code !== "closed") return this.#failed(error, code);
    return this.#why ?? this.#failed(error, code);
  }

  #isThere(): void {
    this.#opened();
    if (this.#instance !== undefined && this.#instance !== this.instanceId) this.#events.gone();
    this.#instance = this.instanceId;
  }

  // A daemon that was started anew does not know the process, and asks whoever sends to it for an agent; one of our own that ended took
  // it along. What the error says is returned.
  #lookAt(error: unknown): unknown {
    let { code, cause, problem } = (error ?? {}) as Partial<SandboxAgentError> & { cause?: SandboxAgentError };
    if (problem?.field === "agent") code = "not_found";
    const isEnd = cause?.code === "daemon_ended";
    if ((code !== "not_found" && !isEnd) || this.#instance === undefined || this.#why) return code;
    this.#why = Promise.resolve(isEnd ? cause : new AgentExitedError(undefined, { cause: error }));
    this.#events.gone();
    this.transport.detach();
    return code;
  }

  async #failed(error: unknown, code: unknown): Promise<SandboxAgentError> {
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
    return new AgentExitedError(known.message, { ...how, ...(stderr && { stderr }), cause: error });
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
}

function sessionOf({ message }: Pick<AcpHttpMessage, "message">): unknown {
  return (message as { params?: { sessionId?: unknown } | null }).params?.sessionId;
}
