// What a program that goes on running hears when its connection, its daemon or its agent's process is gone, and how it goes on.
import { describe, expect, test } from "vitest";
import "../guards.js";
import { Network } from "../outage.js";
import { failureOf, firstOf, until } from "../waiting.js";
import { inLand, type Land } from "./land.js";
import { logOf, messageOf } from "./logs.js";
import { AgentExitedError, type ClientEvent, type ConnectOptions, type Session } from "../../src/index.js";

/** A client whose daemon keeps its address when it is lost. */
async function settled(land: Land, options: Partial<ConnectOptions> = {}) {
  const { baseUrl } = land.access;
  const events: ClientEvent[] = [];
  const client = await land.open({
    fetch: (input, init) => fetch(String(input as string).replace(baseUrl, land.access.baseUrl), init),
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { client, events };
}

const ends = (events: ClientEvent[]) => events.filter(({ type }) => type === "session_ended");

async function followed(session: Session): Promise<number> {
  let count = 0;
  for await (const { index } of session.log({ follow: true })) count = index + 1;
  return count;
}

describe("a session of a program that runs on", () => {
  inLand((land) => {
    test("ends with its daemon, also when that is started again at once", async () => {
      const id = "ends with its daemon";
      const { client, events } = await settled(land());
      const session = await client.createSession({ agent: "both", cwd: "/", id, serverId: id });
      const follows = followed(session);
      const turn = session.prompt(land().hold().words);
      await firstOf(turn, "text");
      await land().loseDaemon();
      const failure = await failureOf(turn);
      expect(failure).toBeInstanceOf(AgentExitedError);
      expect(failure.hint).toContain("restoreSession()");
      expect(session.ended).toBe(true);
      const { agentSessionId: sessionId } = session;
      expect(ends(events)).toEqual([{ type: "session_ended", serverId: id, sessionId, id, reason: "agent_exited" }]);
      expect(await failureOf(session.prompt("hello"))).toBe(failure);
      expect(await follows).toBeGreaterThan(0);

      const again = await client.restoreSession({ id });
      expect(again.restored).toBe("resumed");
      expect((await again.prompt("hello")).stopReason).toBe("end_turn");
    });

    test("that is idle is told of the end of its daemon", async () => {
      const { client, events } = await settled(land());
      const session = await client.createSession({ agent: "mock", cwd: "/" });
      await land().loseDaemon();
      await until(() => session.ended);
      expect(ends(events)).toMatchObject([{ id: session.id, reason: "agent_exited" }]);
      const next = await client.createSession({ agent: "mock", cwd: "/" });
      expect((await next.prompt("hello")).stopReason).toBe("end_turn");
    });

    test("ends when its process was replaced by another one", async () => {
      const { client, events } = await settled(land());
      const session = await client.createSession({ agent: "neither", cwd: "/", serverId: "replaced" });
      const turn = session.prompt(land().hold().words);
      await firstOf(turn, "text");
      const other = (await settled(land(), { persist: undefined as never })).client;
      const again = async (): Promise<unknown> =>
        other
          .createSession({ agent: "neither", cwd: "/", serverId: "replaced" })
          .catch(() => new Promise((resolve) => setTimeout(resolve, 5)).then(again));
      const losing = land().loseDaemon();
      await Promise.all([losing, losing.then(again)]);
      expect((await failureOf(turn)).hint).toContain("restoreSession()");
      expect(session.ended).toBe(true);
      expect(ends(events)).toMatchObject([{ reason: "agent_exited" }]);
    });

    test("says to who follows its log that the connection was lost", async () => {
      const network = new Network();
      const client = await land().open({ fetch: network.fetch, giveUpAfterMs: 1_000 });
      const session = await client.createSession({ agent: "mock", cwd: "/" });
      await session.prompt("hello");
      const follows = failureOf(followed(session));
      network.down();
      expect(await follows).toMatchObject({ code: "connection_lost", hint: expect.stringContaining("restoreSession()") });
      network.up();
      expect((await logOf(session)).length, "all that was said can be read").toBeGreaterThan(3);
      const again = await client.restoreSession({ id: session.id });
      expect(again.restored).toBe("attached");
      expect((await again.prompt("hello")).stopReason).toBe("end_turn");
    });

    test("tells which process and which session an event is about", async () => {
      const { client, events } = await settled(land());
      const session = await client.createSession({ agent: "mock", cwd: "/", id: "mine", serverId: "named" });
      await failureOf(session.prompt("/crash 3"));
      await until(() => events.at(-1)?.type === "state");
      expect(events.every(({ serverId }) => serverId === "named")).toBe(true);
      expect(new Set(events.map(({ type }) => type))).toEqual(new Set(["state", "update", "agent_exited", "session_ended"]));
      expect(ends(events)).toMatchObject([{ id: "mine", sessionId: session.agentSessionId }]);
      await client.restoreSession({ id: "mine", replayText: true });
      const other = await (await land().open()).restoreSession({ id: "mine", replayText: true });
      await (await land().store()).updateSession("mine", { epoch: 99 });
      await other.prompt("hello");
      await until(() => events.some(({ type }) => type === "error"));
      expect(events.filter(({ type }) => type === "error")).toMatchObject([
        { id: "mine", serverId: "named", error: { code: "session_moved" } },
      ]);
    });
  });
});

describe("a session with a process of its own", () => {
  inLand((land) => {
    test("has one of its own again after a loss", async () => {
      const ids = ["one", "two"];
      const client = await land().open({ giveUpAfterMs: 1_000 });
      for (const id of ids) await client.createSession({ agent: "both", cwd: "/", id, serverId: `of ${id}` });
      const shared = await client.createSession({ agent: "both", cwd: "/", id: "shared" });
      await land().loseDaemon();
      await client.leave();

      const next = await land().open();
      for (const id of ids) expect((await next.restoreSession({ id })).serverId).toBe(`of ${id}`);
      expect((await next.restoreSession({ id: "shared" })).serverId).not.toBe(shared.serverId);
      expect(await land().servers()).toHaveLength(3);
    });

    test("tells the text of its past once, though two programs brought it back", async () => {
      const id = "told once";
      const first = await land().open();
      await (await first.createSession({ agent: "neither", cwd: "/", id })).prompt("remember the milk");
      await first.dispose();
      const programs = [await land().open(), await land().open()];
      const sessions = [];
      for (const program of programs) sessions.push(await program.restoreSession({ id, replayText: true }));
      expect(sessions.map(({ restored }) => restored)).toEqual(["replayed", "replayed"]);
      for (const session of sessions) await session.prompt("go on");
      const prompts = (await logOf(sessions[0]!)).filter((entry) => messageOf(entry).method === "session/prompt");
      expect(prompts.map((entry) => (messageOf(entry).params!.prompt as unknown[]).length)).toEqual([1, 2, 1]);
    });
  });
});
