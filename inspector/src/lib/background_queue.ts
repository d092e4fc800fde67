// Sends what is queued for sessions of processes that this tab does not read, when the daemon says that they are idle and nothing that
// was sent before is still on its way.
import { sessionKey } from "../state/app.js";
import { promptOf } from "../state/attachment_prompt.js";
import { nextQueued, type Written } from "../state/composer.js";
import { randomHex } from "./random_hex.js";
import type { Store } from "./store.js";

const settleMs = 3_000; // so long the list may be older than what was sent

interface Mark {
  serverId: string;
  at: number; // when the daemon had it; Infinity: not yet
}

export class BackgroundQueue {
  readonly #store: Store;
  readonly #access: () => { baseUrl: string; token: string | undefined };
  #sent: Mark[] = [];
  readonly #unheard = new Map<string, Mark>(); // by session

  constructor(store: Store, access: () => { baseUrl: string; token: string | undefined }) {
    this.#store = store;
    this.#access = access;
  }

  /** Whether something was sent to this session of which the turn has not been heard yet. */
  isOnItsWay(session: string): boolean {
    return isFresh(this.#unheard.get(session));
  }

  /** A turn of the session runs now. */
  heard(session: string): void {
    this.#unheard.delete(session);
  }

  /** Nothing that is queued is sent to a process until `sent` resolves, nor as long as the list may be older than that. */
  hold(serverId: string, sent: Promise<unknown>): Mark {
    const mark = { serverId, at: Infinity };
    this.#sent = [...this.#sent.filter(isFresh), mark];
    void sent.then(() => (mark.at = Date.now()));
    return mark;
  }

  /** After each list of the daemon. */
  flush(): void {
    const { notes, instances, composers, shown } = this.#store.state;
    for (const { serverId, sessionId, instanceId } of notes) {
      const session = sessionKey(serverId, sessionId);
      const next = nextQueued(composers[session]);
      const instance = instances.find((known) => known.instanceId === instanceId);
      const isIdle = instance?.status === "running" && instance.pendingRequests === 0 && instance.openAgentRequests === 0;
      const isHeld = this.#sent.some((mark) => mark.serverId === serverId && isFresh(mark));
      if (!next || !isIdle || isHeld || serverId === shown?.serverId) continue;
      this.#store.dispatch({ type: "compose", session, news: { type: "took", id: next.id } });
      const posted = this.#post(serverId, sessionId, next).catch(({ message }: Error) => {
        this.#unheard.delete(session);
        this.#store.dispatch({ type: "compose", session, news: { type: "put back", written: next } });
        this.#store.dispatch({ type: "unsent", session, why: `Not sent: ${message}` });
      });
      this.#unheard.set(session, this.hold(serverId, posted));
    }
  }

  async #post(serverId: string, sessionId: string, written: Written): Promise<void> {
    const params = { sessionId, prompt: promptOf(written) };
    const envelope = { jsonrpc: "2.0", id: randomHex(8), method: "session/prompt", params };
    const { sendRaw } = await import("./raw_sender.js");
    await sendRaw(this.#access(), serverId, JSON.stringify(envelope));
  }
}

const isFresh = (mark?: Mark) => mark !== undefined && Date.now() - mark.at < settleMs;
