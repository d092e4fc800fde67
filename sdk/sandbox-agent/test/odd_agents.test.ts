// Agents that leave the path: nothing they write throws here, and nothing is hidden.
import { expect, test } from "vitest";
import "./guards.js";
import { inBothModes, oddAgent } from "./place.js";
import { eventsOf, failureOf, isText, read, textOf, until } from "./waiting.js";
import { InMemorySessionPersistDriver } from "../src/persist/memory.js";
import type { ClientEvent, TurnEvent } from "../src/index.js";

inBothModes(
  "odd agents",
  (place) => {
    async function begin() {
      const events: ClientEvent[] = [];
      const agent = await place().open({ onEvent: (event) => events.push(event) });
      return { events, agent, session: await agent.createSession({ agent: "odd", cwd: "/" }) };
    }

    test("output that is no message is an event, of the turn and of the client, and the turn goes on", async () => {
      const { events, session } = await begin();
      const seen = await eventsOf(session.prompt("garbage"));
      expect(seen.find((event) => event.type === "error")?.error).toMatchObject({ code: "unparsed_output" });
      expect(textOf(seen)).toBe("after the garbage");
      const unparsed = events.find((event) => event.type === "unparsed");
      expect(unparsed).toMatchObject({ text: "this is no JSON", error: expect.any(String) });
    });

    test("lines that are JSON and no object end nothing", async () => {
      const { session } = await begin();
      const reading = read(session.events(), isText("after the scalars"));
      expect((await session.prompt("scalars")).text).toBe("after the scalars");
      expect(textOf(await reading)).toContain("after the scalars");
      for await (const { json } of session.log()) expect(json).not.toBe("null"); // they are nobody's
    });

    test("a session that is closed in the middle of a turn ends with the turn, last words included", async () => {
      const agent = await place().open({ persist: new InMemorySessionPersistDriver() });
      const session = await agent.createSession({ agent: "odd", cwd: "/" });
      const turn = session.prompt("lastWords");
      const seen: TurnEvent[] = [];
      let closing: Promise<void> | undefined;
      for await (const event of turn) {
        seen.push(event);
        closing ??= session.close();
      }
      expect(textOf(seen)).toBe("working, stopped");
      expect(await turn).toMatchObject({ stopReason: "cancelled", text: "working, stopped" });
      await closing;
      expect(session.ended).toBe(true);
      const log = (await session.history()).events.map(({ json }) => json).join("\n");
      expect(log).toMatch(/"stopped"[^]*"stopReason":"cancelled"/);
    });

    test("what this version does not know is a raw event", async () => {
      const { session } = await begin();
      const seen = await eventsOf(session.prompt("unknown"));
      expect(seen.map(({ type }) => type)).toEqual(["raw", "raw", "raw", "raw", "plan", "tool", "text"]);
      expect(seen[0]?.raw.envelope).toMatchObject({ params: { update: { sessionUpdate: "dance", steps: 3 } } });
      expect(seen[5]).toMatchObject({ toolCallId: "never-announced", title: "", status: "completed", content: [] });
    });

    test("updates that leave the schema end nothing", async () => {
      const { session } = await begin();
      const seen = await eventsOf(session.prompt("malformed"));
      expect(seen.map(({ type }) => type)).toEqual(["raw", "raw", "commands", "tool", "tool", "text"]);
      expect(seen[3]).toMatchObject({ toolCallId: "t", content: [], locations: [] });
      expect(session.options).toEqual([]);
      expect(session.commands).toEqual([]);
    });

    test("updates before the answer to session/new belong to the session, and to no turn", async () => {
      const { events, session } = await begin();
      expect(session.commands).toMatchObject([{ name: "early" }]);
      expect(session.metadata.eventCount).toBe(2);
      expect(events.filter(({ type }) => type === "update")).toHaveLength(2);
      expect((await session.prompt("mode")).text).toBe("");
    });

    test("what is asked before the answer to session/new is refused, so that the session begins", async () => {
      const { agent } = await begin();
      const session = await agent.createSession({ agent: "odd", cwd: "/asks" });
      expect(JSON.parse((await session.prompt("answered")).text)).toMatchObject({ code: -32601 });
    });

    test("updates after the answer to the prompt are heard, and are never the next turn's", async () => {
      const { events, session } = await begin();
      expect((await session.prompt("afterwards")).text).toMatch(/^in time/);
      await until(() => events.some((event) => event.type === "update" && event.raw.json.includes("too late")));
      expect((await session.prompt("mode")).text).toBe("");
    });

    test("a mode the agent changes by itself is seen", async () => {
      const { session } = await begin();
      const seen = await eventsOf(session.prompt("mode"));
      expect(seen).toMatchObject([{ type: "mode", modeId: "bold" }]);
      expect(session.modes?.currentModeId).toBe("bold");
      expect(session.metadata.mode).toBe("bold");
    });

    test("models in the old shape are listed and set", async () => {
      const { session } = await begin();
      expect(session.models).toEqual([
        { modelId: "one", name: "One" },
        { modelId: "two", name: "Two", description: "better" },
      ]);
      expect(session.metadata.model).toBe("one");
      await session.setModel("two");
      expect(session.metadata.model).toBe("two");
      expect(await failureOf(session.setModel("three"))).toMatchObject({ code: "agent_error" });
      expect(session.metadata.model).toBe("two");
    });

    test("metadata travels with the session under our key", async () => {
      const { agent } = await begin();
      const metadata = { variant: "v", skills: ["a"] };
      const session = await agent.createSession({ agent: "odd", cwd: "/", metadata });
      const { text } = await session.prompt("meta");
      expect(JSON.parse(text)).toMatchObject({ cwd: "/", mcpServers: [], _meta: { "sandboxagent.dev": metadata } });
    });

    test("an agent without list, close, load and fork: what this side knows is listed and ended", async () => {
      const events: ClientEvent[] = [];
      const client = place().client({ agent: "odd", onEvent: (event) => events.push(event) });
      const { sessionId } = await client.newSession({ cwd: "/" });
      const other = await client.newSession({ cwd: "/usr" });
      expect((await client.listSessions()).sessions.map((each) => each.sessionId)).toEqual([sessionId, other.sessionId]);
      expect((await client.listSessions({ cwd: "/usr" })).sessions.map((each) => each.sessionId)).toEqual([other.sessionId]);
      await client.terminateSession({ sessionId });
      expect(events).toContainEqual({ type: "session_ended", serverId: client.serverId, sessionId, reason: "terminated" });
      expect((await client.listSessions()).sessions.map(({ metadata }) => metadata.ended)).toEqual([true, false]);
      for (const call of [client.forkSession, client.loadSession, client.resumeSession]) {
        const refused = call.call(client, { sessionId: other.sessionId, cwd: "/usr" });
        expect(await failureOf(refused)).toMatchObject({ code: "agent_error" });
      }
      expect(await failureOf(client.authenticate({ methodId: "x" }))).toMatchObject({ code: "agent_error" });
    });
  },
  ["--agent", oddAgent],
);
