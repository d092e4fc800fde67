// What the agent asks this side for: the user's handlers answer, and what nobody handles is refused at once.
import { expect, test } from "vitest";
import "./guards.js";
import { inBothModes, oddAgent } from "./place.js";
import { failureOf, firstOf, until } from "./waiting.js";
import type { ClientEvent, Handlers } from "../src/index.js";

inBothModes(
  "handlers",
  (place) => {
    const begin = async (handlers: Partial<Handlers> & { onEvent?: (event: ClientEvent) => void } = {}, agent = "mock") =>
      (await place().open(handlers)).createSession({ agent, cwd: "/project" });

    test("onPermission answers without a reader, and is told what is asked", async () => {
      const asked: unknown[] = [];
      const session = await begin({
        onPermission(request, signal) {
          asked.push([request.tool.title, request.sessionId, signal.aborted]);
          return { optionId: "allow-once" };
        },
      });
      expect((await session.prompt("/permission")).text).toContain("You chose: Allow once.");
      expect(asked).toEqual([["make clean", session.id, false]]);
    });

    test("onPermission may say cancelled", async () => {
      const session = await begin({ onPermission: async () => null });
      expect((await session.prompt("/permission")).stopReason).toBe("cancelled");
    });

    test("the reader of a turn may be quicker than onPermission, which is told so", async () => {
      const asked: AbortSignal[] = [];
      const session = await begin({ onPermission: (_, signal) => (asked.push(signal), new Promise<never>(() => {})) });
      const turn = session.prompt("/permission");
      const event = await firstOf(turn, "permission");
      await until(() => asked.length === 1);
      expect(asked[0]?.aborted).toBe(false);
      await event.allow();
      expect((await turn).text).toContain("You chose: Allow once.");
      expect(asked[0]?.aborted).toBe(true);
    });

    test("a handler that throws is told to the agent and to onEvent, and the turn goes on", async () => {
      const events: ClientEvent[] = [];
      const session = await begin({
        onPermission() {
          throw new Error("out of order");
        },
        onEvent: (event) => events.push(event),
      });
      const { text, stopReason } = await session.prompt("/permission");
      expect(stopReason).toBe("end_turn");
      expect(text).toContain("The command was not run.");
      const errors = events.filter(({ type }) => type === "error");
      expect(errors).toMatchObject([{ error: { message: expect.stringContaining("out of order") } }]);
    });

    test("onPermission that chooses what is not offered has failed: the agent and onEvent are told", async () => {
      const events: ClientEvent[] = [];
      const session = await begin({ onPermission: () => ({ optionId: "bogus" }), onEvent: (event) => events.push(event) });
      const { text, stopReason } = await session.prompt("/permission");
      expect(stopReason).toBe("end_turn");
      expect(text).toContain("The command was not run.");
      const errors = events.filter(({ type }) => type === "error");
      expect(errors).toMatchObject([{ error: { code: "no_such_option", hint: expect.stringContaining('"allow-once"') } }]);
    });

    test("onQuestion answers forms", async () => {
      const onQuestion: Handlers["onQuestion"] = ({ message: note }) => ({
        action: "accept",
        content: { colour: "blue", note },
      });
      const session = await begin({ onQuestion });
      expect((await session.prompt("/ask")).text).toMatch(/^Your answer: blue. Your note: Which colour/);
    });

    test("files of this side are written and read through the handlers", async () => {
      const files = new Map<string, string>();
      const session = await begin({
        readTextFile: ({ path }) => files.get(path) ?? "",
        writeTextFile({ path, content }) {
          files.set(path, content);
        },
      });
      expect((await session.prompt("/fs")).text).toContain("I read 65 bytes from /project/sandbox-agent-demo.txt.");
      expect([...files.keys()]).toEqual(["/project/sandbox-agent-demo.txt"]);
    });

    test("a file handler that throws is quoted by the agent", async () => {
      const session = await begin({
        async readTextFile() {
          throw new Error("no such file");
        },
      });
      expect((await session.prompt("/fs")).text).toContain("could not read");
    });

    test("without file or terminal handlers the agent is told that there are none", async () => {
      const session = await begin();
      expect((await session.prompt("/fs")).text).toContain("offered no access to files");
      expect((await session.prompt("/terminal")).text).toContain("offered no terminal");
    });

    test("terminals of this side run through the handlers, in order", async () => {
      const calls: string[] = [];
      const called = <T>(name: string, answer: T) => (calls.push(name), answer);
      const session = await begin({
        terminal: {
          create: ({ command }) => called(`create ${command}`, { terminalId: "t-1" }),
          output: () => called("output", { output: "Hello\n", truncated: false }),
          waitForExit: async () => called("wait", { exitCode: 0 }),
          kill: () => called("kill", undefined),
          release: () => called("release", undefined),
        },
      });
      expect((await session.prompt("/terminal")).text).toBe("It ended with exit code 0 and said:\nHello\n");
      await until(() => calls.includes("release"));
      expect(calls).toEqual(["create echo", "wait", "output", "release"]);
    });

    const files = ["fs/read_text_file", "fs/write_text_file"];
    const others = ["terminal/create", "terminal/output", "_odd/own", "session/request_permission", "elicitation/create"];
    test.each([...files, ...others])("an agent that asks %s of nobody gets -32601 at once", async (method) => {
      const session = await begin({}, "odd");
      const { text } = await session.prompt(`request ${method}`);
      expect(JSON.parse(text)).toMatchObject({ code: -32601 });
    });

    test("clients of one process answer for their own sessions only", async () => {
      const prompt = (method: string) => [{ type: "text" as const, text: `request ${method}` }];
      const asked: unknown[] = [];
      const handlersOf = (words: string): Handlers => ({
        onPermission: ({ sessionId }) => (asked.push([words, sessionId]), { optionId: words }),
        readTextFile: async ({ sessionId }) => (asked.push([words, sessionId]), words),
      });
      const clients = ["one", "two"].map((words) =>
        place().client({ agent: "odd", serverId: "for-two", handlers: handlersOf(words) }),
      );
      const silent = place().client({ agent: "odd", serverId: "for-two" }); // would refuse all of it
      await silent.newSession({ cwd: "/" });
      for (const [index, client] of clients.entries()) {
        const { sessionId } = await client.newSession({ cwd: "/" });
        for (const method of ["fs/read_text_file", "session/request_permission"])
          await client.prompt({ sessionId, prompt: prompt(method) });
        const words = index === 0 ? "one" : "two";
        expect(asked.splice(0)).toEqual([
          [words, sessionId],
          [words, sessionId],
        ]);
      }
    });

    test("a request that the agent withdraws is closed", async () => {
      const session = await begin({}, "odd");
      const turn = session.prompt("withdrawn");
      const event = await firstOf(turn, "permission");
      expect((await turn).text).toMatch(/cancelled/i);
      expect(await failureOf(event.allow())).toMatchObject({ code: "already_answered" });
    });

    test("a withdrawn request aborts its handler's signal", async () => {
      let aborted = false;
      const session = await begin(
        {
          onPermission: (_, signal) =>
            new Promise((resolve) => signal.addEventListener("abort", () => resolve(((aborted = true), null)))),
        },
        "odd",
      );
      expect((await session.prompt("withdrawn")).stopReason).toBe("end_turn");
      expect(aborted).toBe(true);
    });

    test("cancel() answers what a handler still thinks about, as the agent waits for it", async () => {
      let ask = () => {};
      const asked = new Promise<void>((resolve) => (ask = resolve));
      const onPermission = () => (ask(), new Promise<never>(() => {}));
      const session = await begin({ onPermission }, "odd");
      const turn = session.prompt("permission []");
      const result = turn.then(); // nobody reads
      await asked;
      await turn.cancel();
      expect(JSON.parse((await result).text)).toEqual({ outcome: { outcome: "cancelled" } });
    });

    test("odd options: choose() takes each, allow() and deny() say which there are", async () => {
      const session = await begin({}, "odd");
      const options = [
        { optionId: "maybe", name: "Perhaps", kind: "later" },
        { optionId: "ok", name: "OK", kind: "allow_always" },
      ];
      const turn = session.prompt(`permission ${JSON.stringify(options)}`);
      const event = await firstOf(turn, "permission");
      expect(event.options).toEqual(options);
      expect(await failureOf(event.deny())).toMatchObject({ code: "no_such_option", hint: expect.stringContaining('"maybe"') });
      await event.choose("maybe");
      expect(JSON.parse((await turn).text)).toEqual({ outcome: { outcome: "selected", optionId: "maybe" } });
    });

    test('allow("once") never grants more than once', async () => {
      const session = await begin({}, "odd");
      const turn = session.prompt(`permission ${JSON.stringify([{ optionId: "only", name: "Always", kind: "allow_always" }])}`);
      const event = await firstOf(turn, "permission");
      expect(await failureOf(event.allow("once"))).toMatchObject({ code: "no_such_option" });
      await event.allow("always");
      expect((await turn).text).toContain('"only"');
    });
  },
  ["--agent", oddAgent],
);
