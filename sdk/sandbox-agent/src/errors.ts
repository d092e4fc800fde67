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
  /** Where the daemon was expected. Shown without user, query and fragment. */
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

function classOf(code: string, status?: number, resource?: string): ErrorClass {
  if (status === 401) return AuthError;
  switch (code) {
    case "unsupported_agent":
      return AgentNotFoundError;
    case "not_found":
      return resource === "agent" ? AgentNotFoundError : SandboxAgentError;
    case "install_failed":
    case "agent_not_installed":
      return InstallError;
    case "agent_process_exited":
      return AgentExitedError;
    case "timeout":
    case "request_timeout":
      return TimeoutError;
    case "cancelled":
      return CancelledError;
    default:
      return SandboxAgentError;
  }
}

/** From the body of an answer that was not 2xx; `body` may be anything, such as a proxy's own page. */
export function fromProblem(status: number, body: unknown, cause?: unknown): SandboxAgentError {
  const details: SandboxAgentErrorDetails = cause === undefined ? { status } : { status, cause };
  if (!isProblem(body)) {
    const Class = status === 401 ? AuthError : SandboxAgentError;
    return new Class(`The answer was HTTP ${status}, and not in the daemon's words.`, { code: "bad_answer", ...details });
  }
  const code = body.type.slice(problemPrefix.length);
  return new (classOf(code, status, body.resource))(body.detail, { ...details, code, problem: body });
}

/** Makes a SandboxAgentError of whatever was thrown. One that is one already stays as it is. */
export function toSandboxAgentError(cause: unknown, context: ErrorContext = {}): SandboxAgentError {
  if (cause instanceof SandboxAgentError) return cause;
  const error: Record<string, unknown> = isObject(cause) ? cause : {};
  if (error.cause instanceof SandboxAgentError) return error.cause; // fetch wraps what the body it sends failed with
  const message = typeof error.message === "string" && error.message !== "" ? error.message : String(cause);
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
  if (network && context.url !== undefined) return unreachable(context.url, cause);
  return new SandboxAgentError(message, { code: "unexpected", cause });
}

/** Nobody answers at `url`. */
function unreachable(url: string, cause: unknown): SandboxAgentError {
  const where = bareUrl(url);
  const page = globalThis.location?.origin; // in a browser a page the daemon does not know gets no answer either
  return new SandboxAgentError(`No daemon answers at ${where}.`, {
    code: "unreachable",
    hint: `Start one there with \`sandbox-agent server\`, correct baseUrl (${where}), ${
      page === undefined ? "or let SandboxAgent.start() run one" : `or let this page in with --cors-allow-origin ${page}`
    }.`,
    cause,
  });
}

function fromTransport(error: Record<string, unknown>, message: string, cause: unknown): SandboxAgentError {
  const status = typeof error.status === "number" ? error.status : undefined;
  if (status !== undefined && error.problem !== undefined) return fromProblem(status, error.problem, cause);
  const code = typeof error.code === "string" ? error.code : "unexpected";
  return new (classOf(code, status))(message, status === undefined ? { code, cause } : { code, status, cause });
}

// The agent's own error. The useful words are often in its data.
function fromAgent(code: number, data: unknown, message: string, cause: unknown): SandboxAgentError {
  const more = typeof data === "string" ? data : isObject(data) && typeof data.details === "string" ? data.details : "";
  const words = more === "" || message.includes(more) ? message : `${message}: ${more}`;
  if (code === authRequired) return new AuthError(words, { code: "agent_auth_required", data, cause });
  if (code === requestCancelled) return new CancelledError(words, { data, cause });
  return new SandboxAgentError(words, { code: "agent_error", data, cause });
}

function bareUrl(url: string): string {
  try {
    const { origin, pathname } = new URL(url);
    return origin + pathname.replace(/\/+$/, "");
  } catch {
    return "an address that is no URL";
  }
}

function isProblem(body: unknown): body is Problem {
  if (!isObject(body) || typeof body.type !== "string") return false;
  return body.type.startsWith(problemPrefix) && typeof body.detail === "string";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
