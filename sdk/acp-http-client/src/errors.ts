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

/** An answer that is no success, as an error. Reads its body. */
export async function errorOf(response: Response): Promise<AcpHttpError> {
  const text = await response.text().catch(() => "");
  const problem = parseProblem(text);
  const { status, statusText, headers } = response;
  const type = textOf(problem?.type);
  return new AcpHttpError(textOf(problem?.detail) ?? textOf(problem?.title) ?? `The server answered ${status} ${statusText}`.trimEnd(), {
    code: (type !== "about:blank" && type?.match(/[^:/#]+$/)?.[0]) || `http_${status}`,
    status,
    problem,
    retryAfterMs: waitOf(headers.get("Retry-After") ?? ""),
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined; // a server may say anything
}

function waitOf(retryAfter: string): number | undefined {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const date = /^\w+,/.test(retryAfter) ? Date.parse(retryAfter) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function parseProblem(text: string): Problem | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Problem) : undefined;
  } catch {
    return undefined;
  }
}
