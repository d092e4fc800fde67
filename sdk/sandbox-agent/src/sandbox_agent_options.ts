// What SandboxAgent and its sessions can be told.
import type { InstallProgress } from "./agents.js";
import type { ClientListener } from "./client/events.js";
import type { Handlers } from "./client/handlers.js";
import type { SessionMcpServer } from "./client/protocol.js";
import type { SessionMetadata } from "./client/session_records.js";
import type { components } from "./generated/api.js";
import type { DaemonOptions } from "./http/options.js";
import type { SessionPersistDriver } from "./persist/driver.js";
import type { SandboxAgentSpawnOptions } from "./spawn/options.js";

export type Health = components["schemas"]["Health"];
export type DaemonStatus = components["schemas"]["Status"];

interface Common extends Handlers {
  /** Hears of all connections: their state, gaps, agents that end. */
  onEvent?: ClientListener | undefined;
  /** Time for an agent to start, which may include its installation. Default: 300,000; 0: any time. Node's fetch gives up after 300,000. */
  connectTimeoutMs?: number | undefined;
  /** Without a connection for this long, open calls reject. Default: 30,000. */
  giveUpAfterMs?: number | undefined;
  /** Where sessions are kept, so that they outlive this process: a driver of sandbox-agent/persist/…, or your own. */
  persist?: SessionPersistDriver | undefined;
}

export interface ConnectOptions extends DaemonOptions, Common {}

export interface StartOptions extends Partial<DaemonOptions>, Common {
  /** true (default): start a daemon; options: start it so; false: use the one at `baseUrl`. */
  spawn?: boolean | SandboxAgentSpawnOptions | undefined;
}

/** What a session shall be like. */
export interface SessionWishes {
  /** For example "claude", "codex" or "mock"; agents.list() names all. */
  agent: string;
  /** Where the agent works. A relative path is below this process's folder after start(), below the daemon's root after connect(). */
  cwd?: string | undefined;
  /** One that the agent offers; else the session is refused. */
  model?: string | undefined;
  /** One that the agent offers; else the session is refused. */
  mode?: string | undefined;
  /** What to call it, whatever the agent calls it. */
  title?: string | undefined;
  /** MCP servers the agent shall use in this session. */
  mcpServers?: SessionMcpServer[] | undefined;
  /** Further directories the agent may work in, absolute. */
  additionalDirectories?: string[] | undefined;
  /** Whatever shall be kept with the session. */
  metadata?: SessionMetadata | undefined;
  /** What the session shall be called in the store. Default: a random name. Needs `persist`. */
  id?: string | undefined;
  /** Sessions with the same name share one process of the agent. Default: one process for all sessions of an agent. */
  serverId?: string | undefined;
}

export interface CreateSession extends SessionWishes {
  /** Aborting it rejects with CancelledError; a session that comes later is closed. */
  signal?: AbortSignal | undefined;
  /** Hears how the agent's installation goes on, when it has to be installed first. */
  onProgress?: ((progress: InstallProgress) => void) | undefined;
}

export interface ListSessions {
  agent: string;
  serverId?: string | undefined;
  /** Only those that work there. */
  cwd?: string | undefined;
  /** `nextCursor` of the list before. */
  cursor?: string | undefined;
}

export interface OpenSession extends SessionWishes {
  /** A session the agent remembers. */
  sessionId: string;
}
