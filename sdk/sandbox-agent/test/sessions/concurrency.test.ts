// Several clients and one session: one log, one process, and who is left behind hears of it.
import { describe, expect, test } from "vitest";
import "../guards.js";
import { firstOf, until } from "../waiting.js";
import { gate, HeldStore } from "./held_store.js";
import { inLand } from "./land.js";
import { logOf, turnsIn } from "./logs.js";
import type { ClientEvent } from "../../src/index.js";
import { InMemorySessionPersistDriver } from "../../src/persist/memory.js";

const codesIn = (events: ClientEvent[]) => events.flatMap((event) => (event.type === "error" ? [event.error.code] : []));

describe("one session, several clients", () => {
  inLand((land) => {
    test.each(["a file that each opened", "the same object"])(
      "all record a running turn in %s: the log is as of one",
      async (where) => {
        const serverId = `recorded by three in ${where}`;
        const witness = land().witness(serverId);
        const shared = where === "the same object" ? { persist: new InMemorySessionPersistDriver() } : {};
        const first = await (await land().open(shared)).createSession({ agent: "neither", cwd: "/", id: serverId, serverId });
        const turn = first.prompt("steps 40");
        await firstOf(turn, "text");
        const others = await Promise.all([1, 2].map(async () => (await land().open(shared)).restoreSession({ id: serverId })));
        const { text } = await turn;
        for (const other of others) {
          expect(other.restored).toBe("attached");
          if (other.turn) expect((await other.turn).text).toBe(text);
        }
        await others[0]!.prompt("from the second");
        await others[1]!.prompt("from the third");
        await first.prompt("from the first");
        const logs = await Promise.all([first, ...others].map(logOf));
        expect(logs[1]).toEqual(logs[0]);
        expect(logs[2]).toEqual(logs[0]);
        expect(turnsIn(logs[0]!).map(({ words }) => words)).toEqual([
          "steps 40",
          "from the second",
          "from the third",
          "from the first",
        ]);
        await witness.expectSame(logs[0]!, first.agentSessionId);
      },
    );

    test("a flood recorded by two at once is there once", async () => {
      const id = "flood for two";
      const first = await (await land().open()).createSession({ agent: "mock", cwd: "/", id, serverId: id });
      const witness = land().witness(id);
      const turn = first.prompt("/flood 5000");
      await firstOf(turn, "text");
      const second = await (await land().open()).restoreSession({ id });
      const result = await turn;
      if (second.turn) expect((await second.turn).text === result.text).toBe(true);
      await second.flush();
      const log = await logOf(first);
      expect(turnsIn(log)[0]!.text === result.text).toBe(true);
      await witness.expectSame(log, first.agentSessionId);
    });

    test.each(["load", "resume"] as const)(
      'two restore a session of "%s" whose process is gone: one starts it, the other joins',
      async (agent) => {
        const id = `wanted by two, ${agent}`;
        const first = await land().open();
        await (await first.createSession({ agent, cwd: "/", id })).prompt("hello");
        await first.dispose();
        const starts = land().starts(agent);
        const clients = [await land().open(), await land().open()];
        const sessions = await Promise.all(clients.map((client) => client.restoreSession({ id })));
        expect(sessions.map(({ restored }) => restored).sort()).toEqual(["attached", agent === "load" ? "loaded" : "resumed"]);
        expect(sessions[0]!.serverId).toBe(sessions[1]!.serverId);
        expect(land().starts(agent)).toBe(starts + 1);
        const running = (await land().servers()).filter(({ status }) => status !== "exited");
        expect(running).toHaveLength(1);
        await sessions[0]!.prompt("from one");
        await sessions[1]!.prompt("from the other");
        const logs = await Promise.all(sessions.map(logOf));
        expect(logs[1]).toEqual(logs[0]);
        expect(turnsIn(logs[0]!).map(({ text }) => text)).toEqual(
          ["hello", "from one", "from the other"].map((said) => `you said: ${said}`),
        );
      },
    );

    test("two restore a session with a long past at once: what load tells of it is in the log once", async () => {
      const id = "long past";
      const first = await land().open();
      await (await first.createSession({ agent: "load", cwd: "/", id })).prompt("talk 2500");
      await first.dispose();
      const clients = [await land().open(), await land().open()];
      const sessions = await Promise.all(clients.map((client) => client.restoreSession({ id })));
      await sessions[0]!.prompt("from one");
      await sessions[1]!.prompt("from the other");
      const log = await logOf(sessions[0]!);
      expect(log.filter(({ json }) => /word \d+ /.test(json))).toHaveLength(2500);
      expect(turnsIn(log).map(({ words }) => words)).toEqual(["talk 2500", "from one", "from the other"]);
    });

    test("five restore it at once: still one process", async () => {
      const id = "wanted by five";
      const first = await land().open();
      await (await first.createSession({ agent: "both", cwd: "/", id })).prompt("hello");
      await first.dispose();
      const starts = land().starts("both");
      const clients = await Promise.all([1, 2, 3, 4, 5].map(() => land().open()));
      const sessions = await Promise.all(clients.map((client) => client.restoreSession({ id })));
      expect(sessions.filter(({ restored }) => restored === "attached")).toHaveLength(4);
      expect(land().starts("both")).toBe(starts + 1);
      expect((await sessions[4]!.prompt("hi")).text).toBe("you said: hi");
    });

    test("a client restores the same session twice at once: both are of one process", async () => {
      const id = "wanted twice";
      const first = await land().open();
      await (await first.createSession({ agent: "both", cwd: "/", id })).prompt("hello");
      await first.dispose();
      const starts = land().starts("both");
      const client = await land().open();
      const sessions = await Promise.all([client.restoreSession({ id }), client.restoreSession({ id })]);
      expect(land().starts("both")).toBe(starts + 1);
      expect((await sessions[0]!.prompt("hi")).text).toBe("you said: hi");
      expect((await sessions[1]!.prompt("ho")).text).toBe("you said: ho");
      expect(turnsIn(await logOf(sessions[0]!)).map(({ words }) => words)).toEqual(["hello", "hi", "ho"]);
    });

    test("two sessions of one process are restored by one client, each with its own log and its own questions", async () => {
      const serverId = "two in one";
      const witness = land().witness(serverId);
      const ids = ["first of two", "second of two"];
      const before = await land().open();
      const left = await Promise.all(ids.map((id) => before.createSession({ agent: "neither", cwd: "/", id, serverId })));
      for (const session of left) await firstOf(session.prompt("permission"), "permission");
      const client = await land().open();
      const sessions = [await client.restoreSession({ id: ids[0]! }), await client.restoreSession({ id: ids[1]! })];
      for (const session of sessions) {
        for await (const event of session.turn!) if (event.type === "permission") await event.allow();
        expect((await session.turn!).text).toBe("chosen: yes");
      }
      for (const session of sessions) {
        expect((await session.prompt("hello")).text).toBe("you said: hello");
        await witness.expectSame(await logOf(session), session.agentSessionId);
      }
    });

    test("a turn of a restored session that is only awaited is not held up by a question", async () => {
      const id = "only awaited";
      await land().playUntilKilled({ point: "idle", words: "hello", id, serverId: id, agent: "neither" });
      const session = await (await land().open()).restoreSession({ id });
      const { text } = await session.prompt("permission");
      expect(text).toBe("chosen: undefined"); // refused, as in a session that was made here
    });

    test("a client whose session was moved to another process hears of it, and its session has ended", async () => {
      const id = "moved";
      const inner = new InMemorySessionPersistDriver();
      const held = new HeldStore(inner);
      const events: ClientEvent[] = [];
      const left = await (
        await land().open({ persist: held, onEvent: (event) => events.push(event) })
      ).createSession({ agent: "both", cwd: "/", id, serverId: id });
      await left.prompt("hello");
      const { opened, open } = gate();
      held.before = () => opened;
      const { words } = land().hold();
      const turn = left.prompt(words);
      turn.settled.catch(() => {});
      await firstOf(turn, "text");
      await land().killAgent(id);

      const session = await (await land().open({ persist: inner })).restoreSession({ id });
      expect(session.restored).toBe("resumed");
      await session.prompt("here now");
      open();
      await until(() => codesIn(events).includes("session_moved"), "the word that the session was moved");
      expect(left.ended).toBe(true);
      const log = await logOf(session);
      expect(turnsIn(log).map(({ text }) => text)).toEqual(["you said: hello", "first half, ", "you said: here now"]);
    });
  });
});
