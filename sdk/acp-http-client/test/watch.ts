// What every test of this package holds: nothing is printed, no rejection is left unhandled.
import { afterEach, beforeEach, expect, vi } from "vitest";

const strays: unknown[] = [];
process.on("unhandledRejection", (reason) => strays.push(reason));

beforeEach(() => {
  for (const level of ["log", "info", "warn", "error", "debug"] as const) vi.spyOn(console, level).mockImplementation(() => {});
});

afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  const printed = (["log", "info", "warn", "error", "debug"] as const).flatMap((level) => vi.mocked(console[level]).mock.calls);
  vi.restoreAllMocks();
  expect(printed).toEqual([]);
  expect(strays.splice(0)).toEqual([]);
});

/** Waits for a condition: expect() inside. */
export function eventually(check: () => void, timeout = 10_000): Promise<void> {
  return vi.waitFor(check, { interval: 2, timeout });
}
