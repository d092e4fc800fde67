import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EventBatch, NewEvent, StoredSession } from "../persist/driver.js";
import { InMemorySessionPersistDriver } from "../persist/memory.js";
import { SessionLog } from "./session_log.js";
import { Store } from "./store.js";

class Driver extends InMemorySessionPersistDriver {
  batches: EventBatch[] = [];
  failing = false;
  override async appendEvents(id: string, batch: EventBatch): Promise<boolean> {
    if (this.failing) throw new Error("the disk is full");
    this.batches.push(batch);
    return super.appendEvents(id, batch);
  }
}

const record: Omit<StoredSession, "eventCount"> = {
  ...{ id: "s", agent: "mock", cwd: "/", epoch: 1, state: "ready", baseUrl: "", serverId: "x", instanceId: "y" },
  ...{ last: { eventId: 0, nth: 0 }, createdAt: 1, updatedAt: 1 },
};
const event = (eventId: number, json = "{}"): NewEvent => ({ eventId, nth: 0, from: "agent", at: 5, json });

let driver: Driver;
let errors: string[];

async function begun(): Promise<SessionLog> {
  const session = (await driver.createSession(record)) as StoredSession;
  return new SessionLog(new Store(driver), session, ({ code }) => errors.push(code));
}

const stored = async () => (await driver.listEvents("s")).events.map(({ eventId }) => eventId);

beforeEach(() => {
  driver = new Driver();
  errors = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a session's log", () => {
  it("writes together what comes together", async () => {
    const log = await begun();
    for (let id = 1; id <= 50; ++id) log.add(event(id));
    await vi.advanceTimersByTimeAsync(20);
    expect(driver.batches.map(({ events }) => events.length)).toEqual([50]);
    expect((await driver.getSession("s"))?.last).toEqual({ eventId: 50, nth: 0 });
  });

  it("writes at once when somebody waits for it", async () => {
    const log = await begun();
    log.add(event(1));
    await log.flush();
    expect(await stored()).toEqual([1]);
  });

  it("takes nothing twice", async () => {
    const log = await begun();
    for (const id of [1, 2, 2, 1, 3]) log.add(event(id));
    await log.flush();
    expect(await stored()).toEqual([1, 2, 3]);
  });

  it("remembers how far the stream was read although nothing was said", async () => {
    const log = await begun();
    log.pass({ eventId: 7, nth: 0 });
    await vi.advanceTimersByTimeAsync(20);
    expect((await driver.getSession("s"))?.last).toEqual({ eventId: 7, nth: 0 });
  });

  it("is full at 4,096 messages or 8 MiB, and then makes room", async () => {
    const log = await begun();
    for (let id = 1; id < 4_096; ++id) log.add(event(id));
    expect(log.isFull).toBe(false);
    log.add(event(4_096));
    expect(log.isFull).toBe(true);
    await log.room();
    expect(log.isFull).toBe(false);
    log.add(event(5_000, "x".repeat(8 << 20)));
    expect(log.isFull).toBe(true);
    await log.room();
  });

  it("tries a store that fails again, and loses nothing", async () => {
    const log = await begun();
    driver.failing = true;
    log.add(event(1));
    await vi.advanceTimersByTimeAsync(10_000);
    log.add(event(2));
    driver.failing = false;
    await vi.advanceTimersByTimeAsync(2_500);
    expect(await stored()).toEqual([1, 2]);
    expect(errors).toEqual([]);
  });

  it("gives up after 30 s, says so once, and holds nothing", async () => {
    const log = await begun();
    driver.failing = true;
    for (let id = 1; id <= 5_000; ++id) log.add(event(id));
    const flushed = log.flush().catch((error: { code: string }) => error.code);
    await vi.advanceTimersByTimeAsync(33_000);
    expect(errors).toEqual(["persist_failed"]);
    expect(await flushed).toBe("persist_failed");
    expect(log.isFull).toBe(false);
    log.add(event(6_000));
    await expect(log.flush()).rejects.toMatchObject({ code: "persist_failed", cause: { message: "the disk is full" } });
  });

  it("waits while another client tries to take the session, for 30 s, and goes on if it is given back", async () => {
    const log = await begun();
    await driver.updateSession("s", { epoch: 2, state: "moving" });
    log.add(event(1));
    await vi.advanceTimersByTimeAsync(10_000);
    await driver.updateSession("s", { epoch: 1, state: "ready" });
    await vi.advanceTimersByTimeAsync(2_500);
    expect(await stored()).toEqual([1]);
    await driver.updateSession("s", { epoch: 2, state: "moving" });
    log.add(event(2));
    const flushed = log.flush().catch((error: { code: string }) => error.code);
    await vi.advanceTimersByTimeAsync(33_000);
    expect(await flushed).toBe("session_moved");
    expect(errors).toEqual(["session_moved"]);
  });

  it("gives up when the session has another epoch", async () => {
    const log = await begun();
    await driver.updateSession("s", { epoch: 2 });
    log.add(event(1));
    await expect(log.flush()).rejects.toMatchObject({ code: "session_moved" });
    expect(errors).toEqual(["session_moved"]);
    expect(await stored()).toEqual([]);
  });
});
