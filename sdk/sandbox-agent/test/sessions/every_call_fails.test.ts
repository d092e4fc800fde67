// A store of which one call fails, whichever it is: what is promised either comes or says why not, and nothing hangs.
import { expect, test } from "vitest";
import "../guards.js";
import { inPlace } from "../place.js";
import { SandboxAgentError, type ClientEvent, type SandboxAgent } from "../../src/index.js";
import { InMemorySessionPersistDriver } from "../../src/persist/memory.js";
import { disturbed } from "./disturbed.js";

inPlace("server", (place) => {
  /** Makes a session, talks; restores it elsewhere, if wanted after its process ended, and talks. Says what failed, and the log. */
  async function life(failing: number, isKilled: boolean) {
    const driver = new InMemorySessionPersistDriver();
    let calls = 0;
    let failed = "";
    const persist = disturbed(driver, (call) => {
      if (++calls !== failing) return;
      failed = call;
      throw new Error("the disk is full");
    });
    const told: ClientEvent[] = [];
    const failures: unknown[] = [];
    const open = () => place().open({ persist, onEvent: (event) => event.type === "error" && told.push(event) });
    const agents: SandboxAgent[] = [await open(), await open()];
    const attempt = async <T>(work: () => PromiseLike<T>) => {
      for (let again = 0; again < 2; ++again)
        try {
          return await work();
        } catch (error) {
          failures.push(error);
        }
      throw new Error("it failed twice");
    };
    const session = await attempt(() => agents[0]!.createSession({ agent: "mock", id: "s" }));
    expect((await session.prompt("one")).stopReason).toBe("end_turn");
    if (isKilled) await session.stopAgent();
    const restored = await attempt(() => agents[1]!.restoreSession({ id: "s", replayText: true }));
    expect((await restored.prompt("two")).stopReason).toBe("end_turn");
    const { events, total } = await attempt(() => restored.history({ limit: 1_000 }));
    await Promise.all(agents.map((agent) => agent.dispose()));
    return { calls, failed, told, failures, events, total };
  }

  // What is said; opening a session may take several attempts.
  const shape = (events: { json: string }[]) =>
    events
      .map(({ json }) => json.replace(/"[0-9a-f]{8}-|demo-\d/g, ""))
      .filter((json) => /"session\/prompt"|_chunk"/.test(json));

  test.each([false, true])("no single failure loses or doubles anything; process ended before: %s", async (isKilled) => {
    const whole = await life(0, isKilled);
    for (let failing = 1; failing <= whole.calls; ++failing) {
      const { failed, told, failures, events, total } = await life(failing, isKilled);
      const at = `call ${failing}: ${failed}`;
      expect(total, at).toBe(events.length);
      expect(shape(events), at).toEqual(shape(whole.events));
      for (const failure of failures) expect(failure, at).toBeInstanceOf(SandboxAgentError);
      if (failed !== "appendEvents" && failed !== "") expect(told.length + failures.length, at).toBeGreaterThan(0);
    }
  });
});
