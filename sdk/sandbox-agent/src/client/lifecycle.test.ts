import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Caller } from "../http/caller.js";
import { Lifecycle } from "./lifecycle.js";

describe("the end of a process that nobody confirms", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([
    [undefined, 30_000],
    [1_000, 10_000],
    [20_000, 20_000],
  ])("with giveUpAfterMs %s is waited for %s ms", async (giveUpAfterMs, ms) => {
    const fetch = (_: unknown, init?: RequestInit) =>
      new Promise<never>((_, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
    const options = { baseUrl: "http://127.0.0.1:1", agent: "mock", fetch, ...(giveUpAfterMs && { giveUpAfterMs }) };
    const nothing = () => {};
    const events = { message: nothing, gap: nothing, state: nothing, error: nothing, gone: nothing, knows: () => true };
    const lifecycle = new Lifecycle(options, new Caller(options), events);
    await lifecycle.begin(() => Promise.resolve());
    let failure: unknown;
    const end = lifecycle.end().catch((error: unknown) => (failure = error));
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(failure).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await end;
    expect(failure).toMatchObject({ code: "connection_lost" });
  });
});
