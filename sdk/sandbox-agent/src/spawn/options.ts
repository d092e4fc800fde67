// What starting a daemon takes and gives, the same everywhere.

export interface SandboxAgentSpawnOptions {
  /** Address to listen on. Default "127.0.0.1". */
  host?: string;
  /** Port to listen on. Default 0: a free one. */
  port?: number;
  /** The token clients must send. Default: 24 random bytes as hex. Handed over by environment, so no process list shows it. */
  token?: string;
  /** The program. Default: SANDBOX_AGENT_BIN, else the platform package, else `sandbox-agent` on PATH. */
  binaryPath?: string;
  /** How long it may take until it is ready, in milliseconds. Default 15,000. */
  timeoutMs?: number;
  /** Where its log goes: nowhere (default), to our own stderr, or line by line to a function. */
  log?: "inherit" | "silent" | ((line: string) => void);
  /** Added to our own environment; undefined takes a variable away. */
  env?: Record<string, string | undefined>;
  /** Its working directory, which agents get too. Default: ours. */
  cwd?: string;
  /** Further flags of `sandbox-agent server`. */
  args?: string[];
}

export interface SpawnedSandboxAgent extends AsyncDisposable {
  readonly baseUrl: string;
  readonly token: string;
  readonly pid: number;
  /** Ends the daemon with all its agents and resolves when it is gone. May be called any number of times. */
  dispose(): Promise<void>;
}
