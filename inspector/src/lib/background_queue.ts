// Sends what is queued for sessions of processes that this tab does not read, when the daemon says that they are idle.
import { sessionKey } from "../state/app.js";
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
      const { queue: [next] = [], isHeld } = composers[session] ?? {};
      const instance = instances.find((known) => known.instanceId === instanceId);
      const isIdle = instance?.status === "running" && instance.pendingRequests === 0 && instance.openAgentRequests === 0;
      const isSettling = Date.now() - (this.#sent.get(serverId) ?? 0) < settleMs;
      if (!next || isHeld || !isIdle || isSettling || serverId === shown?.serverId) continue;
      this.#sent.set(serverId, Date.now());
      this.#store.dispatch({ type: "compose", session, news: { type: "took", id: next.id } });
      this.#post(serverId, sessionId, next.text).catch((error: unknown) => {
        this.#store.dispatch({ type: "compose", session, news: { type: "put back", text: next.text } });
        this.#store.dispatch({
          type: "unsent",
          session,
          why: `Not sent: ${error instanceof Error ? error.message : String(error)}`,
        });
      });
    }
  }

  async #post(serverId: string, sessionId: string, text: string): Promise<void> {
    const { baseUrl, token } = this.#access();
    const id = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const params = { sessionId, prompt: [{ type: "text", text }] };
    const response = await fetch(`${baseUrl}/v1/acp/${encodeURIComponent(serverId)}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        prefer: "respond-async",
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id, method: "session/prompt", params }),
    });
    if (!response.ok) throw new Error(`The daemon answered ${response.status}.`);
  }
}
