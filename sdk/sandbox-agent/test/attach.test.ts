// Attaching after the process that began the turn has gone, or after the turn has.
import { execFile, spawn } from "node:child_process";
import readline from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import "./guards.js";
import { inPlace, type Place } from "./place.js";
import { eventsOf, failureOf, firstOf, floodText, textOf, until } from "./waiting.js";
import type { ClientEvent, ClientListener, Session, SessionHandle } from "../src/index.js";

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const steps = (count: number) => Array.from({ length: count }, (_, step) => `step ${step + 1} of ${count}\n`).join("");

/** The handle of a turn whose process was killed after its first event of this type. */
async function interrupted(place: Place, words: string, wanted: string): Promise<SessionHandle> {
  const command = [script("begin_elsewhere.mjs"), JSON.stringify(place.access), words, wanted];
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "inherit"] });
  const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value } = (await lines.next()) as { value: string };
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
  return JSON.parse(value) as SessionHandle;
}

/** What attaching says besides, is said to `onEvent`. */
async function attachedTo(place: Place, handle: SessionHandle, onEvent: ClientListener = () => {}): Promise<Session> {
  return (await place.open({ onEvent })).attachSession(handle);
}

const turnOf = async (attaching: Promise<Session>) => (await attaching).turn;

describe("attaching", () => {
  inPlace("server", (place) => {
    test("after the process that began the turn was killed loses nothing", async () => {
      const session = await attachedTo(place(), await interrupted(place(), "/slow 8", "text"));
      const turn = session.turn!;
      expect(textOf(await eventsOf(turn))).toBe(steps(8));
      expect(await turn).toMatchObject({ text: steps(8), stopReason: "end_turn" });
      await session.stopAgent();
    });

    test("finds the permission still open, and answers it", async () => {
      const session = await attachedTo(place(), await interrupted(place(), "/permission", "permission"));
      const turn = session.turn!;
      await (await firstOf(turn, "permission")).allow();
      expect((await turn).text).toContain("You chose: Allow once.");
      await session.stopAgent();
    });

    test("only to await it leaves what is open to others, until it is cancelled", async () => {
      const session = await attachedTo(place(), await interrupted(place(), "/permission", "permission"));
      const result = session.turn!.then();
      await session.cancel();
      expect((await result).stopReason).toBe("cancelled");
      await session.stopAgent();
    });

    test("another process attaches in the middle of a turn and loses nothing", async () => {
      const session = await (await place().open()).createSession({ agent: "mock", cwd: "/" });
      const turn = session.prompt("/slow 8");
      await firstOf(turn, "text");
      const words = [JSON.stringify(place().access), JSON.stringify(session.handle)];
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [script("attach_elsewhere.mjs"), ...words]);
      const { text } = await turn;
      expect(JSON.parse(stdout)).toEqual({ read: text, text, stopReason: "end_turn" });
      expect(stderr).toBe("");
    });

    test("takes a connection until the session ends, and none when it fails", async () => {
      const session = await (await place().open()).createSession({ agent: "mock", cwd: "/" });
      const readers = async () => (await place().servers())[0]?.readers;
      const agent = await place().open();
      for (let i = 0; i < 3; ++i) {
        const attached = await agent.attachSession(session.handle);
        expect(await readers()).toBe(2);
        await attached.close();
        await until(async () => (await readers()) === 1, "the end of the connection");
      }
      const wrong = { ...session.handle, instanceId: "another" };
      expect(await failureOf(agent.attachSession(wrong))).toMatchObject({ code: "instance_replaced" });
      await until(async () => (await readers()) === 1, "the end of the connection");
    });

    test("after the turn has ended gives its events and its result", async () => {
      const session = await (await place().open()).createSession({ agent: "mock", cwd: "/" });
      const turn = session.prompt("/slow 3");
      await firstOf(turn, "text");
      const { handle } = session;
      await turn;
      await session.prompt("another one");
      const again = (await attachedTo(place(), handle)).turn!;
      expect((await again).text).toBe(steps(3));
    });

    test("after the agent has ended says how it ended", async () => {
      const session = await (await place().open()).createSession({ agent: "mock", cwd: "/" });
      const turn = session.prompt("/slow 1000");
      await firstOf(turn, "text");
      const { handle } = session;
      const server = (await place().servers()).find(({ serverId }) => serverId === handle.serverId);
      process.kill(server?.pid as number, "SIGKILL");
      expect(await failureOf(turn)).toMatchObject({ signal: "SIGKILL" });
      const after = turnOf(attachedTo(place(), handle));
      expect(await failureOf(after)).toMatchObject({ name: "AgentExitedError", signal: "SIGKILL" });
    });

    test("does not start an agent anew that has ended unheard", async () => {
      const agent = await place().open();
      const session = await agent.createSession({ agent: "mock", cwd: "/", serverId: "ended unheard" });
      let isDeaf = false;
      const deafened = (body: ReadableStream<Uint8Array>) =>
        body.pipeThrough(
          new TransformStream({
            transform: (chunk, controller) => (isDeaf ? undefined : controller.enqueue(chunk)),
            flush: () => new Promise(() => {}), // no end is heard either
          }),
        );
      const fetching: typeof fetch = async (input, init) => {
        const response = await fetch(input, init);
        if (response.headers.get("content-type") !== "text/event-stream") return response;
        const { status, headers } = response;
        return new Response(deafened(response.body!), { status, headers });
      };
      const attached = await (await place().open({ fetch: fetching })).attachSession(session.handle);
      isDeaf = true;
      await agent.stop("ended unheard");
      const deeds = [attached.prompt("hello"), attached.setMode("ask")];
      for (const failure of await Promise.all(deeds.map(failureOf)))
        expect(failure).toMatchObject({ name: "AgentExitedError", code: "agent_process_exited" });
      expect(attached.ended).toBe(true);
      expect(await place().servers()).toEqual([]);
    });

    test("a message that the daemon cannot read ends nothing but its call", async () => {
      let isOdd = false;
      const fetching: typeof fetch = (input, init) =>
        fetch(input, isOdd && init?.method === "POST" ? { ...init, body: "[]" } : init);
      const session = await (await place().open({ fetch: fetching })).createSession({ agent: "mock", cwd: "/" });
      isOdd = true;
      expect(await failureOf(session.prompt("hello"))).toMatchObject({ code: "invalid_request", status: 400 });
      isOdd = false;
      expect((await session.prompt("hello")).stopReason).toBe("end_turn");
    });

    test("to a process that was replaced by another one is said, and nothing hangs", async () => {
      const agent = await place().open();
      const session = await agent.createSession({ agent: "mock", cwd: "/", serverId: "replaced" });
      const turn = session.prompt("/slow 1000");
      await firstOf(turn, "text");
      const { handle } = session;
      const failed = failureOf(turn);
      await session.stopAgent();
      await failed;
      await agent.createSession({ agent: "mock", cwd: "/", serverId: "replaced" });
      expect(await failureOf(attachedTo(place(), handle))).toMatchObject({ code: "instance_replaced" });
    });
  });
});

describe("attaching to a daemon that keeps little", () => {
  inPlace(
    "server",
    (place) => {
      test("to a turn whose beginning was dropped tells of the gap and has the end", async () => {
        const session = await (await place().open()).createSession({ agent: "mock", cwd: "/" });
        const turn = session.prompt("/flood 1000");
        await firstOf(turn, "text");
        const { handle } = session;
        await turn;
        const events: ClientEvent[] = [];
        const again = (await attachedTo(place(), handle, (event) => events.push(event))).turn!;
        const { text } = await again;
        expect(floodText(1000).endsWith(text)).toBe(true);
        expect(events.filter(({ type }) => type === "gap")).toHaveLength(1);
      });

      test("to a turn whose answer was dropped rejects instead of waiting for ever", async () => {
        const session = await (await place().open()).createSession({ agent: "mock", cwd: "/" });
        const turn = session.prompt("/flood 10");
        await firstOf(turn, "text");
        const { handle } = session;
        await turn;
        await session.prompt("/flood 1000");
        const after = turnOf(attachedTo(place(), handle));
        expect(await failureOf(after)).toMatchObject({ code: "answer_lost" });
      });
    },
    ["--ring-messages", "64"],
  );
});
