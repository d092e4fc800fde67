// The one connection a client may have: made, waited for, ended, made anew. Calls wait for a connection that is being made; its
// failure is theirs too.
import type { AcpHttpClient } from "acp-http-client";
import { AlreadyConnectedError, NotConnectedError, SandboxAgentError, toSandboxAgentError } from "../errors.js";
import { segment, type Caller } from "../http/caller.js";
import { Connection, type ConnectionEvents } from "./connection.js";
import type { AttachPosition, SandboxAgentClientOptions } from "./options.js";
import { randomName } from "./random_name.js";

/** More than a daemon takes to end an agent. */
export const endWithinMs = 10_000;

type State =
  | { name: "idle" }
  | { name: "alive"; connection: Connection; ready: Promise<void> }
  | { name: "failed"; error: SandboxAgentError };

export class Lifecycle {
  /** The name of the process of the last connection. */
  serverId: string | undefined;
  /** How long the end of the process may take; dispose() has less time. */
  endWithinMs: number;
  readonly #options: SandboxAgentClientOptions;
  readonly #caller: Caller;
  readonly #events: ConnectionEvents;
  #state: State = { name: "idle" };
  #connected = false;
  #leaving: Promise<void> = Promise.resolve(); // the end of the connection before: its DELETE may not meet the next process
  #unended: Connection | undefined; // nobody has said that its process has ended

  constructor(options: SandboxAgentClientOptions, caller: Caller, events: ConnectionEvents) {
    if (options.serverId !== undefined) segment(options.serverId); // refuses what is none
    this.#options = options;
    this.endWithinMs = Math.max(options.giveUpAfterMs || 30_000, endWithinMs);
    this.#caller = caller;
    this.#events = events;
  }

  /** The connection there is, ready or not, alive or lost. */
  get current(): Connection | undefined {
    return this.#state.name === "alive" ? this.#state.connection : undefined;
  }

  get connected(): boolean {
    return this.#connected && this.current?.over === false;
  }

  /** There is a connection, or one is being made. */
  get usable(): boolean {
    return this.current?.over === false && !this.current.hasExited;
  }

  /** The connection to use for a call. */
  async use(): Promise<Connection> {
    const state = this.#state;
    if (state.name === "idle") throw new NotConnectedError();
    if (state.name === "failed") throw state.error;
    await state.ready;
    const failure = await state.connection.failure;
    if (failure) throw failure;
    return state.connection;
  }

  /**
   * Makes a connection; `greet` does what is to be done before calls may use it. With a position it joins a process that runs
   * already, which is not ended when that fails.
   */
  async begin(greet: (connection: Connection) => Promise<unknown>, position?: AttachPosition): Promise<void> {
    const left = this.current; // its agent has ended, or it was lost
    if (left?.over === false) throw new AlreadyConnectedError();
    const lost = left?.hasExited === false ? this.serverId : undefined; // its process may run
    const serverId = this.#options.serverId ?? lost ?? `${this.#options.agent}-${randomName()}`;
    this.serverId = serverId;
    const connection = new Connection(this.#options, serverId, this.#caller, this.#events, position);
    const ready = this.#greet(connection, left, greet, position !== undefined);
    ready.catch(() => {});
    this.#connected = false;
    this.#state = { name: "alive", connection, ready };
    await ready;
    this.#connected = true;
  }

  /** Ends the connection; the agent's process stays. */
  leave(): void {
    this.current?.transport.detach();
    this.#state = { name: "idle" };
  }

  /** Ends the agent's process, also one whose connection was lost. */
  async end(): Promise<void> {
    const { current } = this;
    this.#state = { name: "idle" };
    if (!current) await this.#leaving;
    const connection = current ?? this.#unended;
    if (connection) await this.#leave(connection);
  }

  #leave(connection: Connection): Promise<void> {
    const gone = closed(connection.transport, this.endWithinMs);
    this.#unended = undefined;
    this.#leaving = gone.catch(({ status }) => {
      if (status === undefined) this.#unended = connection; // nobody answered
    });
    return gone;
  }

  async #greet(
    connection: Connection,
    left: Connection | undefined,
    greet: (connection: Connection) => Promise<unknown>,
    joins: boolean,
  ): Promise<void> {
    try {
      await this.#leaving;
      const old = this.#unended ?? (left?.hasExited ? left : undefined);
      if (old && !joins) await this.#leave(old).catch(() => {});
      await greet(connection);
    } catch (error) {
      if (this.current !== connection) throw new NotConnectedError("The connection was ended meanwhile.", { cause: error });
      this.#state = { name: "failed", error: error as SandboxAgentError };
      const isOurs = this.#options.serverId === undefined || connection.instanceId !== undefined; // else it may be another's
      if (isOurs && !joins) {
        if ((error as SandboxAgentError).code === "connection_lost") this.#unended = connection;
        else await this.#leave(connection).catch(() => {}); // nothing of it may stay
      }
      connection.transport.detach();
      throw error;
    }
  }
}

// An agent's end may be asked for any number of times; a connection that was cut is no answer. `ms`: for all of them together.
async function closed(transport: AcpHttpClient, ms: number): Promise<void> {
  const until = Date.now() + ms;
  for (let pauseMs = 50; ; pauseMs *= 5) {
    try {
      return await transport.close(until - Date.now());
    } catch (error) {
      const isLast = pauseMs > 250 || Date.now() + pauseMs >= until;
      if (isLast || (error as { status?: number }).status !== undefined) throw toSandboxAgentError(error);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
