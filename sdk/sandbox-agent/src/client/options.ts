import type { DaemonOptions } from "../http/options.js";
import type { Recorder } from "../stored/recorder.js";
import type { ClientListener } from "./events.js";
import type { Handlers } from "./handlers.js";
import type { SandboxAgentClient } from "./sandbox_agent_client.js";

export interface SandboxAgentClientOptions extends DaemonOptions {
  /** Which agent to run, for example "claude", "codex" or "mock". */
  agent: string;
  /** Names the agent's process on the daemon. Default: a random name. */
  serverId?: string | undefined;
  /** Default: true. With false nothing is sent before connect(). */
  autoConnect?: boolean | undefined;
  /** What the agent may ask this side for. */
  handlers?: Handlers | undefined;
  /** Tells the agent that it may ask questions although there is no handler for them: readers of the events answer. */
  questions?: boolean | undefined;
  onEvent?: ClientListener | undefined;
  /** @internal Hears everything that goes over the connection, and how fast it may be read. */
  recorder?: Recorder;
  /** @internal The agent's process was ended on request. */
  onStopped?: (client: SandboxAgentClient) => void;
  /** Aborting it ends the connection; the agent's process stays. */
  signal?: AbortSignal | undefined;
  /** Time for the agent to start, which may include its installation. Default: 300,000; 0: any time. Node's fetch gives up after 300,000. */
  connectTimeoutMs?: number | undefined;
  /** Without a connection for this long, open calls reject. Default: 30,000. */
  giveUpAfterMs?: number | undefined;
}

/** Where a connection to a process that runs already begins. */
export interface AttachPosition {
  /** The number of the last event that was seen; without it everything the daemon still has is read. */
  since?: number;
  instanceId?: string;
}
