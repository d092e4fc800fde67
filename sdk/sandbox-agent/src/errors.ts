// The one funnel: problems, failures of fetch, aborted signals, the transport's and the agent's errors become our own.
// The classes themselves are in error_classes.ts and come from here too.
import {
  AgentExitedError,
  AgentNotFoundError,
  AuthError,
  CancelledError,
  InstallError,
  SandboxAgentError,
  TimeoutError,
  type Problem,
  type SandboxAgentErrorDetails,
} from "./error_classes.js";

export * from "./error_classes.js";

/** What was being done when it failed. */
export interface ErrorContext {
  /** Where the daemon was expected, as the caller has it: without user, query and fragment, for it is shown. */
  url?: string;
  /** An answer had begun: a network failure means that the connection was cut. */
  answered?: boolean;
  /** The caller's signal: its reason means "cancelled", whatever it is. */
  signal?: AbortSignal;
}

const problemPrefix = "urn:sandbox-agent:error:";
const authRequired = -32000;
const requestCancelled = -32800;

type ErrorClass = new (message: string, details: SandboxAgentErrorDetails) => SandboxAgentError;

const classes = new Map<string, ErrorClass>([
  ["unsupported_agent", AgentNotFoundError],
  ["install_failed", InstallError],
  ["agent_not_installed", InstallError],
  ["agent_process_exited", AgentExitedError],
  ["timeout", TimeoutError],
  ["request_timeout", TimeoutError],
  ["cancelled", CancelledError],
]);

function classOf(code: string, status?: number, resource?: string): ErrorClass {
  if (status === 401) return AuthError;
  if (code === "not_found" && resource === "agent") return AgentNotFoundError;
  return classes.get(code) ?? SandboxAgentError;
}

/** From the body of an answer that was not 2xx; `body` may be anything, such as a proxy's own page. */
export function fromProblem(status: number, body: unknown, cause?: unknown): SandboxAgentError {
  const details: SandboxAgentErrorDetails = cause === undefined ? { status } : { status, cause };
  const problem = isProblem(body) ? body : undefined;
  const code = problem?.type.slice(problemPrefix.length) ?? "bad_answer";
  const message = problem?.detail ?? `The answer was HTTP ${status}, and not in the daemon's words.`;
  return new (classOf(code, status, problem?.resource))(message, { ...details, code, problem });
}

/** Makes a SandboxAgentError of whatever was thrown. One that is one already stays as it is. */
export function toSandboxAgentError(cause: unknown, context: ErrorContext = {}): SandboxAgentError {
  if (cause instanceof SandboxAgentError) return cause;
  const error: Record<string, unknown> = isObject(cause) ? cause : {};
  if (error.cause instanceof SandboxAgentError) return error.cause; // fetch wraps what the body it sends failed with
  const message = String(error.message || cause);
  if (error.name === "TimeoutError") return new TimeoutError(message, { cause });
  if (error.name === "AbortError" || (context.signal?.aborted && cause === context.signal.reason)) {
    return new CancelledError(undefined, { cause });
  }
  if (error.name === "AcpHttpError") return fromTransport(error, message, cause);
  if (error.name === "RequestError" && typeof error.code === "number") return fromAgent(error.code, error.data, message, cause);
  const network = cause instanceof TypeError || typeof error.code === "string"; // fetch's own failure, or the system's
  if (network && context.answered) {
    return new SandboxAgentError("The connection to the daemon was cut.", { code: "connection_lost", cause });
  }
  if ((error.cause as { code?: unknown } | undefined)?.code === "UND_ERR_HEADERS_TIMEOUT")
    return new TimeoutError("fetch gave up waiting.", { cause });
  if (network && context.url !== undefined) return unreachable(context.url, cause);
  return new SandboxAgentError(message, { cause });
}

/** Nobody answers at `url`. */
function unreachable(url: string, cause: unknown): SandboxAgentError {
  const page = globalThis.location?.origin; // in a browser a page the daemon does not know gets no answer either
  return new SandboxAgentError(`No daemon answers at ${url}.`, {
    code: "unreachable",
    hint:
      page && `Start one with \`sandbox-agent server\`, check baseUrl, or let this page in with --cors-allow-origin ${page}.`,
    cause,
  });
}

function fromTransport(error: Record<string, unknown>, message: string, cause: unknown): SandboxAgentError {
  const { status, problem, code } = error as { status?: number; problem?: unknown; code: string };
  if (status !== undefined && problem !== undefined) return fromProblem(status, problem, cause);
  return new (classOf(code, status))(message, { code: code === "invalid_answer" ? "bad_answer" : code, status, cause });
}

// The agent's own error. The useful words are often in its data.
function fromAgent(code: number, data: unknown, message: string, cause: unknown): SandboxAgentError {
  const more = typeof data === "string" ? data : isObject(data) && typeof data.details === "string" ? data.details : "";
  const words = more === "" || message.includes(more) ? message : `${message}: ${more}`;
  if (code === authRequired) return new AuthError(words, { code: "agent_auth_required", data, cause });
  if (code === requestCancelled) return new CancelledError(words, { data, cause });
  return new SandboxAgentError(words, { code: "agent_error", data, cause });
}

function isProblem(body: unknown): body is Problem {
  return isObject(body) && String(body.type).startsWith(problemPrefix) && typeof body.detail === "string";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
