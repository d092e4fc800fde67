// Waiting that ends when its signal is aborted.

/** Resolves after `ms`, or at once when the signal is or becomes aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}

/** The wait before attempt `n` (0, 1, …): doubled each time, somewhere between half of it and all of it. */
export function backoffMs(n: number, { firstMs, mostMs }: { firstMs: number; mostMs: number }): number {
  return Math.min(mostMs, firstMs * 2 ** Math.min(n, 20)) * (0.5 + Math.random() / 2);
}

const immediate = (globalThis as { setImmediate?: (done: () => void) => void }).setImmediate;

/** Resolves in a new task: everything that is on its way in microtasks comes first. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    if (immediate) return immediate(resolve);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}
