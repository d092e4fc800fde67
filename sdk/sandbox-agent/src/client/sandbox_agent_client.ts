// SandboxAgentClient: one agent, one connection at most. Its methods carry the names of the protocol's own; metadata is kept here and
// merged into what the agent says.
import { CancelledError, SandboxAgentError } from "../errors.js";
import { Caller } from "../http/caller.js";
import type { Recorder } from "../stored/recorder.js";
import type { Connection } from "./connection.js";
import { Listeners, type ClientEvent, type ClientListener, type Happening } from "./events.js";
import { Lifecycle } from "./lifecycle.js";
import type { AttachPosition, SandboxAgentClientOptions } from "./options.js";
import type {
  AgentDetails,
  AuthMethod,
  ContentPart,
  SessionMcpServer,
  SessionModes,
  SessionOption,
  StopReason,
} from "./protocol.js";
import { SessionBook } from "./session_book.js";
import type { AgentsList, SessionList } from "./session_list.js";
import { metadataKey, type Model, type SessionMetadata, type SessionRecord } from "./session_records.js";

const calmMs = 100;
const mostCalmChecks = 50;

export interface NewSession {
  /** Absolute, on the daemon's machine. */
  cwd: string;
  mcpServers?: SessionMcpServer[];
  additionalDirectories?: string[];
  metadata?: SessionMetadata;
}

export interface KnownSession extends NewSession {
  sessionId: string;
}

export interface SessionState {
  sessionId: string;
  modes?: SessionModes;
  options: SessionOption[];
}

export interface PromptAnswer {
  stopReason: StopReason;
  usage?: unknown;
}

/** One agent and one connection to it at most, with every method there is. SandboxAgent is made of these. */
export class SandboxAgentClient {
  readonly agent: string;
  /** @internal */ readonly lifecycle: Lifecycle;
  /** @internal */ readonly book: SessionBook;
  /** @internal */ readonly recorder: Recorder | undefined;
  readonly #options: SandboxAgentClientOptions;
  readonly #listeners = new Listeners<ClientEvent>();

  constructor(options: SandboxAgentClientOptions) {
    this.agent = options.agent;
    this.recorder = options.recorder;
    this.#options = options;
    if (options.onEvent) this.#listeners.add(options.onEvent);
    const tell = (event: Happening) => this.#listeners.tell({ serverId: this.serverId ?? "", ...event });
    this.book = new SessionBook(options.agent, tell);
    this.lifecycle = new Lifecycle(options, new Caller(options), {
      message: (message, request) => this.book.hear(message, request),
      gap: (gap) => this.book.gap(gap),
      state: (state) => tell({ type: "state", state }),
      error: (error) => tell({ type: "error", error }),
      gone: () => this.book.endAll("agent_exited"),
      knows: (sessionId, joins) =>
        this.book.awaitsOne || this.book.find(sessionId as string) !== undefined || (joins && this.book.all().length === 0),
    });
    if (options.autoConnect !== false) this.connect().catch(() => {}); // the calls that wait for it say why it failed
  }

  /** The agent has been started and can be used. */
  get connected(): boolean {
    return this.lifecycle.connected;
  }

  /** The name of the agent's process on the daemon, once there was a connection. */
  get serverId(): string | undefined {
    return this.lifecycle.serverId;
  }

  /** What the agent said of itself when the connection was made. */
  get agentDetails(): AgentDetails | undefined {
    return this.lifecycle.current?.details;
  }

  /** The ways to sign in that the agent knows; empty until there is a connection. */
  get authMethods(): AuthMethod[] {
    return this.agentDetails?.authMethods ?? [];
  }

  /** Calls the listener for each event until the function returned is called. */
  onEvent(listener: ClientListener): () => void {
    return this.#listeners.add(listener);
  }

  /** Starts the agent. Rejects with AlreadyConnectedError when there is a connection or one is being made. */
  async connect(): Promise<void> {
    await this.lifecycle.begin((connection) => connection.initialize());
  }

