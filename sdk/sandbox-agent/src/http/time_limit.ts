// A signal that is aborted when its time is over, one of the callers' signals is, or the work has ended. Whoever makes one ends it.

export class TimeLimit {
  readonly signal: AbortSignal;
  readonly end: () => void;

  /** `ms` 0: only the callers' signals count. */
  constructor(ms: number, ...callers: (AbortSignal | undefined)[]) {
    const controller = new AbortController();
    const late = () => controller.abort(new DOMException(`Nothing came within ${ms} ms.`, "TimeoutError"));
    const timer = ms > 0 ? setTimeout(late, ms) : undefined;
    const { signal } = controller;
    this.signal = signal;
    this.end = () => {
      clearTimeout(timer);
      controller.abort(); // so that nobody listens any more
    };
    for (const caller of callers) {
      const follow = () => controller.abort(caller?.reason);
      if (caller?.aborted) follow();
      caller?.addEventListener("abort", follow, { signal });
    }
  }
}
