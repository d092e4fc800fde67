// All sessions of one client, and who hears what: each message is counted in its session's record, given to the session's observers,
// then to the client's listeners, in the order of the stream.
import type { AcpHttpGap, AcpHttpMessage } from "acp-http-client";
import { SandboxAgentError } from "../errors.js";
import type { AgentRequest } from "./agent_requests.js";
import { rawOf, type Happening } from "./events.js";
import type { SessionUpdate } from "./protocol.js";
import { SessionRecord } from "./session_records.js";

/** Hears what concerns one session: its own messages, and what is about the whole process. */
export type SessionObserver = (heard: AcpHttpMessage | AcpHttpGap, request?: AgentRequest) => void;

interface Heard {
  sessionId: string;
  message: AcpHttpMessage;
  request: AgentRequest | undefined;
}

const mostEarly = 256; // messages of sessions whose beginning has not been answered yet
const mostEnded = 256; // sessions that are listed although they have ended

export class SessionBook {
  readonly #agent: string;
  readonly #tell: (event: Happening) => void;
  readonly #records = new Map<string, SessionRecord>();
  readonly #observers = new Map<string, Set<SessionObserver>>();
  #beginning = 0; // sessions whose ids may not be known yet
  #early: Heard[] = []; // what was heard of them

  constructor(agent: string, tell: (event: Happening) => void) {
    this.#agent = agent;
    this.#tell = tell;
  }

  all(): SessionRecord[] {
    return [...this.#records.values()];
  }

  find(sessionId: string): SessionRecord | undefined {
    return this.#records.get(sessionId);
  }

  get(sessionId: string): SessionRecord {
    const record = this.#records.get(sessionId);
    if (record) return record;
    const hint = "Create, load or resume it first.";
    throw new SandboxAgentError(`There is no session "${sessionId}" on this connection.`, { code: "unknown_session", hint });
  }

  /** Whether a session that is not here may be one that just begins. */
  get awaitsOne(): boolean {
    return this.#beginning > 0;
  }

  /** The session that `begin` makes. What is heard meanwhile of sessions that are not here is kept until it is known which it is. */
  async begin<Answer extends object>(
    { sessionId, cwd }: { sessionId?: string; cwd: string },
    begin: () => Promise<Answer & { sessionId?: string }>,
  ): Promise<{ answer: Answer; record: SessionRecord }> {
    ++this.#beginning;
    try {
      const answer = await begin();
      return { answer, record: this.open((answer.sessionId ?? sessionId) as string, cwd) };
    } finally {
      if (--this.#beginning === 0) this.#early = [];
    }
  }

  /** The session's record, made if there is none; what was heard of it before is heard now. */
  open(sessionId: string, cwd: string): SessionRecord {
    const record = this.#records.get(sessionId) ?? new SessionRecord(sessionId, this.#agent, cwd);
    record.cwd = cwd;
    record.ended = false;
    this.#records.set(sessionId, record);
    const early = this.#early.filter((heard) => heard.sessionId === sessionId);
    if (early.length > 0) this.#early = this.#early.filter((heard) => heard.sessionId !== sessionId);
    for (const heard of early) this.#hearOfSession(record, heard);
    return record;
  }

  forget(sessionId: string): void {
    this.#records.delete(sessionId);
    this.#observers.delete(sessionId);
  }

  observe(sessionId: string, observer: SessionObserver): () => void {
    const observers = this.#observers.get(sessionId) ?? new Set();
    this.#observers.set(sessionId, observers.add(observer));
    return () => observers.delete(observer);
  }

  end(sessionId: string, reason: "terminated" | "agent_exited" | "disconnected"): void {
    const record = this.#records.get(sessionId);
    if (record?.ended) return;
    if (record) record.ended = true;
    this.#observers.delete(sessionId);
    this.#forgetOldest();
    this.#tell({ type: "session_ended", sessionId, ...record?.named, reason });
  }

  endAll(reason: "agent_exited" | "disconnected"): void {
    for (const sessionId of [...this.#records.keys()]) this.end(sessionId, reason);
  }

  #forgetOldest(): void {
    const ended = this.all().filter((record) => record.ended);
    for (const { sessionId } of ended.slice(0, -mostEnded)) this.#records.delete(sessionId);
  }

  hear(message: AcpHttpMessage, request: AgentRequest | undefined): void {
    const { method, params } = message.message as { method?: string; params?: { sessionId?: unknown } };
    if (method === undefined) return;
    const sessionId = params?.sessionId;
    if (typeof sessionId !== "string") return this.#hearOfProcess(method, params ?? {}, message);
    const heard = { sessionId, message, request };
    const record = this.#records.get(sessionId);
    if (record) return this.#hearOfSession(record, heard);
    if (this.awaitsOne) this.#early.push(heard);
    if (this.#early.length > mostEarly) this.#early.shift();
  }

  #hearOfSession(record: SessionRecord, { message, request }: Heard): void {
    const { method, params } = message.message as { method: string; params: { update?: SessionUpdate } };
    const update = method === "session/update" ? params.update : undefined;
    record.count(update);
    for (const observer of this.#observers.get(record.sessionId) ?? []) observer(message, request);
    const { sessionId, named } = record;
    if (update) this.#tell({ type: "update", sessionId, ...named, update, raw: rawOf(message) });
  }

  /** Messages were lost, of whichever session. Without numbers they are another process's. */
  gap(gap: AcpHttpGap): void {
    if (gap.to !== undefined) this.#tellObservers(gap);
    this.#tell(gap);
  }

  #tellObservers(heard: AcpHttpMessage | AcpHttpGap): void {
    for (const observers of this.#observers.values()) for (const observer of observers) observer(heard);
  }

  #hearOfProcess(method: string, params: object, message: AcpHttpMessage): void {
    this.#tellObservers(message);
    const raw = rawOf(message);
    if (method === "_adapter/invalid_stdout") {
      const { error = "", raw: text = "" } = params as { error?: string; raw?: string };
      this.#tell({ type: "unparsed", error, text, raw });
    } else if (method === "_adapter/agent_exited") {
      this.#tell({ ...exitOf(params), type: "agent_exited", raw });
      this.endAll("agent_exited");
    }
  }
}

/** How an agent's process ended, as the daemon tells it. */
export function exitOf(params: unknown): { exitCode?: number; signal?: string } {
  const { code, signal } = (params ?? {}) as { code?: number | null; signal?: string | null };
  return { ...(typeof code === "number" && { exitCode: code }), ...(signal && { signal }) };
}
