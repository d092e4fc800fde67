// Clients that restore, make, close or end sessions at the worst moment.
import { expect, test } from "vitest";
import "../guards.js";
import { inPlace, oddAgent } from "../place.js";
import { failureOf, until } from "../waiting.js";
import { InMemorySessionPersistDriver } from "../../src/persist/memory.js";
import { transcriptOf } from "../../src/transcript/index.js";
import { disturbed, happening } from "./disturbed.js";

const never = new Promise<void>(() => {});

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of list) found.push(each);
  return found;
}

inPlace(
  "server",
  (place) => {
    async function killed(serverId: string): Promise<void> {
      const server = (await place().servers()).find((each) => each.serverId === serverId);
      process.kill(server!.pid!, "SIGKILL");
      await until(async () => (await place().servers()).find((each) => each.serverId === serverId)?.status === "exited");
    }

    test("a session that was closed is opened again, although its process runs", async () => {
      const agent = await place().open({ persist: new InMemorySessionPersistDriver() });
      const session = await agent.createSession({ agent: "mock", id: "s" });
      await session.prompt("hello");
      await session.close();
      const again = await agent.restoreSession({ id: "s" });
      expect(again.restored).toBe("resumed");
      expect((await again.prompt("hello")).stopReason).toBe("end_turn");
    });

    test("the log of a session begins with the request that made it, with a store and without", async () => {
      const [stored, live] = [await place().open({ persist: new InMemorySessionPersistDriver() }), await place().open()];
      const types = [];
      for (const agent of [stored, live]) {
        const session = await agent.createSession({ agent: "mock" });
        await session.prompt("hello");
        types.push((await all(transcriptOf(session.log()))).map(({ type }) => type));
      }
      expect(types[0]![0]).toBe("session.started");
      expect(types[1]).toEqual(types[0]);
    });

    test("who restores a session that another client takes meanwhile joins it there", async () => {
      const driver = new InMemorySessionPersistDriver();
      let dies = false;
      const end = happening();
      const first = await place().open({
        persist: disturbed(driver, (call) => call === "appendEvents" && dies && end.happened),
      });
      const session = await first.createSession({ agent: "mock", id: "s" });
      await session.prompt("hello");
      dies = true;
      session.prompt("/slow 3").settled.catch(() => {});
      const heard = () => session.metadata.eventCount as number;
      const before = heard();
      await until(() => heard() > before);
      await killed(session.serverId);
      const { happen, happened } = happening();
      const slow = await place().open({ persist: disturbed(driver, (call) => call === "appendEvents" && happened) });
      const fast = await place().open({ persist: driver });
      const [late, early] = [slow, fast].map((agent) => agent.restoreSession({ id: "s", replayText: true }));
      expect((await early!).restored).toBe("replayed");
      happen();
      expect((await late!).restored).toBe("replayed"); // in the process of the other: nobody has told the agent yet
      expect((await late!).serverId).toBe((await early!).serverId);
      end.happen();
    });

    test("a session is not taken for another one that has its name in the new process", async () => {
      const agent = await place().open({ persist: new InMemorySessionPersistDriver() });
      const session = await agent.createSession({ agent: "mock", id: "s" });
      await session.prompt("hello");
      await killed(session.serverId);
      await until(() => session.ended);
      const other = await agent.createSession({ agent: "mock", id: "other" });
      expect(other.agentSessionId).toBe(session.agentSessionId);
      expect(await failureOf(agent.restoreSession({ id: "s" }))).toMatchObject({ code: "cannot_restore" });
      const again = await agent.restoreSession({ id: "s", replayText: true });
      expect(again.restored).toBe("replayed");
      await again.prompt("hello");
      expect((await other.history()).events.some(({ json }) => json.includes("session/prompt"))).toBe(false);
    });

    test("two clients that restore a session without an agent's session make one", async () => {
      const driver = new InMemorySessionPersistDriver();
      const persist = disturbed(
        driver,
        (call, args) => call === "updateSession" && "agentSessionId" in (args[1] as object) && never,
      );
      const dead = await place().open({ persist });
      void dead.createSession({ agent: "mock", id: "s" }).catch(() => {});
      await until(async () => (await driver.getSession("s")) !== undefined);
      const restored = await Promise.all(
        [1, 2].map(async () => (await place().open({ persist: driver })).restoreSession({ id: "s" })),
      );
      expect(new Set(restored.map(({ agentSessionId }) => agentSessionId)).size).toBe(1);
      expect(restored.map((session) => session.restored).sort()).toEqual(["attached", "created"]);
    });

    test("a session that another client took while it was made is not deleted", async () => {
      const driver = new InMemorySessionPersistDriver();
      const { happen, happened } = happening();
      const persist = disturbed(
        driver,
        (call, args) => call === "updateSession" && "agentSessionId" in (args[1] as object) && happened,
      );
      const making = (await place().open({ persist })).createSession({ agent: "mock", id: "s" });
      making.catch(() => {});
      await until(async () => (await driver.getSession("s")) !== undefined);
      const session = await (await place().open({ persist: driver })).restoreSession({ id: "s" });
      happen();
      expect(await failureOf(making)).toMatchObject({ code: "session_moved" });
      expect(await driver.getSession("s")).toMatchObject({ agentSessionId: session.agentSessionId });
      expect((await session.prompt("hello")).stopReason).toBe("end_turn");
    });

    test("an agent that is disposed while it restores leaves no connection", async () => {
      const driver = new InMemorySessionPersistDriver();
      const first = await place().open({ persist: driver });
      const { serverId } = await first.createSession({ agent: "mock", id: "s" });
      const { happen, happened } = happening();
      const second = await place().open({ persist: disturbed(driver, (call) => call === "listEvents" && happened) });
      const restoring = second.restoreSession({ id: "s" });
      restoring.catch(() => {});
      await second.dispose();
      happen();
      expect(await failureOf(restoring)).toMatchObject({ code: "disposed" });
      const readers = async () => (await place().servers()).find((each) => each.serverId === serverId)?.readers;
      await until(async () => (await readers()) === 1, "the reader that was there before");
    });

    test("text that was to be replayed is told with the first prompt the agent answers", async () => {
      const driver = new InMemorySessionPersistDriver();
      const first = await place().open({ persist: driver });
      const session = await first.createSession({ agent: "odd", id: "s", cwd: "/" });
      await session.prompt("mode");
      await killed(session.serverId);
      const { happen, happened } = happening();
      const second = await place().open({
        persist: disturbed(driver, (call, args) => call === "updateSession" && "turn" in (args[1] as object) && happened),
      });
      const replayed = await second.restoreSession({ id: "s", replayText: true });
      expect(replayed.restored).toBe("replayed");
      const stop = new AbortController();
      const aborted = replayed.prompt("mode", { signal: stop.signal });
      stop.abort();
      happen();
      await failureOf(aborted.settled);
      await failureOf(replayed.prompt("mode").settled); // this agent does not understand it
      await failureOf(replayed.prompt("mode").settled);
      const prompts = (await all(replayed.log())).filter(
        ({ message }) => (message as { method?: string }).method === "session/prompt",
      );
      expect(prompts.map(({ message }) => (message as { params: { prompt: unknown[] } }).params.prompt.length)).toEqual([
        1, 2, 2,
      ]);
    });

    test("a prompt whose turn is over before the store lets it go is never sent, nor is its cancel", async () => {
      const driver = new InMemorySessionPersistDriver();
      const { happen, happened } = happening();
      let slow = true;
      const agent = await place().open({
        persist: disturbed(
          driver,
          (call, args) => call === "updateSession" && "turn" in (args[1] as object) && slow && happened,
        ),
      });
      const session = await agent.createSession({ agent: "mock", id: "s" });
      const turn = session.prompt("one", { cancelGraceMs: 20 });
      const cancelled = turn.cancel();
      expect(await failureOf(turn.settled)).toMatchObject({ code: "cancel_ignored" });
      slow = false;
      happen();
      await cancelled;
      expect((await session.prompt("two")).stopReason).toBe("end_turn");
      const methods = (await all(session.log())).map(({ message }) => (message as { method?: string }).method);
      expect(methods.filter((method) => method === "session/prompt" || method === "session/cancel")).toEqual([
        "session/prompt",
      ]);
    });
  },
  ["--agent", oddAgent],
);
