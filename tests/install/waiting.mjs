// Waiting for conditions, never for a while.
import { setTimeout as pause } from "node:timers/promises";

export const timeScale = Number(process.env.SA_TIME_SCALE ?? 1);

// The first value of look() that counts as true; an error that says what was waited for otherwise.
export async function until(what, look, milliseconds = 10_000) {
  const end = performance.now() + milliseconds * timeScale;
  for (;;) {
    const isLast = performance.now() > end; // before the look: we may stand still ourselves
    const seen = await look();
    if (seen) return seen;
    if (isLast) throw new Error(`waited ${milliseconds * timeScale} ms until ${what}`);
    await pause(10);
  }
}

// The promise's value, unless it takes longer.
export async function within(milliseconds, what, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    const limit = milliseconds * timeScale;
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${limit} ms`)), limit);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
