// Makes Session objects whose records are in the store and whose messages go into their logs.
import type { ContentPart } from "../client/protocol.js";
import type { NewSession, SandboxAgentClient } from "../client/sandbox_agent_client.js";
import { SandboxAgentError, toSandboxAgentError } from "../errors.js";
import type { Caller } from "../http/caller.js";
import type { NewEvent, StoredSession } from "../persist/driver.js";
import { Session } from "../session/session.js";
import type { StreamAccess } from "../session/session_events.js";
import { EventList } from "./event_list.js";
import type { Recorder } from "./recorder.js";
import { SessionKeeper, type KeepAnother, type Restored } from "./session_keeper.js";
import { SessionLog } from "./session_log.js";
import type { Store } from "./store.js";

/** What is needed of the SandboxAgent. */
export interface Surroundings {
  caller: Caller;
  access: StreamAccess;
  /** The name of the agent's process, also before it is started. */
  serverId(agent: string): string;
  /** The client for an agent, or for the process with a chosen name, started under this name if there is none. */
  client(agent: string, serverId: string, chosen?: string): SandboxAgentClient;
  /** A client for a process that runs; nothing is sent yet. */
  join(agent: string, serverId: string, recorder: Recorder): SandboxAgentClient;
  /** A client of join() is not needed any more. `isOurs`: its process ends when the SandboxAgent is disposed of. */
  leave(client: SandboxAgentClient, isOurs?: boolean): void;
  /** Does the work, signed in to the agent. */
  signedIn<T>(client: SandboxAgentClient, work: () => Promise<T>): Promise<T>;
  onError(error: SandboxAgentError, of: StoredSession): void;
}

/** How a session begins. */
export interface Beginning {
  /** Resolves to what the agent calls the session. */
  begin: () => Promise<string>;
  /** The same, where it is known before. */
  sessionId?: string | undefined;
  restored?: Restored;
  untold?: ContentPart[];
}

/** A session that is being recorded. */
interface Open {
  session: Session;
  client: SandboxAgentClient;
  log: SessionLog;
}

export class SessionMaker {
  readonly #open = new Map<string, Open>();

  constructor(
    readonly store: Store,
    readonly around: Surroundings,
    readonly keepAnother: KeepAnother,
  ) {}

  /** Begins a session of the agent for a record; everything about it goes into the log. */
  async begin(client: SandboxAgentClient, stored: StoredSession, beginning: Beginning): Promise<Session> {
    const recorder = client.recorder!;
    const { begin, sessionId, restored, untold } = beginning;
    const log = this.log(stored);
    const early = restored === undefined ? log : new EventList(log.isNew); // a restore that fails leaves no trace in the log
    if (sessionId !== undefined) recorder.track(sessionId, early);
    try {
      return await recorder.during(async () => {
        const made = await begin();
        const ready = await this.ready(client, stored, made, untold !== undefined).catch(async (error: unknown) => {
          if (sessionId === undefined) await client.terminateSession({ sessionId: made }).catch(() => {}); // nobody has it
          throw error;
        });
        const isPast = ({ json }: NewEvent) => restored === "loaded" && !log.isNew && json.includes('"session/update"');
        if (early instanceof EventList) for (const event of early.take()) if (!isPast(event)) log.add(event);
        recorder.track(made, log);
        return this.session(client, ready, made, log, restored, untold);
      });
    } catch (error) {
      await recorder.untrack(sessionId ?? "", log);
      throw error;
    } finally {
      if (early !== log) await recorder.untrack(sessionId ?? "", early);
    }
  }

  /** A new session of the agent, as the record says it was wanted. */
  async fresh(client: SandboxAgentClient, stored: StoredSession): Promise<string> {
    const { metadata } = stored.known ?? {};
    const wishes = { ...wishesOf(stored), metadata };
    return (await this.around.signedIn(client, () => client.newSession(wishes))).sessionId;
  }

  session(
    client: SandboxAgentClient,
    stored: StoredSession,
    sessionId: string,
    log: SessionLog,
    restored: Restored | undefined,
    untold?: ContentPart[],
  ): Session {
    const onError = (error: SandboxAgentError) => this.around.onError(error, stored);
    const keeper = new SessionKeeper(this.store, stored, log, onError, this.keepAnother, restored, untold);
    const session = new Session(client, sessionId, this.around.access, keeper);
    const open = { session, client, log };
    this.#open.set(stored.id, open);
    const forget = client.onEvent((event) => {
      const isEnd =
        event.type === "session_ended" ? event.sessionId === sessionId : event.type === "state" && event.state === "closed";
      if (!isEnd) return;
      forget();
      if (this.#open.get(stored.id) === open) this.#open.delete(stored.id);
      const { failure } = client.lifecycle.current?.transport.stream ?? {};
      if (failure?.code === "connection_lost") keeper.lost = toSandboxAgentError(failure);
      void this.#letGo(open, event.type === "session_ended" && event.reason === "terminated");
    });
    return session;
  }

  /** The session as it is open here already, if it is. */
  again(stored: StoredSession): Session | undefined {
    const { session, client, log } = this.#open.get(stored.id) ?? {};
    if (!session || log!.epoch !== stored.epoch || log!.failure || !client!.lifecycle.usable) return undefined;
    return session.restored ? session : this.session(client!, stored, session.agentSessionId, log!, "attached");
  }

  // The connection is ended with the last session that used it.
  async #letGo({ session, client, log }: Open, isClosed: boolean): Promise<void> {
    await client.recorder!.untrack(session.agentSessionId, log);
    await session.turn?.settled.catch(() => {});
    const connection = client.lifecycle.current; // none: it was ended on request
    if (!isClosed) await connection?.ended();
    if (connection?.over || (connection && client.book.all().every(({ ended }) => ended))) this.around.leave(client, true);
  }

  /** The agent has the session: others may join it. */
  async ready(
    client: SandboxAgentClient,
    { id, epoch }: StoredSession,
    agentSessionId: string,
    untold = false,
  ): Promise<StoredSession> {
    const { snapshot: known } = client.book.get(agentSessionId);
    const ready = await this.store.update(id, { agentSessionId, state: "ready", known, untold }, epoch);
    if (ready) return ready;
    throw new SandboxAgentError("Another client has taken this session meanwhile.", { code: "session_moved" });
  }

  log(stored: StoredSession): SessionLog {
    return new SessionLog(this.store, stored, (error) => this.around.onError(error, stored));
  }
}

export function wishesOf({ cwd, mcpServers, additionalDirectories }: StoredSession): NewSession {
  return { cwd, mcpServers, additionalDirectories };
}
