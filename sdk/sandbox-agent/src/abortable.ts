// Work that cannot be stopped, for callers who can stop waiting.
import { CancelledError } from "./errors.js";

/** The work's outcome, or CancelledError as soon as the signal is aborted; `undo` gets what the work brings after that. */
export async function abortable<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  undo?: (value: T) => Promise<unknown>,
): Promise<T> {
  if (!signal) return work;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      work.then(undo).catch(() => {});
      reject(new CancelledError(undefined, { cause: signal.reason }));
    };
  });
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
