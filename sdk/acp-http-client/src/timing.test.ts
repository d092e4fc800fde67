import { expect, test } from "vitest";
import { backoffMs, nextTask, pause } from "./timing.js";

test("a pause ends after its time, or at once with its signal", async () => {
  const stop = new AbortController();
  const long = pause(1_000_000, stop.signal);
  await pause(1, stop.signal);
  stop.abort();
  await long;
  await pause(1_000_000, stop.signal);
});

test("waits double up to the longest, and differ", () => {
  const waits = (n: number) => Array.from({ length: 200 }, () => backoffMs(n, { firstMs: 50, mostMs: 5_000 }));
  for (const [n, most] of [
    [0, 50],
    [1, 100],
    [3, 400],
    [7, 5_000],
    [5_000, 5_000],
  ] as const) {
    expect(Math.max(...waits(n))).toBeLessThanOrEqual(most);
    expect(Math.min(...waits(n))).toBeGreaterThanOrEqual(most / 2);
    expect(new Set(waits(n)).size).toBeGreaterThan(100);
  }
});

test("a new task begins after all microtasks, also those that make more", async () => {
  let hops = 0;
  const hop = async (): Promise<void> => {
    await null;
    if (++hops < 1_000) await hop();
  };
  void hop();
  await nextTask();
  expect(hops).toBe(1_000);
});
