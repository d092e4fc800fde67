// SandboxAgent: one daemon and everything it offers. Agents are started when the first session wants them, one process per agent;
// dispose() ends what was started here and nothing else.
import { resolvePath, spawnSandboxAgent, type SandboxAgentSpawnOptions } from "#spawn";
import { abortable } from "./abortable.js";
import { endWithinMs } from "./client/lifecycle.js";
import { SandboxAgentClient, type NewSession } from "./client/sandbox_agent_client.js";
import type { SessionList } from "./client/session_list.js";
import type { AuthMethod } from "./client/protocol.js";
import { randomName } from "./client/random_name.js";
import { signedIn } from "./client/signed_in.js";
import { Listeners, type ClientEvent } from "./client/events.js";
import { Daemon, type Instance } from "./daemon.js";
import { CancelledError, SandboxAgentError, toSandboxAgentError } from "./errors.js";
import type {
  ConnectOptions,
  CreateSession,
  ListSessions,
  OpenSession,
  SessionWishes,
  StartOptions,
} from "./sandbox_agent_options.js";
import { Readers } from "./session/readers.js";
import { Session } from "./session/session.js";
import type { SessionHandle } from "./session/session_handle.js";
import { mustBeName, neededFor, notPersisted } from "./stored/needed.js";
import type { Recorder } from "./stored/recorder.js";
import type { Beginning, Surroundings } from "./stored/session_maker.js";
import type { RestoreSession, StoredSessions } from "./stored/stored_sessions.js";

/** `signal`: aborted when the daemon has ended, if it was started here. */
type Options = ConnectOptions & { signal?: AbortSignal; readers: Readers };

/** What belongs to a daemon that was started here. */
interface OwnDaemon {
  dispose?: () => Promise<void>;
  resolvePath?: (path: string) => string;
}

/** One daemon and everything it offers. Made by start() or connect(); dispose() it, or declare it with `await using`. */
export class SandboxAgent extends Daemon implements AsyncDisposable {
  readonly #daemon: OwnDaemon;
  readonly #options: Options;
  readonly #listeners = new Listeners<ClientEvent>();
  readonly #clients = new Map<string, SandboxAgentClient>();
  readonly #attached = new Set<SandboxAgentClient>();
  readonly #readers = new Readers(); // of sessions that were attached
  readonly #joined = new Set<SandboxAgentClient>(); // to processes of restored sessions, which are ours now
  readonly #owned = new Set<string>(); // such processes without a connection
  readonly #stored: StoredSessions | undefined;
  #disposed: Promise<void> | undefined;

  private constructor(options: Omit<Options, "readers">, daemon: OwnDaemon, Stored?: typeof StoredSessions) {
    super(options);
    this.#options = { ...options, baseUrl: this.baseUrl, readers: new Readers() };
    this.#daemon = daemon;
    if (options.onEvent) this.#listeners.add(options.onEvent);
    if (options.persist && Stored) this.#stored = new Stored(options.persist, this.#surroundings());
  }

  /** Starts a daemon of its own; dispose() ends it. With `spawn: false` the same as connect(). */
  static async start(options: StartOptions = {}): Promise<SandboxAgent> {
    const { spawn = true, baseUrl, token, ...rest } = options;
    if ((spawn === false) !== (baseUrl !== undefined))
      throw new SandboxAgentError("baseUrl and spawn: false go together.", { code: "invalid_option" });
    if (baseUrl !== undefined) return SandboxAgent.connect({ ...rest, baseUrl, token });
    const how: SandboxAgentSpawnOptions = { token, ...(spawn as SandboxAgentSpawnOptions) };
    const stored = await neededFor(rest);
    const { dispose, ...access } = await spawnSandboxAgent(how);
    try {
      const daemon = { dispose, resolvePath: (path: string) => resolvePath(how.cwd, path) };
      return new SandboxAgent({ ...rest, ...access }, daemon, stored);
    } catch (error) {
      await dispose(); // one of the options was wrong
      throw error;
    }
  }

  /** Uses a daemon that runs already. Rejects at once when nobody answers or the token is wrong. */
  static async connect(options: ConnectOptions): Promise<SandboxAgent> {
    const agent = new SandboxAgent(options, {}, await neededFor(options));
    if (!(await agent.health())?.status)
      throw new SandboxAgentError("The answer is not that of a daemon.", { code: "bad_answer" });
    return agent;
  }

