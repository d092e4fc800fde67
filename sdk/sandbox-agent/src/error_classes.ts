// The errors of this package. Whatever fails, a caller gets a SandboxAgentError: `code` is stable and for programs, the message
// says what happened, `hint` what to do. How causes become one of these: errors.ts.
import type { components } from "./generated/api.js";

/** What the daemon says when a request fails (RFC 9457), with what it adds for certain codes. */
export type Problem = components["schemas"]["Problem"];

export interface SandboxAgentErrorDetails {
  /** Stable, for programs: the daemon's problem code, or one of ours such as "unreachable". */
  code?: string;
  /** The HTTP status, when there was an answer. */
  status?: number;
  /** What to do about it. */
  hint?: string;
  problem?: Problem;
  /** What the agent added to its own error. */
  data?: unknown;
  cause?: unknown;
}

/** What to do, for the codes that are not the daemon's. */
const hints: Record<string, string> = {
  not_connected: "Call connect() first, or make a new client or session.",
  already_connected: "Use the connection there is, or call disconnect() before connect().",
  unreachable: "Start a daemon with `sandbox-agent server` and check baseUrl, or let SandboxAgent.start() run one.",
  connection_lost: "Check that the daemon runs, then try again; with a session: restoreSession(), or attachSession().",
  answer_lost: "The work may have been done: look at the state before trying again.",
  instance_replaced: "Somebody ended this agent and started it anew: restoreSession(), or make a new session.",
  bad_answer: "Check that baseUrl leads to a sandbox-agent daemon and what lies in between.",
  invalid_option: "Correct this option.",
  content_unreadable: "Look at `cause`. Nothing was written.",
  timeout: "Try again, or allow more time.",
  cancelled: "Nothing: it was cancelled on request.",
  spawn_unsupported: "Start a daemon elsewhere and use SandboxAgent.connect({ baseUrl, token }).",
  spawn_failed: "Read what the daemon wrote, or run `sandbox-agent server` by hand.",
  agent_error: "The agent refused: the message and `data` are its own words.",
  agent_auth_required: "Sign in to the agent: authenticate(), or set its API key where the daemon runs.",
  persist_failed: "Look at `cause`, mend the store, then restore the session.",
  not_persisted: "Give a driver as `persist` to SandboxAgent.start() or connect().",
  session_exists: "Restore it, or choose another id.",
  session_moved: "Restore it again to go on with it here.",
  unexpected: "Look at `cause`.",
};

/** The same for problems, where this package knows more than the daemon can. */
const problemHints: Record<string, string> = {
  token_missing: "Pass the token the daemon was started with as `token`.",
  token_invalid: "Pass the token the daemon was started with as `token`.",
  forbidden: "Check baseUrl, the daemon's --allow-host and --cors-allow-origin, and the permissions of the path.",
  not_found: "Check the name; what was there may have been removed or ended.",
  conflict: "Look at what is there now, then try again.",
  precondition_failed: "It was changed meanwhile: read it again, then write.",
  agent_not_installed: "Call agents.install() for it, or install it where the daemon runs.",
  agent_process_exited: "Read `stderr`, then restoreSession(), or make a new session.",
  install_failed: "Read `stderr` and `problem`, then install again.",
};

/** Base of every error this package throws. */
export class SandboxAgentError extends Error {
  readonly code: string;
  declare readonly status?: number;
  declare readonly hint?: string;
  declare readonly problem?: Problem;
  declare readonly data?: unknown;

  constructor(message: string, details: SandboxAgentErrorDetails = {}) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    const { code = "unexpected", status, problem, data } = details;
    const hint = details.hint ?? hints[code] ?? problemHints[code];
    this.code = code;
    if (status !== undefined) this.status = status;
    if (hint !== undefined) this.hint = hint;
    if (problem !== undefined) this.problem = problem;
    if (data !== undefined) this.data = data;
  }

  override get name(): string {
    return "SandboxAgentError";
  }
}

/** A call on a client that is not connected, or no longer. */
export class NotConnectedError extends SandboxAgentError {
  constructor(message = "This client is not connected.", details?: SandboxAgentErrorDetails) {
    super(message, { code: "not_connected", ...details });
  }

  override get name(): string {
    return "NotConnectedError";
  }
}

/** connect() on a client that is connected or about to be. */
export class AlreadyConnectedError extends SandboxAgentError {
  constructor(message = "This client is connected already, or about to be.", details?: SandboxAgentErrorDetails) {
    super(message, { code: "already_connected", ...details });
  }

  override get name(): string {
    return "AlreadyConnectedError";
  }
}

/** The daemon wants another token, or the agent wants its user to sign in (code "agent_auth_required"). */
export class AuthError extends SandboxAgentError {
  override get name(): string {
    return "AuthError";
  }
}

/** There is no agent of that name. */
export class AgentNotFoundError extends SandboxAgentError {
  /** The nearest names, best first. */
  readonly suggestions: string[];

  constructor(message: string, details: SandboxAgentErrorDetails & { suggestions?: string[] } = {}) {
    const suggestions = details.suggestions ?? details.problem?.suggestions ?? [];
    const hint = `${suggestions.length > 0 ? `Did you mean "${suggestions[0]}"? ` : ""}agents.list() names all.`;
    super(message, { code: "unsupported_agent", hint, ...details });
    this.suggestions = suggestions;
  }

  override get name(): string {
    return "AgentNotFoundError";
  }
}

/** An agent could not be installed, or is not and may not be. */
export class InstallError extends SandboxAgentError {
  /** The last lines the installer wrote. */
  declare readonly stderr?: string;

  constructor(message: string, details: SandboxAgentErrorDetails = {}) {
    super(message, { code: "install_failed", ...details });
    if (details.problem?.stderr !== undefined) this.stderr = details.problem.stderr;
  }

  override get name(): string {
    return "InstallError";
  }
}

/** The agent's process ended while something waited for it. */
export class AgentExitedError extends SandboxAgentError {
  declare readonly exitCode?: number;
  /** Such as "SIGKILL". */
  declare readonly signal?: string;
  /** The last lines the agent wrote. */
  declare readonly stderr?: string;

  constructor(
    message = "The agent's process has ended.",
    details: SandboxAgentErrorDetails & { exitCode?: number; signal?: string; stderr?: string } = {},
  ) {
    super(message, { code: "agent_process_exited", ...details });
    const exitCode = details.exitCode ?? details.problem?.exitCode;
    const signal = details.signal ?? details.problem?.signal;
    const stderr = details.stderr ?? details.problem?.stderr;
    if (exitCode !== undefined) this.exitCode = exitCode;
    if (signal !== undefined) this.signal = signal;
    if (stderr !== undefined) this.stderr = stderr;
  }

  override get name(): string {
    return "AgentExitedError";
  }
}

/** Something did not happen in time. */
export class TimeoutError extends SandboxAgentError {
  constructor(message = "The time for this is over.", details?: SandboxAgentErrorDetails) {
    super(message, { code: "timeout", ...details });
  }

  override get name(): string {
    return "TimeoutError";
  }
}

/** It was cancelled on request: by an AbortSignal or a cancel(). */
export class CancelledError extends SandboxAgentError {
  constructor(message = "This was cancelled.", details?: SandboxAgentErrorDetails) {
    super(message, { code: "cancelled", ...details });
  }

  override get name(): string {
    return "CancelledError";
  }
}
