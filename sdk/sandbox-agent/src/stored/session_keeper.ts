// What one session has in the store: its record and its log. Lives as long as the Session; the recorder of the connection fills the log.
import type { ContentPart } from "../client/protocol.js";
import type { NewSession, SandboxAgentClient } from "../client/sandbox_agent_client.js";
import type { SessionSnapshot } from "../client/session_records.js";
import type { SandboxAgentError } from "../errors.js";
import type { Session } from "../session/session.js";
import type { SessionChange, StoredSession } from "../persist/driver.js";
import { entryOf, type LogOptions, type SessionHistory, type SessionLogEntry } from "./log_entry.js";
import type { SessionLog } from "./session_log.js";
import type { Store } from "./store.js";

/**
 * How a session came back: its process ran on; the agent took it up again, without or with telling its past; only its text; or it
 * had not begun.
 */
export type Restored = "attached" | "resumed" | "loaded" | "replayed" | "created";

const longTurn = 1_000; // messages

/** Makes another session of the same client that is kept in the same store. */
export type KeepAnother = (
  client: SandboxAgentClient,
  wishes: NewSession,
  begin: () => Promise<string>,
  chosenServerId?: string,
) => Promise<Session>;

export class SessionKeeper {
  readonly keepAnother: KeepAnother;
  readonly id: string;
  readonly log: SessionLog;
  readonly restored: Restored | undefined;
  /** Why nothing more is heard, if it does not mean the end of the session. */
  lost: SandboxAgentError | undefined;
  readonly #store: Store;
  readonly #onError: (error: SandboxAgentError) => void;
  #eventCount: number; // when it was last heard of
  #untold: ContentPart[];

  /** `untold`: what the next prompt has to begin with, so that the agent knows what was before. */
  constructor(
    store: Store,
    { id, eventCount, chosenServerId }: StoredSession,
    log: SessionLog,
    onError: (error: SandboxAgentError) => void,
    keepAnother: KeepAnother,
    restored?: Restored,
    untold: ContentPart[] = [],
  ) {
    this.id = id;
    this.keepAnother = (client, wishes, begin) => keepAnother(client, wishes, begin, chosenServerId);
    this.log = log;
    this.restored = restored;
    this.#store = store;
    this.#eventCount = eventCount;
    this.#onError = onError;
    this.#untold = untold;
  }

  /** Before a prompt is sent: who restores the session looks for this turn. Resolves to what the prompt begins with. */
  async turnBegins(wireId: string): Promise<ContentPart[]> {
    const session = await this.keep({ turn: { id: wireId, epoch: this.log.epoch }, answeredTo: this.#eventCount });
    if (session && !session.untold) this.#untold = []; // another client has told it
    return this.#untold;
  }

  /** Changes the record. A store that fails is told of, and keeps nobody from working. */
  async keep(change: SessionChange): Promise<StoredSession | undefined | void> {
    if (this.log.failure) return; // which was told
    const session = await this.#store
      .update(this.id, change, this.log.epoch)
      .catch((error: SandboxAgentError) => this.#onError(error));
    this.#eventCount = session?.eventCount ?? this.#eventCount;
    return session;
  }

  /** Resolves when all that was heard of the turn is stored, or will not be. `isAnswered`: the agent has taken the prompt. */
  async turnEnds(known: SessionSnapshot, isAnswered: boolean): Promise<void> {
    await this.log.flush().catch(() => {}); // the log has told of it
    const before = this.#eventCount;
    if (isAnswered) this.#untold = [];
    await this.keep({ known, ...(isAnswered && { turn: undefined, untold: false }) }); // else it may still run
    if (this.#eventCount - before > longTurn) await this.keep({ answeredTo: this.#eventCount }); // whoever restores need not read it
  }

  async history(page: { offset?: number; limit?: number }): Promise<SessionHistory> {
    await this.log.flush();
    const { events, total } = await this.#store.list(this.id, page);
    return { events: events.map(entryOf), total };
  }

  async *entries({ offset = 0, follow = false, signal }: LogOptions): AsyncGenerator<SessionLogEntry, void> {
    await this.log.flush();
    for (;;) {
      let more = () => {};
      const stored = new Promise<void>((resolve) => (more = resolve));
      const forget = this.log.onStored(more);
      const isLast = this.log.isOver;
      signal?.addEventListener("abort", more);
      try {
        for await (const event of this.#store.events(this.id, offset)) {
          if (signal?.aborted) return;
          yield entryOf(event);
          offset = event.index + 1;
        }
        if (this.log.failure) throw this.log.failure;
        if (!follow || signal?.aborted) return;
        if (isLast && this.lost) throw this.lost;
        if (isLast) return;
        await stored;
      } finally {
        forget();
        signal?.removeEventListener("abort", more);
      }
    }
  }
}
