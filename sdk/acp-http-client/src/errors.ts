import { parsed } from "./json.js";

// The one error of the transport, and how a server's answer becomes one.

/** What a server says of an error (RFC 9457); extra members differ from error to error. */
export interface Problem {
  type?: string;
  title?: string;
  status?: number;
  detail?: string;
  [extra: string]: unknown;
}

export interface AcpHttpErrorParts {
  code: string;
  status?: number | undefined;
  problem?: Problem | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/**
 * Any failure of the transport. `code` is a stable word: the last part of the problem's type where the server sent one, else one of
 * `connection_lost`, `answer_lost`, `instance_replaced`, `agent_process_exited`, `invalid_answer`, `closed`, `aborted`, `http_<status>`.
 */
export class AcpHttpError extends Error {
  override readonly name = "AcpHttpError";
  readonly code: string;
  readonly status: number | undefined;
  readonly problem: Problem | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, parts: AcpHttpErrorParts) {
    super(message, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.code = parts.code;
    this.status = parts.status;
    this.problem = parts.problem;
    this.retryAfterMs = parts.retryAfterMs;
  }
}

/** There is no connection, or no longer. */
export function connectionLost(message: string, parts?: Partial<AcpHttpErrorParts>): AcpHttpError {
  return new AcpHttpError(message, { ...parts, code: "connection_lost" });
}

export function silent(): AcpHttpError {
  return connectionLost("The connection was silent too long.");
}

/** An answer that is no success, as an error. Reads its body. */
export async function errorOf(response: Response): Promise<AcpHttpError> {
  const problem = objectOf(parsed(await response.text().catch(() => "")));
  const { status, statusText, headers } = response;
  const type = textOf(problem?.type);
  return new AcpHttpError(
    textOf(problem?.detail) ?? textOf(problem?.title) ?? `The server answered ${status} ${statusText}`.trimEnd(),
    {
      code: (type !== "about:blank" && type?.match(/[^:/#]+$/)?.[0]) || `http_${status}`,
      status,
      problem,
      retryAfterMs: Math.max(0, Number(headers.get("Retry-After")) * 1000) || undefined, // a date is not heeded
    },
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined; // a server may say anything
}

function objectOf(value: unknown): Problem | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Problem) : undefined;
}
