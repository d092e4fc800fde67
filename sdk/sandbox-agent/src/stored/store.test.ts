import { afterEach, describe, expect, it, vi } from "vitest";
import { InMemorySessionPersistDriver } from "../persist/memory.js";
import { Store } from "./store.js";

afterEach(() => void vi.useRealTimers());

describe("a store", () => {
  it("that never answers has failed after a while", async () => {
    vi.useFakeTimers();
    const driver = new InMemorySessionPersistDriver();
    driver.getSession = () => new Promise(() => {});
    const asked = new Store(driver).get("s");
    const failed = expect(asked).rejects.toMatchObject({ code: "persist_failed" });
    await vi.advanceTimersByTimeAsync(30_000);
    await failed;
    expect(vi.getTimerCount()).toBe(0);
  });

  it("that throws at once has failed, too, and nothing stays of the call", async () => {
    vi.useFakeTimers();
    const driver = new InMemorySessionPersistDriver();
    driver.getSession = () => {
      throw new TypeError("not open");
    };
    await expect(new Store(driver).get("s")).rejects.toMatchObject({ code: "persist_failed", cause: { message: "not open" } });
    expect(vi.getTimerCount()).toBe(0);
  });
});
