// Asks the daemon again and again how it is and what runs, and tells the store. One question at a time; quicker when something
// seems wrong, slower when nobody looks.
import { SandboxAgentError, type Daemon } from "sandbox-agent/daemon";
import type { Store } from "./store.js";

const everyMs = 1_000;
const hiddenEveryMs = 5_000;
const healthEveryMs = 5_000;
const lateMs = 2_000;
const giveUpMs = 5_000;

export class DaemonWatch {
  readonly #store: Store;
  readonly #daemon: () => Daemon;
  /** Called after each answer. */
  readonly #onAnswer: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAsking = false;
  #again = false;
  #healthAt = -healthEveryMs;

  constructor(store: Store, daemon: () => Daemon, onAnswer: () => void) {
    this.#store = store;
    this.#daemon = daemon;
    this.#onAnswer = onAnswer;
    document.addEventListener("visibilitychange", () => this.poke());
  }

  /** Asks at once. */
  poke(): void {
    clearTimeout(this.#timer);
    if (this.#isAsking) this.#again = true;
    else void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    const began = performance.now(); // sleeps with the machine, as the daemon's clock does
    const late = setTimeout(() => this.#store.dispatch({ type: "daemon", news: { type: "late" } }), lateMs);
    let isWell = false;
    try {
      await this.#questions(began);
      isWell = true;
    } catch (error) {
      this.#healthAt = -healthEveryMs;
      const why = whyOf(error);
      this.#store.dispatch({ type: "daemon", news: { type: "failed", why, retryAt: Date.now() + everyMs } });
    } finally {
      clearTimeout(late);
      this.#isAsking = false;
    }
    const { word } = this.#store.state.daemon;
    const waitsForUser = word === "token needed" || word === "token wrong";
    if (this.#again) {
      this.#again = false;
      void this.#ask();
    } else if (!waitsForUser) {
      this.#timer = setTimeout(() => void this.#ask(), document.hidden && isWell ? hiddenEveryMs : everyMs);
    }
    if (isWell) this.#onAnswer();
  }

  async #questions(began: number): Promise<void> {
    const daemon = this.#daemon();
    const signal = AbortSignal.timeout(giveUpMs);
    if (began - this.#healthAt >= healthEveryMs) {
      const { version, uptimeMs } = await daemon.health({ signal });
      const now = performance.now();
      this.#healthAt = began;
      this.#store.dispatch({ type: "daemon", news: { type: "answered", version, uptimeMs, tookMs: now - began, at: now } });
    }
    this.#store.dispatch({ type: "instances", instances: await daemon.instances({ signal }) });
  }
}

function whyOf(error: unknown): "unreachable" | "token_missing" | "token_invalid" {
  const code = error instanceof SandboxAgentError ? error.code : undefined;
  return code === "token_missing" || code === "token_invalid" ? code : "unreachable";
}
