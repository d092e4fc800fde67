// One conversation with an agent. Many sessions share an agent's process and its connection; each hears only its own messages.
// There is one turn at a time.
import type { AcpHttpGap, AcpHttpMessage } from "acp-http-client";
import { Claims, type AgentRequest } from "../client/agent_requests.js";
import type { Connection } from "../client/connection.js";
import type { AuthMethod, ContentPart, SessionModes, SessionOption, SlashCommand } from "../client/protocol.js";
import type { PromptAnswer, SandboxAgentClient } from "../client/sandbox_agent_client.js";
import type { Model, SessionMetadata, SessionRecord } from "../client/session_records.js";
import { CancelledError, SandboxAgentError } from "../errors.js";
import { Turn } from "../turn/turn.js";
import type { SessionEvent } from "../turn/turn_event.js";
import type { LogOptions, SessionHistory, SessionLogEntry } from "../stored/log_entry.js";
import type { Restored, SessionKeeper } from "../stored/session_keeper.js";
import { sessionEvents, type EventsOptions, type StreamAccess } from "./session_events.js";
import type { SessionHandle } from "./session_handle.js";

export interface PromptOptions {
  /** Aborting it cancels the turn. */
  signal?: AbortSignal | undefined;
  /** How long the agent may take to end a cancelled turn before the turn rejects. Default: 5,000. */
  cancelGraceMs?: number | undefined;
}

const defaultCancelGraceMs = 5_000;

/** A prompt that was sent, and the agent's answer to it; undefined: it was not. */
type Sent = { answer: Promise<unknown> } | undefined;

/** One conversation with an agent, one turn at a time. Made by SandboxAgent. */
export class Session {
  /** What you call it: its id in the store, or, without one, the agent's. */
  readonly id: string;
  /** What the agent calls it. */
  readonly agentSessionId: string;
  readonly #client: SandboxAgentClient;
  readonly #keeper: SessionKeeper | undefined;
  readonly #access: StreamAccess;
  readonly #record: SessionRecord;
  readonly #readers = new Set<Claims>(); // of events(): each may answer what the agent asks
  #last: { turn: Turn; wireId: string | undefined; since: number | undefined } | undefined;

  /** @internal */
  constructor(client: SandboxAgentClient, agentSessionId: string, access: StreamAccess, keeper?: SessionKeeper) {
    this.id = keeper?.id ?? agentSessionId;
    this.agentSessionId = agentSessionId;
    this.#client = client;
    this.#keeper = keeper;
    this.#access = access;
    this.#record = client.book.get(agentSessionId);
    this.#record.named = { id: this.id };
    client.book.observe(agentSessionId, (heard, request) => this.hear(heard, request));
  }

  get agent(): string {
    return this.#client.agent;
  }

  /** The name of the agent's process on the daemon; sessions with the same one share it. */
  get serverId(): string {
    return this.#client.serverId ?? "";
  }

  /** Where the agent works: an absolute path on the daemon's machine. */
  get cwd(): string {
    return this.#record.cwd;
  }

  /** As you or the agent last called it. */
  get title(): string | undefined {
    return this.#record.title;
  }

  /** What you keep with the session, and what is known of it; see SessionMetadata. */
  get metadata(): SessionMetadata {
    return this.#record.metadata;
  }

  /** The modes the agent offers and the current one; undefined when it has not spoken of any. */
  get modes(): SessionModes | undefined {
    return this.#record.modes;
  }

  /** The models the agent offers; the current one is `metadata.model`. */
  get models(): Model[] {
    return this.#record.models;
  }

  /** Everything the agent lets you choose, models and modes included where it offers them so. */
  get options(): SessionOption[] {
    return this.#record.options;
  }

  /** The slash commands of the agent, without their slash. */
  get commands(): SlashCommand[] {
    return this.#record.commands;
  }

  /** The session or its agent's process has ended. */
  get ended(): boolean {
    return this.#record.ended;
  }

  /** How restoreSession() brought it back; undefined for a session that was made here. */
  get restored(): Restored | undefined {
    return this.#keeper?.restored;
  }

  /** Why nothing more of this session is stored: the store failed, or another client took the session. Undefined: all is well. */
  get storeFailure(): SandboxAgentError | undefined {
    return this.#keeper?.log.failure;
  }

  /** The turn that runs, else the last one; `turn.over` tells which. */
  get turn(): Turn | undefined {
    return this.#last?.turn;
  }

