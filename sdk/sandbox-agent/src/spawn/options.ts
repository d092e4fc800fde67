// What starting a daemon takes and gives, the same everywhere.

export interface SandboxAgentSpawnOptions {
  /** Address to listen on. Default "127.0.0.1". */
  host?: string | undefined;
  /** Port to listen on. Default 0: a free one. */
  port?: number | undefined;
  /** The token clients must send. Default: 24 random bytes as hex. Handed over by environment, so no process list shows it. */
  token?: string | undefined;
  /** The program. Default: SANDBOX_AGENT_BIN, else the platform package, else `sandbox-agent` on PATH. */
  binaryPath?: string | undefined;
  /** How long it may take until it is ready, in milliseconds. Default 15,000. */
  timeoutMs?: number | undefined;
  /** Where its log goes: nowhere (default), to our own stderr, or line by line to a function. */
  log?: "inherit" | "silent" | ((line: string) => void) | undefined;
  /** Added to our own environment; undefined takes a variable away. */
  env?: Record<string, string | undefined> | undefined;
  /** Its working directory, which agents get too. Default: ours. */
  cwd?: string | undefined;
  /** Further flags of `sandbox-agent server`. */
  args?: string[] | undefined;
}

export interface SpawnedSandboxAgent extends AsyncDisposable {
  readonly baseUrl: string;
  readonly token: string;
  readonly pid: number;
  /** Aborted when the daemon has ended, for whatever reason; `signal` of a SandboxAgentClient takes it, so that calls reject at once. */
  readonly signal: AbortSignal;
  /** Ends the daemon with all its agents and resolves when it is gone. May be called any number of times. */
  dispose(): Promise<void>;
}
