// Several programs, one agent's process: what one of them does, or suffers, is not done to the others.
import { describe, expect, test } from "vitest";
import "./guards.js";
import { Network } from "./outage.js";
import { inPlace, oddAgent, type Place } from "./place.js";
import { failureOf, firstOf, until } from "./waiting.js";
import type { Session } from "../src/index.js";

const giveUpAfterMs = 1_000; // a stream has as long to open, on any machine

/** A session, and the same one in another program that attached to it. */
async function shared(place: Place, serverId: string) {
  const session = await (await place.open()).createSession({ agent: "mock", serverId, cwd: "/" });
  return { session, other: await (await place.open()).attachSession(session.handle) };
}

async function allowed(session: Session) {
  const turn = session.prompt("/permission");
  const asked = await firstOf(turn, "permission");
  await new Promise((resolve) => setTimeout(resolve, 200)); // time for others to meddle
  expect(asked.open).toBe(true);
  await asked.allow("once");
  return (await turn).text;
}

/** A session whose connection was lost in the middle of a turn; its daemon can be reached again. */
async function cutOff(place: Place, serverId: string | undefined) {
  const network = new Network();
  const agent = await place.open({ fetch: network.fetch, giveUpAfterMs });
  const session = await agent.createSession({ agent: "mock", ...(serverId && { serverId }), cwd: "/" });
  const turn = session.prompt("/slow 1000");
  await firstOf(turn, "text");
  await until(() => network.isCalm); // else the turn may fail alone, because nobody knows whether its request arrived
  network.down();
  expect(await failureOf(turn)).toMatchObject({ code: "connection_lost" });
  network.up();
  return { agent, session, turn };
}

describe("programs that share a process", () => {
  inPlace(
    "server",
    (place) => {
      test("an idle one refuses nothing of another one's turn", async () => {
        const { session, other } = await shared(place(), "asked");
        expect(await allowed(other)).toContain("You chose: Allow once.");
        expect(await allowed(session)).toContain("You chose: Allow once.");
      });

      test("each refuses what its own turn asks when nobody reads it", async () => {
        const { session, other } = await shared(place(), "refused");
        for (const each of [session, other]) expect((await each.prompt("/permission")).stopReason).toBe("end_turn");
      });

      test("one that makes a session of its own meanwhile refuses nothing of another one's turn", async () => {
        const [first, second] = [await place().open(), await place().open()];
        const wanted = { agent: "odd", serverId: "made meanwhile", cwd: "/" };
        const session = await first.createSession(wanted);
        await second.createSession(wanted);
        const made = second.createSession({ ...wanted, cwd: "/late" });
        await until(async () => (await first.instances())[0]?.pendingRequests === 1, "the wait for the session");
        const turn = session.prompt(`permission [{ "optionId": "yes", "name": "Yes", "kind": "allow_once" }]`);
        const asked = await firstOf(turn, "permission");
        await made;
        expect(asked.open).toBe(true);
        await asked.allow("once");
        expect((await turn).text).toContain("yes");
      });

      test("each cancels the turn of the other", async () => {
        const { session, other } = await shared(place(), "cancelled");
        for (const [begins, cancels] of [
          [session, other],
          [other, session],
        ] as const) {
          const turn = begins.prompt("/slow 1000");
          await firstOf(turn, "text");
          await cancels.cancel();
          expect((await turn).stopReason).toBe("cancelled");
        }
        await session.cancel(); // there is nothing to cancel, and no harm in it
        expect((await session.prompt("hello")).stopReason).toBe("end_turn");
      });

      test("a cancel that cannot be told rejects", async () => {
        const { session, turn } = await cutOff(place(), "not told");
        for (const cancel of [() => session.cancel(), () => turn.cancel(), () => session.close()])
          expect(await failureOf(cancel())).toMatchObject({
            code: "connection_lost",
            hint: expect.stringContaining("restoreSession()"),
          });
      });

      test("one that lost its connection goes on in the process there is, and does the others no harm", async () => {
        const other = await (await place().open()).createSession({ agent: "mock", serverId: "team", cwd: "/" });
        const turn = other.prompt("/slow 1000");
        const { agent, session } = await cutOff(place(), "team");
        const next = await agent.createSession({ agent: "mock", serverId: "team", cwd: "/" });
        expect((await next.prompt("hello")).stopReason).toBe("end_turn");
        expect(turn.over).toBe(false);
        await other.cancel();
        expect((await turn).stopReason).toBe("cancelled");
        const again = await agent.attachSession(session.handle);
        await again.cancel();
        expect((await again.prompt("hello")).stopReason).toBe("end_turn");
      });

      test("a process without a name is found again, and started anew when it has ended", async () => {
        const { agent, session } = await cutOff(place(), undefined);
        const next = await agent.createSession({ agent: "mock", cwd: "/" });
        expect(next.serverId).toBe(session.serverId);
        expect((await place().servers()).filter(({ status }) => status === "running")).toHaveLength(1);
        await failureOf(next.prompt("/crash 3"));
        const last = await agent.createSession({ agent: "mock", cwd: "/" });
        expect((await last.prompt("hello")).stopReason).toBe("end_turn");
        await agent.dispose();
        expect(await place().servers()).toEqual([]);
      });

      test("one whose process ended while it was cut off starts another", async () => {
        const { agent, session } = await cutOff(place(), "ended");
        process.kill((await place().servers()).find(({ serverId }) => serverId === "ended")!.pid!, "SIGKILL");
        await until(async () => (await place().servers()).some(({ status }) => status === "exited"));
        const next = await agent.createSession({ agent: "mock", serverId: "ended", cwd: "/" });
        expect((await next.prompt("hello")).stopReason).toBe("end_turn");
        expect(await failureOf(session.prompt("hello"))).toMatchObject({ code: "connection_lost" });
      });

      test("the core goes on in the process there is, too", async () => {
        const network = new Network();
        const client = place().client({ fetch: network.fetch, giveUpAfterMs });
        const { sessionId } = await client.newSession({ cwd: "/" });
        network.down();
        await failureOf(client.prompt({ sessionId, prompt: [{ type: "text", text: "hello" }] }));
        await until(() => !client.connected); // the call may have given up a moment before the connection did
        network.up();
        await client.connect();
        expect(await client.prompt({ sessionId, prompt: [{ type: "text", text: "hello" }] })).toMatchObject({
          stopReason: "end_turn",
        });
      });

      test("a cancel after the agent's end has nothing to do", async () => {
        const session = await (await place().open()).createSession({ agent: "mock", cwd: "/" });
        const turn = session.prompt("/crash 3");
        await failureOf(turn);
        await session.cancel();
        await turn.cancel();
      });
    },
    ["--agent", oddAgent],
  );
});
