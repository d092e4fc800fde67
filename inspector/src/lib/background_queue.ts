// Sends what is queued for sessions of processes that this tab does not read, when the daemon says that they are idle.
import { sessionKey } from "../state/app.js";
import { promptOf } from "../state/attachment_prompt.js";
import { nextQueued, type Written } from "../state/composer.js";
import { randomHex } from "./random_hex.js";
import { sendRaw } from "./raw_sender.js";
import type { Store } from "./store.js";

const settleMs = 3_000; // so long the list may be older than what was sent

export class BackgroundQueue {
  readonly #store: Store;
  readonly #access: () => { baseUrl: string; token: string | undefined };
  readonly #sent = new Map<string, number>(); // by process: when

  constructor(store: Store, access: () => { baseUrl: string; token: string | undefined }) {
    this.#store = store;
    this.#access = access;
  }

  /** After each list of the daemon. */
  flush(): void {
    const { notes, instances, composers, shown } = this.#store.state;
    for (const { serverId, sessionId, instanceId } of notes) {
      const session = sessionKey(serverId, sessionId);
      const next = nextQueued(composers[session]);
      const instance = instances.find((known) => known.instanceId === instanceId);
      const isIdle = instance?.status === "running" && instance.pendingRequests === 0 && instance.openAgentRequests === 0;
      const isSettling = Date.now() - (this.#sent.get(serverId) ?? 0) < settleMs;
      if (!next || !isIdle || isSettling || serverId === shown?.serverId) continue;
      this.#sent.set(serverId, Date.now());
      this.#store.dispatch({ type: "compose", session, news: { type: "took", id: next.id } });
      this.#post(serverId, sessionId, next).catch((error: unknown) => {
        this.#store.dispatch({ type: "compose", session, news: { type: "put back", written: next } });
        this.#store.dispatch({
          type: "unsent",
          session,
          why: `Not sent: ${error instanceof Error ? error.message : String(error)}`,
        });
      });
    }
  }

  async #post(serverId: string, sessionId: string, written: Written): Promise<void> {
    const params = { sessionId, prompt: promptOf(written) };
    const envelope = { jsonrpc: "2.0", id: randomHex(8), method: "session/prompt", params };
    await sendRaw(this.#access(), serverId, JSON.stringify(envelope));
  }
}
