// The recording client's connections are cut: what clients sent has no numbers and comes again, and is still in the log once.
import { afterEach, expect, test } from "vitest";
import { Relay } from "../../../../tests/contract/relay.mjs";
import "../guards.js";
import { floodText } from "../waiting.js";
import { inLand } from "./land.js";
import { logOf, turnsIn } from "./logs.js";

inLand((land) => {
  // Past the relay, which may have cut what a client would end its process with.
  afterEach(async () => {
    for (const { serverId } of await land().servers()) await land().delete(serverId);
  });

  test("cuts in a flood, while others send: the log is what an uncut reader saw", async () => {
    const relay = await Relay.to(land().access.baseUrl);
    try {
      const witness = land().witness("cut");
      const agent = await land().open({ baseUrl: relay.url });
      const session = await agent.createSession({ agent: "mock", cwd: "/", serverId: "cut" });
      const { agentSessionId: sessionId } = session;
      const turn = session.prompt("/flood 3000");
      let seen = 0;
      for await (const event of turn) {
        if (event.type !== "text" || ++seen % 300 !== 0) continue;
        await land().post("cut", { method: "_others/notice", params: { sessionId, seen } });
        relay.cut();
      }
      expect((await turn).text).toBe(floodText(3000));
      await session.prompt("whatever was sent before is heard before");
      const log = await logOf(session);
      await witness.whenAnswered(sessionId, 2);
      await witness.expectSame(log, sessionId);
      expect(log.filter(({ json }) => json.includes("_others/notice"))).toHaveLength(10);
    } finally {
      await relay.stop();
    }
  });

  test("cuts around each message of a quiet session: nothing is there twice", async () => {
    const relay = await Relay.to(land().access.baseUrl);
    try {
      const witness = land().witness("quiet");
      const agent = await land().open({ baseUrl: relay.url });
      const session = await agent.createSession({ agent: "neither", cwd: "/", serverId: "quiet" });
      for (let time = 1; time <= 4; ++time) {
        const turn = session.prompt("permission");
        for await (const event of turn) {
          relay.cut();
          if (event.type === "permission") await event.allow();
        }
        expect((await turn).text).toBe("chosen: yes");
        relay.cut();
        await session.flush();
      }
      const log = await logOf(session);
      expect(turnsIn(log).map(({ text }) => text)).toEqual(Array(4).fill("chosen: yes"));
      await witness.expectSame(log, session.agentSessionId);
    } finally {
      await relay.stop();
    }
  });

  test("cuts while a session is restored: its log has all of it once", async () => {
    const id = "cut while it comes back";
    const { words, release } = land().hold();
    await land().playUntilKilled({ point: "text 1", words, id, serverId: id, agent: "neither" });
    const relay = await Relay.to(land().access.baseUrl);
    try {
      const witness = land().witness(id);
      const agent = await land().open({ baseUrl: relay.url });
      const session = await agent.restoreSession({ id });
      relay.cut();
      await release();
      const { text } = await session.turn!;
      expect(text).toBe("first half, second half");
      relay.cut();
      await session.prompt("hello");
      await witness.expectSame(await logOf(session), session.agentSessionId);
    } finally {
      await relay.stop();
    }
  });
});
