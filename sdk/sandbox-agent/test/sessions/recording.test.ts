// What a log has: everything of its session and nothing else, in the order of the stream, as it was on the wire.
import { describe, expect, test } from "vitest";
import "../guards.js";
import { eventsOf, failureOf, firstOf, floodText, textOf } from "../waiting.js";
import { inLand } from "./land.js";
import { expectDense, logOf, messageOf, promptsIn, turnsIn } from "./logs.js";
import type { SessionLogEntry } from "../../src/index.js";
import { InMemorySessionPersistDriver } from "../../src/persist/memory.js";

inLand((land) => {
  describe("a log", () => {
    test("has both directions from session/new on, and the text of the turn", async () => {
      const agent = await land().open();
      const session = await agent.createSession({ agent: "mock", cwd: "/", id: "both ways" });
      expect(session.id).toBe("both ways");
      const turn = session.prompt("/permission");
      let text = "";
      for await (const event of turn) {
        if (event.type === "text") text += event.text;
        if (event.type === "permission") await event.allow();
      }
      const result = await turn;
      const log = await logOf(session);
      expect(turnsIn(log)).toEqual([{ words: "/permission", text: result.text, stopReason: "end_turn" }]);
      expect(text).toBe(result.text);
      const kinds = log.map((entry) => `${entry.from} ${messageOf(entry).method ?? "answer"}`);
      expect(kinds.slice(0, 2)).toEqual(["client session/new", "agent answer"]);
      expect(messageOf(log[1]!).result).toMatchObject({ sessionId: session.agentSessionId });
      const asked = kinds.indexOf("agent session/request_permission");
      expect(kinds.indexOf("client answer")).toBeGreaterThan(asked);
      expect(kinds.at(-1)).toBe("agent answer");
    });

    test("is what an independent reader of the stream saw", async () => {
      const witness = land().witness("watched");
      const session = await (await land().open()).createSession({ agent: "mock", cwd: "/", serverId: "watched" });
      await session.prompt("/flood 500");
      await session.setMode("auto");
      await eventsOf(session.prompt("/permission"));
      await session.prompt("/error").catch(() => {});
      const log = await logOf(session);
      await witness.whenAnswered(session.agentSessionId, 3);
      await witness.expectSame(log, session.agentSessionId);
    });

    test("has everything up to the answer when the turn's promise resolves", async () => {
      const store = await land().store();
      const session = await (await land().open({ persist: store })).createSession({ agent: "mock", cwd: "/" });
      const { text } = await session.prompt("/flood 300");
      const { events } = await store.listEvents(session.id, { limit: 10_000 });
      const log = events.map((event): SessionLogEntry => ({ ...event, message: JSON.parse(event.json) as unknown }));
      expect(turnsIn(log)).toEqual([{ words: "/flood 300", text, stopReason: "end_turn" }]);
    });

    test("of each of two sessions in one process has only its own messages", async () => {
      const witness = land().witness("shared");
      const agent = await land().open();
      const [one, two] = await Promise.all(
        ["one", "two"].map((id) => agent.createSession({ agent: "mock", cwd: "/", id: `shared ${id}`, serverId: "shared" })),
      );
      const turns = [one!.prompt("/flood 200"), two!.prompt("/flood 300")];
      await Promise.all(turns);
      await two!.prompt("alone");
      for (const session of [one!, two!]) {
        const log = await logOf(session);
        const sessions = log.map((entry) => messageOf(entry).params?.sessionId).filter((id) => id !== undefined);
        expect(new Set(sessions)).toEqual(new Set([session.agentSessionId]));
        await witness.expectSame(log, session.agentSessionId);
      }
      expect(turnsIn(await logOf(one!)).map(({ text }) => text)).toEqual([floodText(200)]);
      expect(turnsIn(await logOf(two!))).toHaveLength(2);
    });

    test("has the answers of both sides although their ids are the same", async () => {
      const witness = land().witness("collisions");
      const agent = await land().open();
      const options = { agent: "load", cwd: "/", serverId: "collisions" };
      const one = await agent.createSession({ ...options, id: "collides" });
      const two = await agent.createSession({ ...options, id: "collides with the other" });
      const { words, release } = land().hold();

      const turn = one.prompt("collide");
      for await (const event of turn) if (event.type === "permission") await event.allow();
      expect((await turn).text).toBe("chosen: yes");

      const held = one.prompt(words);
      await firstOf(held, "text");
      const borrowing = two.prompt(`collideElsewhere ${one.agentSessionId}`);
      for await (const event of borrowing) if (event.type === "permission") await event.deny();
      expect((await borrowing).text).toBe("chosen: no");
      await release();
      await held;

      const [first, second] = [await logOf(one), await logOf(two)];
      await witness.expectSame(first, one.agentSessionId);
      await witness.expectSame(second, two.agentSessionId);
      expect(first.filter((entry) => entry.from === "client" && !messageOf(entry).method)).toHaveLength(1);
      expect(second.filter((entry) => entry.from === "client" && !messageOf(entry).method)).toHaveLength(1);
      expect(turnsIn(first).map(({ text }) => text)).toEqual(["chosen: yes", "first half, second half"]);
      expect(turnsIn(second).map(({ text }) => text)).toEqual(["chosen: no"]);
    });

    test("has what another client sent to the session", async () => {
      const session = await (await land().open()).createSession({ agent: "mock", cwd: "/", serverId: "visited" });
      const params = { sessionId: session.agentSessionId, prompt: [{ type: "text", text: "from elsewhere" }] };
      await land().post("visited", { id: "elsewhere", method: "session/prompt", params });
      await session.prompt("from here"); // whatever came before its answer is stored then
      expect(turnsIn(await logOf(session)).map(({ words }) => words)).toEqual(["from elsewhere", "from here"]);
    });

    test("has messages as they were on the wire, however they are spelled", async () => {
      const witness = land().witness("spelled");
      const session = await (await land().open()).createSession({ agent: "mock", cwd: "/", serverId: "spelled" });
      const prompt = `[ { "type" : "text", "text" : "odd\\u0020spelling" } ]`;
      const params = `{"sessionId":"${session.agentSessionId}", "prompt":${prompt}, "n":1.0}`;
      const json = `{ "jsonrpc":"2.0", "id" : 12345678901234567890, "method":"session/prompt", "params": ${params} }`;
      await land().postText("spelled", json);
      await session.prompt("plain");
      const log = await logOf(session);
      await witness.whenAnswered(session.agentSessionId, 2);
      expect(log.filter((entry) => entry.json.includes("spelling") && entry.from === "client")).toMatchObject([{ json }]);
      await witness.expectSame(log, session.agentSessionId);
    });

    test("has the end of the agent's process", async () => {
      const session = await (await land().open()).createSession({ agent: "mock", cwd: "/" });
      await failureOf(session.prompt("/crash 3"));
      const log = await logOf(session);
      expect(messageOf(log.at(-1)!)).toMatchObject({ method: "_adapter/agent_exited", params: { code: 3 } });
    });
  });

  describe("reading a log", () => {
    test("history() reads pages and knows the total", async () => {
      const session = await (await land().open()).createSession({ agent: "mock", cwd: "/" });
      await session.prompt("/flood 250");
      const { events: first, total } = await session.history();
      expect(first).toHaveLength(100);
      const all: SessionLogEntry[] = [];
      for (let offset = 0; offset < total; offset += 60) {
        const page = await session.history({ offset, limit: 60 });
        expect(page.total).toBe(total);
        expect(page.events).toHaveLength(Math.min(60, total - offset));
        all.push(...page.events);
      }
      expect(all).toEqual(await logOf(session));
      expect(all.slice(0, 100)).toEqual(first);
      expect(await session.history({ offset: total })).toEqual({ events: [], total });
      expect((await session.history({ offset: total - 1, limit: 5 })).events).toEqual(all.slice(-1));
    });

    test("history() waits until what was heard is stored", async () => {
      const session = await (await land().open()).createSession({ agent: "mock", cwd: "/" });
      const turn = session.prompt("/flood 100");
      await turn.settled;
      const { events } = await session.history({ limit: 1_000 });
      expect(turnsIn(events)[0]).toMatchObject({ text: floodText(100), stopReason: "end_turn" });
    });

    test("log() with follow goes on with what comes, until it is aborted", async () => {
      const session = await (await land().open()).createSession({ agent: "mock", cwd: "/" });
      await session.prompt("/flood 150");
      const end = new AbortController();
      const heard: SessionLogEntry[] = [];
      const following = (async () => {
        for await (const entry of session.log({ follow: true, signal: end.signal })) {
          heard.push(entry);
          if (promptsIn(heard).length === 2 && turnsIn(heard).at(-1)?.stopReason) end.abort();
        }
      })();
      await session.prompt("/flood 150");
      await following;
      expect(heard).toEqual(await logOf(session));
    });

    test("log() with follow ends with the agent's process", async () => {
      const session = await (await land().open()).createSession({ agent: "mock", cwd: "/" });
      const heard: SessionLogEntry[] = [];
      const following = (async () => {
        for await (const entry of session.log({ follow: true })) heard.push(entry);
      })();
      await failureOf(session.prompt("/crash 3"));
      await following;
      expect(heard).toEqual(await logOf(session));
      expect(messageOf(heard.at(-1)!).method).toBe("_adapter/agent_exited");
    });

    test("log() from an offset has the rest", async () => {
      const session = await (await land().open()).createSession({ agent: "mock", cwd: "/" });
      await session.prompt("/flood 120");
      const all = await logOf(session);
      const rest: SessionLogEntry[] = [];
      for await (const entry of session.log({ offset: 20 })) rest.push(entry);
      expect(rest).toEqual(all.slice(20));
    });

    test("dispose() stores what was heard, the end of the process included", async () => {
      const agent = await land().open();
      const session = await agent.createSession({ agent: "load", cwd: "/", id: "disposed" });
      await session.prompt("hello");
      const log = await logOf(session);
      await agent.dispose();
      const { events } = await (await land().store()).listEvents("disposed", { limit: 1_000 });
      expect(events.slice(0, log.length).map(({ json }) => json)).toEqual(log.map(({ json }) => json));
    });
  });

  test("log() of a session without a store has what the daemon has of it", async () => {
    const agent = await land().open({ persist: undefined });
    const witness = land().witness("not stored");
    const session = await agent.createSession({ agent: "mock", cwd: "/", serverId: "not stored" });
    await agent.createSession({ agent: "mock", cwd: "/", serverId: "not stored" });
    await session.prompt("/flood 300");
    const log: SessionLogEntry[] = [];
    for await (const entry of session.log()) log.push(entry);
    expectDense(log);
    await witness.whenAnswered(session.agentSessionId);
    await witness.expectSame(log, session.agentSessionId);
  });

  describe("an id", () => {
    test("that is taken is refused, also by another client and for another agent", async () => {
      await (await land().open()).createSession({ agent: "mock", cwd: "/", id: "taken" });
      const again = (await land().open()).createSession({ agent: "load", cwd: "/", id: "taken" });
      expect(await failureOf(again)).toMatchObject({ code: "session_exists" });
    });

    test("of two clients that want the same one at once, one gets it", async () => {
      const [one, two] = [await land().open(), await land().open()];
      const attempts = [one, two].map((agent) => agent.createSession({ agent: "mock", cwd: "/", id: "wanted" }));
      const outcomes = await Promise.allSettled(attempts);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    });

    test("is random unless one is asked for, and is not what the agent calls it", async () => {
      const agent = await land().open();
      const [one, two] = [
        await agent.createSession({ agent: "mock", cwd: "/" }),
        await agent.createSession({ agent: "mock", cwd: "/" }),
      ];
      expect(one.id).not.toBe(two.id);
      expect(one.id).not.toBe(one.agentSessionId);
      expect(one.restored).toBe(undefined);
    });

    test("needs a store, as restoring and the history do", async () => {
      const agent = await land().open({ persist: undefined });
      const refusal = { code: "not_persisted" };
      expect(await failureOf(agent.createSession({ agent: "mock", cwd: "/", id: "x" }))).toMatchObject(refusal);
      expect(await failureOf(agent.restoreSession({ id: "x" }))).toMatchObject(refusal);
      const session = await agent.createSession({ agent: "mock", cwd: "/" });
      expect(session.id).toBe(session.agentSessionId);
      expect(await failureOf(session.history())).toMatchObject(refusal);
      const turn = session.prompt("/slow 1");
      expect(textOf(await eventsOf(turn))).toContain("step 1 of 1");
    });

    test("nobody has stored is unknown", async () => {
      const agent = await land().open({ persist: new InMemorySessionPersistDriver() });
      expect(await failureOf(agent.restoreSession({ id: "nobody's" }))).toMatchObject({ code: "unknown_session" });
    });
  });

  test("a session that the agent refuses leaves no record, and its id is free", async () => {
    const agent = await land().open();
    await failureOf(agent.createSession({ agent: "mock", cwd: "/", id: "refused", model: "no such model" }));
    expect(await (await land().store()).getSession("refused")).toBe(undefined);
    const session = await agent.createSession({ agent: "mock", cwd: "/", id: "refused" });
    await session.prompt("hello");
    expect(turnsIn(await logOf(session))).toHaveLength(1);
  });

  test("the fork of a stored session is stored too, apart from it", async () => {
    const witness = land().witness("forked");
    const session = await (await land().open()).createSession({ agent: "mock", cwd: "/", serverId: "forked" });
    await session.prompt("before");
    const fork = await session.fork();
    expect(fork.id).not.toBe(session.id);
    await fork.prompt("in the fork");
    await session.prompt("after");
    expect(turnsIn(await logOf(session)).map(({ words }) => words)).toEqual(["before", "after"]);
    expect(turnsIn(await logOf(fork)).map(({ words }) => words)).toEqual(["in the fork"]);
    await witness.whenAnswered(session.agentSessionId, 2);
    expect((await (await land().open()).restoreSession({ id: fork.id })).agentSessionId).toBe(fork.agentSessionId);
  });

  test("a session whose record cannot be made is not made", async () => {
    const persist = new InMemorySessionPersistDriver();
    persist.createSession = () => Promise.reject(new Error("the disk is full"));
    const agent = await land().open({ persist });
    const failure = await failureOf(agent.createSession({ agent: "mock", cwd: "/" }));
    expect(failure.code).toBe("persist_failed");
  });
});
