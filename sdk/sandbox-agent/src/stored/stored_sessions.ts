// The sessions in the user's store: making them, and bringing them back.
import { randomName } from "../client/random_name.js";
import type { NewSession, SandboxAgentClient } from "../client/sandbox_agent_client.js";
import { SandboxAgentError } from "../errors.js";
import type { SessionPersistDriver, StoredSession } from "../persist/driver.js";
import type { Session } from "../session/session.js";
import { openEnds } from "./open_ends.js";
import { Recorder } from "./recorder.js";
import { catchUp, rejoined, serverOf } from "./rejoining.js";
import { reopened, type ReplayText } from "./reopening.js";
import { SessionMaker, type Beginning, type Surroundings } from "./session_maker.js";
import { Store } from "./store.js";

const abandonedMs = 5_000; // a client that takes a session elsewhere gives a sign of life more often
const pollMs = 100;
const mostWaitMs = 5_000; // for the store, at the end

export interface RestoreSession {
  /** The session's id in the store. */
  id: string;
  /**
   * If neither its process nor the agent's memory is left: a new session of the agent, whose first prompt begins with what was said
   * before, at most `maxChars` of it (default: 12,000). Without it such a session is not restored.
   */
  replayText?: ReplayText;
}

export class StoredSessions {
  readonly #store: Store;
  readonly #around: Surroundings;
  readonly #maker: SessionMaker;

  constructor(driver: SessionPersistDriver, around: Surroundings) {
    this.#store = new Store(driver);
    this.#around = around;
    this.#maker = new SessionMaker(this.#store, around, (client, wishes, begin, serverId) =>
      this.keep(client, wishes, { begin }, { serverId }),
    );
  }

  /** For a connection that begins with the process. */
  recorder(): Recorder {
    return new Recorder();
  }

  /** A new session in the store. It has a record before it begins. */
  async keep(
    client: SandboxAgentClient,
    wishes: NewSession,
    beginning: Beginning,
    { id = randomName(), serverId: chosenServerId }: { id?: string; serverId?: string | undefined },
  ): Promise<Session> {
    const { serverId, instanceId = "", details } = await client.lifecycle.use();
    const { cwd, mcpServers, additionalDirectories } = wishes;
    const now = Date.now();
    const process = { baseUrl: this.#around.caller.baseUrl, serverId, instanceId, details, last: client.recorder!.place };
    const made = {
      id,
      chosenServerId,
      agent: client.agent,
      cwd,
      mcpServers,
      additionalDirectories,
      createdAt: now,
      updatedAt: now,
    };
    const stored = await this.#store.create({ ...made, ...process, epoch: 1, state: "ready" });
    try {
      return await this.#maker.begin(client, stored, beginning);
    } catch (error) {
      const isOthers = (error as SandboxAgentError).code === "session_moved";
      if (!isOthers) await this.#store.remove(id).catch(() => {}); // what failed first is told
      throw error;
    }
  }

  async restore({ id, replayText = false }: RestoreSession): Promise<Session> {
    const { maxChars = 1 } = replayText === true || !replayText ? {} : replayText;
    if (!(maxChars > 0)) throw new SandboxAgentError("replayText.maxChars has to be positive.", { code: "invalid_option" });
    let sign: { updatedAt: number; seenAt: number } | undefined; // of the client that takes it elsewhere
    for (; ; await new Promise((resolve) => setTimeout(resolve, pollMs))) {
      const stored = await this.#store.get(id);
      const { state, updatedAt } = stored;
      if (sign?.updatedAt !== updatedAt) sign = { updatedAt, seenAt: Date.now() };
      if (state === "moving" && Date.now() - sign.seenAt < abandonedMs) continue;
      try {
        const session = await this.#restored(stored, replayText);
        if (session) return session;
      } catch (error) {
        if ((error as SandboxAgentError).code !== "session_moved") throw error; // else another client has it now
      }
    }
  }

  /** Resolves when what these clients heard is in the store, or the store takes too long. */
  async settled(clients: SandboxAgentClient[]): Promise<void> {
    const stored = Promise.all(clients.map(({ recorder }) => recorder?.flush()));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, mostWaitMs)));
    await Promise.race([stored, late]);
    clearTimeout(timer);
    for (const { recorder } of clients) recorder?.end();
  }

  // Undefined: it is no longer as it was.
  async #restored(stored: StoredSession, replayText: ReplayText): Promise<Session | undefined> {
    const server = await serverOf(this.#around, stored);
    const ends = server && (await openEnds(this.#store, stored));
    const runs = server !== undefined && server.status !== "exited";
    if (server && ends && stored.state === "ready") {
      const isAsItWas = runs && !ends.isClosed;
      const open = isAsItWas && !ends.turn ? this.#maker.again(stored) : undefined;
      if (isAsItWas) return open ?? rejoined(this.#maker, stored, ends, server.lastEventId);
      await catchUp(this.#maker, stored, ends, server.lastEventId);
    }
    return reopened(this.#maker, stored, replayText, runs ? server.lastEventId : undefined);
  }
}
