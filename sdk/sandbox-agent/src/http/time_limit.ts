// A signal that is aborted when its time is over or the caller's own signal is. Whoever makes one ends it.

export class TimeLimit {
  readonly signal: AbortSignal;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #leave: () => void;

  /** `ms` 0: only the caller's signal counts. */
  constructor(ms: number, caller?: AbortSignal) {
    const controller = new AbortController();
    this.signal = controller.signal;
    const follow = () => controller.abort(caller?.reason);
    if (caller?.aborted) follow();
    caller?.addEventListener("abort", follow, { once: true });
    this.#leave = () => caller?.removeEventListener("abort", follow);
    if (ms > 0) {
      const late = () => controller.abort(new DOMException(`Nothing came within ${ms} ms.`, "TimeoutError"));
      this.#timer = setTimeout(late, ms);
    }
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#leave();
  }
}
