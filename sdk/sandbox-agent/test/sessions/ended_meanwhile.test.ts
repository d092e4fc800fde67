// The client was killed, and then something happened: the agent finished, asked, or ended. What it said meanwhile is in its ring.
import { describe, expect, test } from "vitest";
import "../guards.js";
import { eventsOf, firstOf, textOf, until } from "../waiting.js";
import { inLand } from "./land.js";
import { logOf, messageOf, turnsIn } from "./logs.js";
import { ofProcess } from "./witness.js";

describe("while no client was there", () => {
  inLand((land) => {
    test.each([
      ["load", "loaded"],
      ["resume", "resumed"],
    ])(
      'the agent "%s" finished its turn and its process ended: the log is complete, and the session %s',
      async (agent, restored) => {
        const id = `ended meanwhile, ${agent}`;
        const witness = land().witness(id);
        const { words, release } = land().hold();
        await land().playUntilKilled({ point: "text 1", words, id, serverId: id, agent });
        const store = land().store();
        const { agentSessionId } = (await store.getSession(id))!;
        await release();
        await witness.whenAnswered(agentSessionId!);
        await land().killAgent(id);

        const session = await (await land().open()).restoreSession({ id });
        expect(session.restored).toBe(restored);
        expect(session.turn?.over ?? true).toBe(true);
        await session.prompt("hello");
        const log = await logOf(session);
        expect(turnsIn(log)).toEqual([
          { words, text: "first half, second half", stopReason: "end_turn" },
          { words: "hello", text: "you said: hello", stopReason: "end_turn" },
        ]);
        expect(ofProcess(log, 0)).toEqual(witness.ofSession(agentSessionId!));
        expect(ofProcess(log, 0).at(-1)!.json).toContain("_adapter/agent_exited");
      },
    );

    test("the process ended in the middle of the turn: what it said is in the log, the turn is over, and on it goes", async () => {
      const id = "ended in the middle";
      const { words } = land().hold();
      await land().playUntilKilled({ point: "text 1", words, id, serverId: id, agent: "both" });
      await land().killAgent(id);
      const session = await (await land().open()).restoreSession({ id });
      expect(session.turn?.over ?? true).toBe(true);
      expect((await session.prompt("hello")).text).toBe("you said: hello");
      expect(turnsIn(await logOf(session))[0]).toEqual({ words, text: "first half, ", stopReason: undefined });
    });

    test("the turn ended: its result is in the log, and the process goes on", async () => {
      const id = "finished meanwhile";
      const witness = land().witness(id);
      const { words, release } = land().hold();
      await land().playUntilKilled({ point: "text 1", words, id, serverId: id, agent: "neither" });
      const { agentSessionId } = (await land().store().getSession(id))!;
      await release();
      await witness.whenAnswered(agentSessionId!);
      const session = await (await land().open()).restoreSession({ id });
      expect(session.restored).toBe("attached");
      expect(session.turn?.over ?? true).toBe(true);
      const log = await logOf(session);
      expect(turnsIn(log)).toEqual([{ words, text: "first half, second half", stopReason: "end_turn" }]);
      await witness.expectSame(log, agentSessionId!);
    });

    test("the turn goes on: all its events are there, those that were logged and those that come", async () => {
      const id = "goes on";
      const { words, release } = land().hold();
      await land().playUntilKilled({ point: "text 1", words, id, serverId: id, agent: "neither" });
      const session = await (await land().open()).restoreSession({ id });
      const turn = session.turn!;
      expect(turn.over).toBe(false);
      const reading = eventsOf(turn);
      await release();
      expect(textOf(await reading)).toBe("first half, second half");
      expect(await turn).toMatchObject({ text: "first half, second half", stopReason: "end_turn" });
    });

    test("the turn goes on and is cancelled: it ends", async () => {
      const id = "cancelled later";
      await land().playUntilKilled({ point: "text 2", words: "/slow 100", id, serverId: id });
      const session = await (await land().open()).restoreSession({ id });
      const turn = session.turn!;
      await firstOf(turn, "text");
      await session.cancel();
      expect((await turn).stopReason).toBe("cancelled");
    });

    test("while a turn runs, another one is refused after restoring too", async () => {
      const id = "one at a time";
      const { words, release } = land().hold();
      await land().playUntilKilled({ point: "text 1", words, id, serverId: id, agent: "neither" });
      const session = await (await land().open()).restoreSession({ id });
      await expect(session.prompt("now")).rejects.toMatchObject({ code: "turn_running" });
      await release();
      await session.turn;
      expect((await session.prompt("now")).text).toBe("you said: now");
    });

    test.each(["permission", "question"] as const)(
      "the agent asks: the %s is open, and the answer reaches it",
      async (asks) => {
        const id = `asks, ${asks}`;
        await land().playUntilKilled({ point: asks, words: asks, id, serverId: id, agent: "neither" });
        const session = await (await land().open()).restoreSession({ id });
        const turn = session.turn!;
        for await (const event of turn) {
          if (event.type === "permission") await event.allow();
          if (event.type === "question") await event.answer({ name: "Ada" });
        }
        expect((await turn).text).toBe(asks === "permission" ? "chosen: yes" : "answered: accept Ada");
        const log = await logOf(session);
        expect(log.filter((entry) => entry.from === "client" && !messageOf(entry).method)).toHaveLength(1);
      },
    );

    test("somebody answered the agent: the event says that it is not open", async () => {
      const id = "answered elsewhere";
      await land().playUntilKilled({ point: "permission", words: "permission", id, serverId: id, agent: "neither" });
      const witness = land().witness(id);
      const asked = () => witness.seen.find(({ json }) => json.includes("session/request_permission"));
      await until(() => asked() !== undefined, "the question");
      const result = { outcome: { outcome: "selected", optionId: "no" } };
      const { id: requestId } = JSON.parse(asked()!.json) as { id: number };
      await land().post(id, { id: requestId, result });
      const { agentSessionId } = (await land().store().getSession(id))!;
      await witness.whenAnswered(agentSessionId!);
      const session = await (await land().open()).restoreSession({ id });
      expect(session.turn?.over ?? true).toBe(true);
      expect(turnsIn(await logOf(session))[0]).toMatchObject({ text: "chosen: no" });
    });
  });
});