  /** A new session. Starts the agent if it does not run, and installs it first if it is missing. */
  async createSession(options: CreateSession): Promise<Session> {
    const { agent, signal, onProgress } = options;
    this.#mustLive();
    this.#checkId(options.id);
    if (signal?.aborted) throw new CancelledError(undefined, { cause: signal.reason });
    if (onProgress) await this.agents.install(agent, { onProgress, signal });
    return abortable(this.#createSession(options), signal, async (session) => {
      await session.close();
      await this.#options.persist?.deleteSession(session.id);
    });
  }

  /** Goes on with a session the agent remembers: with its whole past where the agent tells it, else without. */
  async openSession({ sessionId, ...options }: OpenSession): Promise<Session> {
    this.#checkId(options.id);
    const client = this.#client(options);
    const wishes = await this.#sessionOptions(options);
    const known = { sessionId, ...wishes };
    const { details } = await client.lifecycle.use();
    const canLoad = details?.agentCapabilities?.loadSession;
    const begin = async () => {
      await signedIn(client, this.agents, () => (canLoad ? client.loadSession(known) : client.resumeSession(known)));
      return sessionId;
    };
    return this.#begin(client, wishes, { begin, sessionId }, options);
  }

  /**
   * Goes on with a session of the store: in its process, if that still runs, also in the middle of a turn, which is then in
   * `session.turn`; else by what the agent remembers. `session.restored` says how. Needs `persist`.
   */
  async restoreSession(options: RestoreSession): Promise<Session> {
    this.#mustLive();
    if (!this.#stored) throw notPersisted();
    mustBeName((options as RestoreSession | undefined)?.id);
    return this.#stored.restore(options);
  }

  /** The sessions made here, and those the agent remembers where it can say so. Starts the agent if it does not run. */
  async listSessions(options: ListSessions): Promise<SessionList> {
    return this.#client(options).listSessions({ cwd: options.cwd, cursor: options.cursor });
  }

  /** How one can sign in to an agent. Starts it if it does not run. */
  async authMethods(agent: string): Promise<AuthMethod[]> {
    const client = this.#client({ agent });
    await client.ready();
    return client.authMethods;
  }

  /** Signs in to an agent, after createSession() rejected with AuthError. */
  async authenticate(agent: string, methodId: string): Promise<void> {
    await this.#client({ agent }).authenticate({ methodId });
  }

  /** Goes on with a session of a process that runs already, also in the middle of a turn, which is then in `session.turn`. */
  async attachSession({ agent, serverId, sessionId, cwd, turn, known, details, ...position }: SessionHandle): Promise<Session> {
    this.#mustLive();
    const client = this.#newClient(agent, serverId);
    this.#attached.add(client);
    const leave = () => {
      client.lifecycle.current?.transport.detach();
      this.#attached.delete(client);
    };
    const record = client.book.open(sessionId, cwd);
    if (known) record.restore(known);
    const session = new Session(client, sessionId, { ...this.#options, readers: this.#readers });
    client.onEvent(({ type }) => {
      if (type === "session_ended") Promise.resolve(session.turn?.settled).then(leave, leave); // nobody needs the connection
    });
    try {
      await client.lifecycle.begin(async (connection) => {
        if (turn !== undefined) session.resume(turn, position.since, connection);
        await connection.attach(details);
      }, position);
    } catch (error) {
      leave();
      throw error;
    }
    return session;
  }

  /** Ends the agents that were started here, and the daemon if start() started one. May be called any number of times. */
  dispose(): Promise<void> {
    return (this.#disposed ??= this.#dispose());
  }

  /**
   * Ends the connections only: agents and their turns go on in the daemon, for restoreSession() or attachSession() of another program.
   * Loops over `events()` and `log()` end.
   * A daemon that start() started ends with its agents all the same.
   */
  leave(): Promise<void> {
    return (this.#disposed ??= this.#leave());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  async #dispose(): Promise<void> {
    this.#readers.end();
    for (const client of this.#attached) client.lifecycle.leave();
    const clients = [...this.#clients.values(), ...this.#joined];
    const ms = Math.min(this.#options.giveUpAfterMs || endWithinMs, endWithinMs);
    const signal = AbortSignal.timeout(ms);
    const ends = clients.map((client) => {
      client.lifecycle.endWithinMs = ms;
      return this.#ended(client.disconnect(), signal, client.serverId); // from here on nothing more is heard
    });
    for (const id of this.#owned) ends.push(this.#ended(this.stop(id, { signal }), signal, id));
    await Promise.all([...ends, this.#stored?.settled(clients), this.#daemon.dispose?.()]); // it may be deaf to all but its end
  }

  // A daemon of our own takes its agents along; another one may not have heard.
  async #ended(end: Promise<void>, signal: AbortSignal, serverId = ""): Promise<void> {
    await abortable(end, signal).catch((cause: unknown) => {
      const error = new SandboxAgentError(`The end of ${serverId} was not confirmed.`, {
        code: "connection_lost",
        hint: "Run `sandbox-agent stop`.",
        cause,
      });
      if (!(this.#daemon.dispose ?? this.#options.signal?.aborted)) this.#listeners.tell({ type: "error", error, serverId });
    });
  }

  async #leave(): Promise<void> {
    this.#readers.end();
    this.#options.readers.end();
    const clients = [...this.#clients.values(), ...this.#joined, ...this.#attached];
    for (const client of clients) client.lifecycle.leave();
    await Promise.all([this.#stored?.settled(clients), this.#daemon.dispose?.()]);
  }

  async #createSession(options: SessionWishes): Promise<Session> {
    const client = this.#client(options);
    const wishes = await this.#sessionOptions(options);
    const begin = async () => (await signedIn(client, this.agents, () => client.newSession(wishes))).sessionId;
    return this.#begin(client, wishes, { begin }, options);
  }

  async #begin(client: SandboxAgentClient, wishes: NewSession, beginning: Beginning, options: SessionWishes): Promise<Session> {
    if (this.#stored) return this.#stored.keep(client, wishes, beginning, options);
    return this.#session(client, await beginning.begin());
  }

  // `name`: of its process, if it has to be started; sessions that say no serverId share it.
  #client({ agent, serverId }: { agent: string; serverId?: string } = {} as never, name = serverId): SandboxAgentClient {
    this.#mustLive();
    mustBeName(agent); // programs without types may forget it
    const key = keyOf(agent, serverId);
    const known = this.#clients.get(key);
    if (known?.lifecycle.usable) return known;
    name ??= known?.serverId; // its process has ended, or the connection to it was lost
    const client = this.#newClient(agent, name, this.#stored?.recorder());
    this.#clients.set(key, client);
    const connecting = client.lifecycle.begin(async (connection) => {
      if (!known?.lifecycle.current) await known?.disconnect().catch(() => {}); // which may be under way
      const isOver = ({ serverId, status }: Instance) => serverId === name && status === "exited";
      if (name !== undefined && (await this.instances()).some(isOver)) await this.stop(name); // so that the name is free
      await connection.initialize();
    });
    connecting.catch(() => {}); // the calls that wait for it say why it failed
    return client;
  }

  #mustLive(): void {
    if (this.#disposed)
      throw new SandboxAgentError("This SandboxAgent was disposed.", { code: "disposed", hint: "Start or connect a new one." });
    const { signal } = this.#options;
    if (signal?.aborted) throw toSandboxAgentError(signal.reason);
  }

  #checkId(id: string | undefined): void {
    if (id === undefined) return;
    if (!this.#stored) throw notPersisted();
    mustBeName(id);
  }

  #newClient(agent: string, serverId?: string, recorder?: Recorder): SandboxAgentClient {
    const onStopped = (client: SandboxAgentClient) => {
      this.#joined.delete(client);
      for (const [key, each] of this.#clients) if (each === client) this.#clients.delete(key);
    };
    const handlers = this.#options;
    return new SandboxAgentClient({
      ...handlers,
      agent,
      serverId,
      recorder,
      handlers,
      questions: true,
      onStopped,
      autoConnect: false,
    });
  }

  #surroundings(): Surroundings {
    return {
      caller: this.caller,
      access: this.#options,
      serverId: (agent) => this.#clients.get(keyOf(agent))?.serverId ?? `${agent}-${randomName()}`,
      client: (agent, name, serverId) => this.#client({ agent, serverId }, name),
      join: (agent, serverId, recorder) => {
        this.#mustLive();
        const client = this.#newClient(agent, serverId, recorder);
        this.#joined.add(client);
        return client;
      },
      leave: (client, isOurs) => {
        if (!this.#joined.delete(client)) return;
        client.lifecycle.current?.transport.detach();
        if (isOurs) this.#owned.add(client.serverId!);
      },
      signedIn: (client, work) => signedIn(client, this.agents, work),
      onError: (error, { serverId, id }) => this.#listeners.tell({ type: "error", error, serverId, id }),
    };
  }

  #session(client: SandboxAgentClient, sessionId: string): Session {
    return new Session(client, sessionId, this.#options);
  }

  async #sessionOptions({
    cwd = ".",
    model,
    mode,
    title,
    mcpServers,
    additionalDirectories,
    metadata,
  }: SessionWishes): Promise<NewSession> {
    const all = { ...metadata, ...(model && { model }), ...(mode && { mode }), ...(title && { title }) };
    return {
      cwd: await this.#absolute(cwd),
      mcpServers,
      additionalDirectories,
      ...(Object.keys(all).length > 0 && { metadata: all }),
    };
  }

  async #absolute(path: string): Promise<string> {
    if (/^([/\\]|[A-Za-z]:[/\\])/.test(path)) return path;
    return this.#daemon.resolvePath?.(path) ?? (await this.fs.stat(path)).path;
  }
}

const keyOf = (agent: string, serverId = "") => `${agent} ${serverId}`;