  /** Reads on from an agent process that runs already, without starting or greeting it. Needs the option `serverId`. */
  async attach(position: AttachPosition = {}): Promise<void> {
    if (this.#options.serverId === undefined)
      throw new SandboxAgentError("attach() needs the option serverId.", { code: "invalid_option" });
    await this.lifecycle.begin((connection) => connection.attach(), position);
  }

  /** Resolves when calls can be made; rejects with why they cannot. */
  async ready(): Promise<void> {
    await this.lifecycle.use();
  }

  /** Ends the agent's process and so every session in it. Calls after it reject with NotConnectedError. */
  async disconnect(): Promise<void> {
    const ended = this.lifecycle.end();
    this.book.endAll("disconnected");
    await ended;
    this.#options.onStopped?.(this);
  }

  /** Signs in to the agent by one of `authMethods`. */
  async authenticate({ methodId }: { methodId: string }): Promise<void> {
    await this.#request("authenticate", { methodId });
  }

  /** Signs out of the agent, where it can. */
  async logout(): Promise<void> {
    await this.#request("logout", {});
  }

  /** A new session. */
  async newSession(session: NewSession): Promise<SessionState> {
    return this.#make("session/new", session);
  }

  /** Goes on with a session the agent remembers; its past is told as "update" events before this resolves. */
  async loadSession(session: KnownSession): Promise<SessionState> {
    const { sessionId, cwd } = session;
    const connection = await this.lifecycle.use();
    const isNew = !this.book.find(sessionId);
    const record = this.book.open(sessionId, cwd); // its past is told before the answer comes
    try {
      const answer = await connection.request<object>("session/load", sessionParams(session));
      await calm(record, connection);
      return await this.#begun(record, session, answer);
    } catch (error) {
      if (isNew) this.book.forget(sessionId);
      throw error;
    }
  }

  /** The same without its past. */
  async resumeSession(session: KnownSession): Promise<SessionState> {
    const { record, answer } = await this.#begin("session/resume", session);
    return this.#begun(record, session, answer);
  }

  /** A new session that begins where another one is. Not every agent can. */
  async forkSession(session: KnownSession): Promise<SessionState> {
    return this.#make("session/fork", session);
  }

  /** Resolves when the turn is over. Aborting the signal cancels the turn. */
  async prompt(
    { sessionId, prompt }: { sessionId: string; prompt: ContentPart[] },
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<PromptAnswer> {
    if (signal?.aborted) throw new CancelledError(undefined, { cause: signal.reason });
    const cancel = () => void this.cancel({ sessionId }).catch(() => {});
    signal?.addEventListener("abort", cancel);
    try {
      return await this.#request<PromptAnswer>("session/prompt", { sessionId, prompt });
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  /** Asks the agent to end the turn; what it asked meanwhile is answered "cancelled". The prompt's promise says when it is over. */
  async cancel({ sessionId }: { sessionId: string }): Promise<void> {
    const connection = await this.lifecycle.use();
    const sent = connection.notify("session/cancel", { sessionId });
    connection.requests.withdraw(sessionId);
    await sent;
  }

  /** One of the modes the agent offered. */
  async setSessionMode({ sessionId, modeId }: { sessionId: string; modeId: string }): Promise<void> {
    await this.#request("session/set_mode", { sessionId, modeId });
    this.book.find(sessionId)?.modeIs(modeId);
  }

  /** Resolves to all options of the session, for one may change others. */
  async setSessionConfigOption(option: {
    sessionId: string;
    configId: string;
    value: string | boolean;
  }): Promise<SessionOption[]> {
    const params = typeof option.value === "boolean" ? { ...option, type: "boolean" } : option;
    const { configOptions } = await this.#request<{ configOptions: SessionOption[] }>("session/set_config_option", params);
    this.book.find(option.sessionId)?.offer({ configOptions });
    return configOptions;
  }

  /** Through the agent's own option for models where it offers one. */
  async setSessionModel({ sessionId, modelId }: { sessionId: string; modelId: string }): Promise<void> {
    const record = this.book.find(sessionId);
    const choice = record?.choice("model");
    if (choice) await this.setSessionConfigOption({ sessionId, configId: choice.id, value: modelId });
    else await this.#request("session/set_model", { sessionId, modelId });
    record?.modelIs(modelId);
  }

  /** The models the agent offered for this session. */
  async listModels({ sessionId }: { sessionId: string }): Promise<{ models: Model[]; current?: string }> {
    await this.lifecycle.use();
    const { models, model } = this.book.get(sessionId);
    return { models, current: model };
  }

  /** The sessions of this connection, and those the agent remembers where it can say so. */
  async listSessions(query: { cwd?: string; cursor?: string } = {}): Promise<SessionList> {
    const connection = await this.lifecycle.use();
    const canList = connection.details?.agentCapabilities?.sessionCapabilities?.list;
    const agents = canList ? await connection.request<AgentsList>("session/list", query) : undefined;
    const { mergedList } = await import("./session_list.js"); // many never need it
    return mergedList(this.agent, this.book.all(), agents, query);
  }

  /** Keeps metadata of a session; `title`, `model` and `mode` act. Resolves to all of it. */
  async setMetadata({ sessionId, metadata }: { sessionId: string; metadata: SessionMetadata }): Promise<SessionMetadata> {
    await this.lifecycle.use();
    await this.#keep(sessionId, metadata);
    return this.book.get(sessionId).metadata;
  }

  /** Stops hearing of a session. The agent is not told and goes on. */
  async detachSession({ sessionId }: { sessionId: string }): Promise<void> {
    await this.lifecycle.use();
    this.book.forget(sessionId);
  }

  /** Cancels what runs, then closes the session where the agent can close one. Other sessions of the process go on. */
  async terminateSession({ sessionId }: { sessionId: string }): Promise<void> {
    const connection = await this.lifecycle.use();
    await this.cancel({ sessionId });
    if (connection.details?.agentCapabilities?.sessionCapabilities?.close)
      await connection.request("session/close", { sessionId });
    this.book.end(sessionId, "terminated");
  }

  async #request<Result extends object>(method: string, params: object): Promise<Result> {
    return (await this.lifecycle.use()).request<Result>(method, params);
  }

  // A new session. One that cannot be as it was wanted is not left behind.
  async #make(method: string, session: NewSession): Promise<SessionState> {
    const { record, answer } = await this.#begin(method, session);
    const { sessionId } = record;
    try {
      return await this.#begun(record, session, answer);
    } catch (error) {
      await this.terminateSession({ sessionId }).catch(() => this.book.end(sessionId, "terminated"));
      throw error;
    }
  }

  async #begin(method: string, session: NewSession) {
    return this.book.begin(session, () => this.#request<{ sessionId?: string }>(method, sessionParams(session)));
  }

  async #begun(record: SessionRecord, { metadata }: NewSession, offer: object): Promise<SessionState> {
    const { sessionId } = record;
    record.offer(offer);
    if (metadata) await this.#keep(sessionId, metadata);
    const { modes, options } = record;
    return { sessionId, options, modes };
  }

  async #keep(sessionId: string, metadata: SessionMetadata): Promise<void> {
    const record = this.book.get(sessionId);
    const { model, mode } = metadata;
    if (model !== undefined) await this.setSessionModel({ sessionId, modelId: model });
    if (mode !== undefined) {
      const choice = record.modeChoice;
      if (choice) await this.setSessionConfigOption({ sessionId, configId: choice.id, value: mode });
      else await this.setSessionMode({ sessionId, modeId: mode });
    }
    record.keep(metadata);
  }
}

// Some agents tell the past behind the answer, too.
async function calm(record: SessionRecord, connection: Connection): Promise<void> {
  for (let heard = -1, checks = 0; record.heard !== heard && checks < mostCalmChecks && !connection.over; ++checks) {
    heard = record.heard;
    await new Promise((resolve) => setTimeout(resolve, calmMs));
  }
}

function sessionParams({ metadata, mcpServers = [], ...session }: NewSession): object {
  return { ...session, mcpServers, ...(metadata && { _meta: { [metadataKey]: metadata } }) };
}
