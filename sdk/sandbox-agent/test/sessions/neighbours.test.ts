// Programs and daemons that share a store: leaving without ending, restoring at the wrong daemon, deleting what runs, wrong options.
import { expect, test } from "vitest";
import "../guards.js";
import { InMemorySessionPersistDriver } from "../../src/persist/memory.js";
import { SandboxAgent, type ClientEvent, type ConnectOptions, type RestoreSession } from "../../src/index.js";
import { inPlace, Place } from "../place.js";
import { failureOf, firstOf, until } from "../waiting.js";

inPlace("server", (place) => {
  test("leave() ends no agent: its turn goes on, and another program restores it", async () => {
    const persist = new InMemorySessionPersistDriver();
    const first = await SandboxAgent.connect({ ...place().access, persist });
    const session = await first.createSession({ agent: "mock", cwd: "/", id: "left" });
    const turn = session.prompt("/slow 10");
    await firstOf(turn, "text");
    const failed = failureOf(turn);
    await first.leave();
    expect(await failed).toMatchObject({ code: "not_connected" });
    expect(await failureOf(first.createSession({ agent: "mock" }))).toMatchObject({ code: "disposed" });
    expect(await place().servers()).toMatchObject([{ status: "running" }]);

    const second = await place().open({ persist });
    const restored = await second.restoreSession({ id: "left" });
    expect(restored.restored).toBe("attached");
    expect((await restored.turn)?.text).toContain("step 10 of 10");
  });

  test("a daemon that does not have the session says so, and the one that has it goes on recording", async () => {
    const persist = new InMemorySessionPersistDriver();
    const other = await Place.make("server");
    try {
      const told: ClientEvent[] = [];
      const session = await (
        await place().open({ persist, onEvent: (event) => void told.push(event) })
      ).createSession({ agent: "mock", cwd: "/", id: "here" });
      const before = await persist.getSession("here");
      expect(before?.baseUrl).toBe(place().daemon.baseUrl);
      const turn = session.prompt("/slow 10");
      await firstOf(turn, "text");
      const wrong = await other.open({ persist });
      expect(await failureOf(wrong.restoreSession({ id: "here" }))).toMatchObject({ code: "cannot_restore" });
      expect((await turn).text).toContain("step 10 of 10");
      const { events } = await session.history({ limit: 1_000 });
      expect(events.every(({ epoch }) => epoch === 1)).toBe(true);
      expect(events.filter(({ json }) => /step \d+ of 10/.test(json))).toHaveLength(10);
      expect(events.some(({ json }) => json.includes("session/load") || json.includes("session/resume"))).toBe(false);
      expect(await persist.getSession("here")).toMatchObject({ epoch: 1, state: "ready", baseUrl: place().daemon.baseUrl });
      expect(told.filter(({ type }) => type === "error")).toEqual([]);
      expect(session.storeFailure).toBeUndefined();
    } finally {
      await other.stop();
    }
  });

  test("a session that was deleted goes on without a store, and says so", async () => {
    const persist = new InMemorySessionPersistDriver();
    const told: string[] = [];
    const onEvent = (event: ClientEvent) => void (event.type === "error" && told.push(event.error.code));
    const session = await (await place().open({ persist, onEvent })).createSession({ agent: "mock", cwd: "/" });
    await persist.deleteSession(session.id);
    expect((await session.prompt("hello")).stopReason).toBe("end_turn");
    await until(() => session.storeFailure !== undefined);
    expect(session.storeFailure).toMatchObject({ code: "unknown_session" });
    expect(await failureOf(session.history())).toMatchObject({ code: "unknown_session" });
    await session.prompt("once more");
    expect(told).toEqual(["unknown_session"]);
  });

  test("what is no driver is refused at once", async () => {
    for (const persist of [Promise.resolve(new InMemorySessionPersistDriver()), InMemorySessionPersistDriver, "sessions.db"]) {
      const options = { ...place().access, persist } as unknown as ConnectOptions;
      expect(await failureOf(SandboxAgent.connect(options))).toMatchObject({ code: "invalid_option" });
    }
  });

  test("ids are texts, and a length is positive", async () => {
    const agent = await place().open({ persist: new InMemorySessionPersistDriver() });
    for (const id of ["", 5] as string[])
      expect(await failureOf(agent.createSession({ agent: "mock", id }))).toMatchObject({ code: "invalid_option" });
    for (const wrong of ["one", undefined, { id: "" }, { id: "a", replayText: { maxChars: -5 } }] as RestoreSession[])
      expect(await failureOf(agent.restoreSession(wrong))).toMatchObject({ code: "invalid_option" });
    expect(await failureOf(agent.restoreSession({ id: "nobody" }))).toMatchObject({ code: "unknown_session" });
    const without = await place().open();
    expect(await failureOf(without.createSession({ agent: "mock", id: "a" }))).toMatchObject({ code: "not_persisted" });
  });
});
