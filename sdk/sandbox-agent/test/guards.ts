// What holds in every test: the package prints nothing, leaves no rejection unhandled, and lets Node warn of no listeners. Importing it
// is enough.
import { afterEach, beforeEach, expect, vi } from "vitest";

const stray: unknown[] = [];
process.on("unhandledRejection", (reason) => stray.push(reason));
process.on("warning", (warning) => void (warning.name === "MaxListenersExceededWarning" && stray.push(warning)));

const words = ["log", "info", "warn", "error", "debug", "trace"] as const;
let printed: unknown[][] = [];

beforeEach(() => {
  printed = [];
  for (const word of words) vi.spyOn(console, word).mockImplementation((...what: unknown[]) => void printed.push(what));
});

afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve)); // Node tells of stray rejections after the microtasks
  vi.restoreAllMocks();
  expect(printed, "printed").toEqual([]);
  expect(stray.splice(0), "unhandled rejections, and warnings").toEqual([]);
});
