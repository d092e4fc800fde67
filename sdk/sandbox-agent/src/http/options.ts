// What is needed to call a daemon.

export interface DaemonOptions {
  /** Where the daemon is, such as "http://127.0.0.1:2468". A base path and a trailing slash are fine. */
  baseUrl: string;
  /** The daemon's token. Travels in the Authorization header only. */
  token?: string | undefined;
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
  /** Instead of the global fetch. */
  fetch?: typeof globalThis.fetch | undefined;
  /** How long a short call may take, in milliseconds; 0: any time. Streams and installs have no limit. Default 30,000. */
  timeoutMs?: number | undefined;
}

/** What every method takes. */
export interface CallOptions {
  /** Aborting it rejects the call with a CancelledError. */
  signal?: AbortSignal | undefined;
}

export const defaultTimeoutMs = 30_000;
