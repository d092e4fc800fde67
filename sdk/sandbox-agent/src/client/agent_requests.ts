// Requests of the agent that a person may answer: permissions and questions. Each is open from the moment it appears in the stream
// until somebody answers; the first answer counts. One that nobody wants is refused, unless it may be another client's to answer.
import { RequestError, type AnyMessage, type ClientApp } from "@agentclientprotocol/sdk";
import type { AcpHttpMessage, AcpHttpStream } from "acp-http-client";
import { SandboxAgentError } from "../errors.js";
import type { Handlers, PermissionAnswer, PermissionRequest, QuestionRequest } from "./handlers.js";
import type { QuestionAnswer, QuestionForm } from "./protocol.js";

const permissionMethod = "session/request_permission";
const questionMethod = "elicitation/create";

type Answer = { result: object } | { refused: true };

export class AgentRequest {
  readonly answer: Promise<Answer>;
  #settle!: (answer: Answer) => void;
  #open = true;
  #claims = 0;

  constructor(
    readonly kind: "permission" | "question",
    readonly method: string,
    readonly params: Record<string, unknown>,
    readonly watch: (result: object) => Promise<void>,
    readonly refusable = true,
  ) {
    this.answer = new Promise((resolve) => (this.#settle = resolve));
  }

  get open(): boolean {
    return this.#open;
  }

  get claimed(): boolean {
    return this.#claims > 0;
  }

  get permission(): PermissionRequest {
    const { sessionId, toolCall, options } = this.params as {
      sessionId: string;
      toolCall?: object;
      options?: PermissionRequest["options"];
    };
    return { sessionId, tool: (toolCall ?? {}) as PermissionRequest["tool"], options: options ?? [] };
  }

  get question(): QuestionRequest {
    const { sessionId, message } = this.params as { sessionId?: string; message?: string };
    return { sessionId, message: message ?? "", form: this.params as unknown as QuestionForm };
  }

  /** The answer to a permission that takes this option. */
  choice(optionId: string | undefined): object {
    const { options } = this.permission;
    if (options.some((option) => option.optionId === optionId)) return permissionResult({ optionId: optionId as string });
    const offered = options.map((option) => `"${option.optionId}"`).join(", ");
    throw new SandboxAgentError("The agent offers no such choice.", {
      code: "no_such_option",
      hint: `Choose one of ${offered}.`,
    });
  }

  /** Somebody will answer, later. */
  claim(): void {
    ++this.#claims;
  }

  /** Gives a claim back; without any the agent is refused. */
  release(): void {
    this.#claims = Math.max(0, this.#claims - 1);
    if (this.#claims === 0 && this.refusable) this.#end({ refused: true });
  }

  /** Resolves when the daemon has taken the answer. */
  async respond(result: object): Promise<void> {
    if (!this.#open) {
      throw new SandboxAgentError("This request of the agent has been answered or withdrawn.", {
        code: "already_answered",
        hint: "Answer a request once, while its turn runs.",
      });
    }
    const sent = this.watch(result);
    this.#end({ result });
    await sent;
  }

  /** No decision: what is answered when a turn is cancelled or the agent withdraws. */
  withdraw(): void {
    this.#end({ result: this.kind === "permission" ? permissionResult(null) : { action: "cancel" } });
  }

  #end(answer: Answer): void {
    this.#open = false;
    this.#settle(answer);
  }
}

/** The requests one reader has seen and may answer. */
export class Claims {
  readonly #requests = new Set<AgentRequest>();

  claim(request: AgentRequest | undefined): AgentRequest | undefined {
    if (request?.open && !this.#requests.has(request)) {
      for (const known of this.#requests) if (!known.open) this.#requests.delete(known);
      request.claim();
      this.#requests.add(request);
    }
    return request;
  }

  /** The reader leaves. */
  release(): void {
    for (const request of this.#requests) if (request.open) request.release();
    this.#requests.clear();
  }
}

export function permissionResult(answer: PermissionAnswer): object {
  return { outcome: answer ? { outcome: "selected", optionId: answer.optionId } : { outcome: "cancelled" } };
}

export class AgentRequests {
  readonly #handlers: Handlers;
  readonly #onError: (error: unknown) => void;
  readonly #mayRefuse: (sessionId: unknown) => boolean;
  readonly #open = new Map<string, AgentRequest>();

  /** `onError` hears what the handlers throw; the agent hears it too. `mayRefuse`: nobody else will answer for this session. */
  constructor(handlers: Handlers, onError: (error: unknown) => void, mayRefuse: (sessionId: unknown) => boolean) {
    this.#handlers = handlers;
    this.#onError = onError;
    this.#mayRefuse = mayRefuse;
  }

  /**
   * The request in this message, if it is one that a person may answer. Whoever reads the stream first makes it known; one that
   * this connection has passed already (`isPast`) and that is not open has been answered.
   */
  appear({ message }: AcpHttpMessage, stream: AcpHttpStream, isPast = false): AgentRequest | undefined {
    if (!("method" in message) || !("id" in message)) return undefined;
    const kind =
      message.method === permissionMethod ? "permission" : message.method === questionMethod ? "question" : undefined;
    if (!kind) return undefined;
    const key = JSON.stringify(message.id);
    const known = this.#open.get(key);
    if (known) return known;
    const params = (message.params ?? {}) as Record<string, unknown>;
    const refusable = this.#mayRefuse(params["sessionId"]);
    const request = new AgentRequest(kind, message.method, params, (result) => stream.watch(result), refusable);
    if (isPast) request.withdraw();
    else this.#open.set(key, request);
    return request;
  }

  /** Another client answered: the question is closed here too. What is answered now does not reach the agent. */
  answeredBy(message: AnyMessage): void {
    if (!("method" in message)) this.#open.get(JSON.stringify(message.id))?.withdraw();
  }

  /** Answers "cancelled" to what is open for a session. */
  withdraw(sessionId: string): void {
    for (const request of this.#open.values()) if (request.params["sessionId"] === sessionId) request.withdraw();
  }

  /** Serves both kinds. Params are taken as they come: an agent that leaves the schema is still heard. */
  serve(app: ClientApp): ClientApp {
    for (const method of [permissionMethod, questionMethod]) {
      app = app.onRequest(
        method,
        (params) => params,
        ({ requestId, signal }) => this.#serve(JSON.stringify(requestId), method, signal),
      );
    }
    return app;
  }

  async #serve(key: string, method: string, signal: AbortSignal): Promise<unknown> {
    const request = this.#open.get(key);
    if (!request) throw RequestError.methodNotFound(method);
    const withdraw = () => request.withdraw();
    const over = new AbortController(); // what the handler says no longer counts
    void request.answer.then(() => over.abort());
    signal.addEventListener("abort", withdraw);
    try {
      const decided = request.open ? this.#decide(request, over.signal) : undefined;
      decided?.catch(this.#onError);
      if (decided) request.claim();
      else if (!request.claimed) request.release();
      const answer = await (decided ? Promise.race([request.answer, decided]) : request.answer);
      if ("refused" in answer) throw RequestError.methodNotFound(method);
      return answer.result;
    } finally {
      signal.removeEventListener("abort", withdraw);
      this.#open.delete(key);
      if (request.open) request.withdraw();
    }
  }

  // What the user's handler says, if there is one.
  #decide(request: AgentRequest, signal: AbortSignal): Promise<Answer> | undefined {
    const { onPermission, onQuestion } = this.#handlers;
    if (request.kind === "permission" && onPermission) {
      return (async () => {
        const answer = await onPermission.call(this.#handlers, request.permission, signal);
        return { result: answer ? request.choice(answer.optionId) : permissionResult(null) };
      })();
    }
    if (request.kind === "question" && onQuestion) {
      return (async () => ({
        result: (await onQuestion.call(this.#handlers, request.question, signal)) as QuestionAnswer & object,
      }))();
    }
    return undefined;
  }
}