  /**
   * Begins a turn and returns at once. Read its events, or await its result, or both in this order: one that is awaited first keeps
   * no events. While another turn of this session runs, the new one rejects with "turn_running".
   */
  prompt(input: string | ContentPart[], { signal, cancelGraceMs = defaultCancelGraceMs }: PromptOptions = {}): Turn {
    const prompt: ContentPart[] = typeof input === "string" ? [{ type: "text", text: input }] : input;
    const params = { sessionId: this.agentSessionId, prompt };
    if (this.#running) return this.#turn(Promise.reject(turnRunning()), cancelGraceMs, Promise.resolve(undefined));
    const connection = this.#client.lifecycle.current;
    const wireId = connection?.reserveId(params);
    let tell = (_: Sent) => {};
    const sent = new Promise<Sent>((resolve) => (tell = resolve));
    let turn: Turn | undefined; // one that is over, because its cancel took too long, is not begun any more
    const mustGoOn = () => {
      if (signal?.aborted || turn?.over) throw new CancelledError(undefined, { cause: signal?.reason });
    };
    const answer = this.#send(params, wireId, mustGoOn, tell).finally(() => tell(undefined));
    turn = this.#turn(answer, cancelGraceMs, sent);
    this.#last = { turn, wireId, since: connection?.position };
    const cancel = () => void turn.cancel().catch(() => {});
    signal?.addEventListener("abort", cancel);
    const over = () => signal?.removeEventListener("abort", cancel);
    turn.settled.then(over, over);
    return turn;
  }

  /** Cancels the turn that runs, also one that another client began. Rejects when the agent cannot be told. */
  async cancel(): Promise<void> {
    const running = this.#running;
    if (running) await running.turn.cancel();
    else if (!this.ended) await this.#client.cancel({ sessionId: this.agentSessionId });
  }

  /** One of `modes`. */
  async setMode(modeId: string): Promise<void> {
    await this.setMetadata({ mode: modeId });
  }

  /** One of `models`. */
  async setModel(modelId: string): Promise<void> {
    await this.setMetadata({ model: modelId });
  }

  /** One of `options`, by its id, and a value it has. */
  async setOption(optionId: string, value: string | boolean): Promise<void> {
    await this.#client.setSessionConfigOption({ sessionId: this.agentSessionId, configId: optionId, value });
    await this.#keepKnown();
  }

  /** Adds to the metadata; `title`, `model` and `mode` act. Resolves to all of it. */
  async setMetadata(metadata: SessionMetadata): Promise<SessionMetadata> {
    const all = await this.#client.setMetadata({ sessionId: this.agentSessionId, metadata });
    await this.#keepKnown();
    return all;
  }

  /**
   * What happens in this session, over turns and lost connections, for as long as one reads. Begins after event number `since`
   * (an event's `raw.id`), or with the oldest the daemon has. Says so when events were lost.
   */
  events(options: EventsOptions = {}): AsyncGenerator<SessionEvent, void> {
    const connection = this.#client.lifecycle.current;
    const reader = new Claims();
    const begin = () => this.#readers.add(reader);
    const end = () => {
      this.#readers.delete(reader);
      reader.release();
    };
    const requestIn = (message: AcpHttpMessage) => reader.claim(connection?.requestIn(message));
    return sessionEvents(this.#stream, this.agentSessionId, options, requestIn, begin, end);
  }

  /** A page of what was said in this session, both ways, from the store. Waits until all that was heard is there. */
  async history(page: { offset?: number | undefined; limit?: number | undefined } = {}): Promise<SessionHistory> {
    return this.#mustBeKept().history(page);
  }

  /**
   * Everything that was said in this session, both ways: from the store, or, without one, as far back as the daemon has it. With
   * `follow` it goes on with what comes. `transcriptOf()` makes events of it that are the same for all agents.
   */
  async *log(options: LogOptions = {}): AsyncGenerator<SessionLogEntry, void> {
    if (this.#keeper) return yield* this.#keeper.entries(options);
    const stream = this.#stream;
    const { position = 0 } = this.#client.lifecycle.current ?? {};
    const { liveLog } = await import("../stored/live_log.js"); // most never need it
    yield* liveLog(stream, this.agentSessionId, position, options);
  }

  /** Resolves when all that was heard is in the store. */
  async flush(): Promise<void> {
    await this.#mustBeKept().log.flush();
  }

  /** What another process, or this page after it was loaded anew, needs for SandboxAgent.attachSession(). Plain data. */
  get handle(): SessionHandle {
    const connection = this.#client.lifecycle.current;
    const running = this.#running;
    const turn = running?.wireId;
    const since = turn === undefined ? connection?.position : running?.since;
    return {
      agent: this.agent,
      serverId: this.serverId,
      sessionId: this.agentSessionId,
      cwd: this.cwd,
      instanceId: connection?.instanceId,
      since,
      turn,
      details: connection?.details,
      known: this.#record.snapshot,
    };
  }

  /** A new session of the same process that begins where this one is. Not every agent can. */
  async fork(): Promise<Session> {
    const { cwd, agentSessionId } = this;
    const fork = async () => (await this.#client.forkSession({ sessionId: agentSessionId, cwd })).sessionId;
    if (this.#keeper) return this.#keeper.keepAnother(this.#client, { cwd }, fork);
    return new Session(this.#client, await fork(), this.#access);
  }

  /** How one can sign in to the agent. */
  get authMethods(): AuthMethod[] {
    return this.#client.authMethods;
  }

  /** Signs in to the agent, after a turn rejected with AuthError. */
  async authenticate(methodId: string): Promise<void> {
    await this.#client.authenticate({ methodId });
  }

  /** Cancels what runs, waits for its end, and closes the session, where the agent can close one. Its process goes on for other sessions. */
  async close(): Promise<void> {
    const turn = this.#running?.turn;
    await turn?.cancel(); // which also sees to it that the turn settles
    await turn?.settled.catch(() => {}); // its end is a part of the session
    await this.#client.terminateSession({ sessionId: this.agentSessionId });
    await this.#keeper?.log.flush().catch(() => {}); // who restores it looks there
  }

  /** Ends the agent's process, and with it all sessions in it. Always works. */
  async stopAgent(): Promise<void> {
    await this.#client.disconnect();
  }

  /** @internal Goes on with a turn another process began. */
  resume(turn: string, since: number | undefined, connection: Connection): void {
    const answer = connection.adopt(turn) as Promise<PromptAnswer>;
    const sent = Promise.resolve({ answer });
    this.#last = { turn: this.#turn(this.#kept(answer), defaultCancelGraceMs, sent), wireId: turn, since };
  }

  /** @internal */
  hear(heard: AcpHttpMessage | AcpHttpGap, request?: AgentRequest): void {
    this.#running?.turn.hear(heard, request);
    for (const reader of this.#readers) reader.claim(request);
  }

  get #stream() {
    return { ...this.#access, serverId: this.serverId, instanceId: this.#client.lifecycle.current?.instanceId };
  }

  // A turn whose events have ended is over, before its promise says so.
  get #running() {
    return this.#last?.turn.over === false ? this.#last : undefined;
  }

  async #send(
    params: { prompt: ContentPart[] },
    wireId: string | undefined,
    mustGoOn: () => void,
    tell: (sent: Sent) => void,
  ): Promise<PromptAnswer> {
    mustGoOn();
    const connection = await this.#client.lifecycle.use();
    if (this.#keeper && wireId !== undefined) params.prompt = [...(await this.#keeper.turnBegins(wireId)), ...params.prompt];
    mustGoOn();
    const answer = connection.request<PromptAnswer>("session/prompt", params);
    tell({ answer });
    return this.#kept(answer);
  }

  // A turn is over when all of it is in the store.
  async #kept(answer: Promise<PromptAnswer>): Promise<PromptAnswer> {
    if (!this.#keeper) return answer;
    let isAnswered = false;
    try {
      const result = await answer;
      isAnswered = true;
      return result;
    } finally {
      await this.#keeper.turnEnds(this.#record.snapshot, isAnswered);
    }
  }

  // A cancel never overtakes its prompt, and there is none without one.
  #turn(answer: Promise<PromptAnswer>, cancelGraceMs: number, sent: Promise<Sent>): Turn {
    const cancel = async () => {
      if (await sent) await this.#client.cancel({ sessionId: this.agentSessionId });
    };
    const answered = sent.then((it) => it?.answer).catch(() => {});
    return new Turn({ answer, answered, cancel, cancelGraceMs });
  }

  async #keepKnown(): Promise<void> {
    await this.#keeper?.keep({ known: this.#record.snapshot });
  }

  #mustBeKept(): SessionKeeper {
    if (this.#keeper) return this.#keeper;
    throw new SandboxAgentError("This session is not in a store.", { code: "not_persisted" });
  }
}

function turnRunning(): SandboxAgentError {
  return new SandboxAgentError("A turn of this session runs already.", {
    code: "turn_running",
    hint: "Await it or cancel it first, or use another session.",
  });
}
