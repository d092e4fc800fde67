// What can be wrong outside of this process, and how soon a caller hears of it in which words.
import { expect, test } from "vitest";
import { freePort } from "../../../tests/contract/free_port.mjs";
import "./guards.js";
import { inBothModes, oddAgent, timeScale } from "./place.js";
import { failureOf, firstOf, quickest, seenUntilFailure, textOf, timed } from "./waiting.js";
import {
  AgentExitedError,
  AgentNotFoundError,
  AuthError,
  SandboxAgent,
  SandboxAgentClient,
  type Session,
} from "../src/index.js";

inBothModes(
  "trouble",
  (place) => {
    test("an agent nobody knows is refused within a second, with the nearest names", async () => {
      const agent = await place().open();
      const limit = 1_000 * timeScale;
      const asked = () => timed(() => failureOf(agent.createSession({ agent: "mokc", cwd: "/" })));
      const { value, ms } = await quickest(limit, asked);
      expect(value).toBeInstanceOf(AgentNotFoundError);
      expect(value).toMatchObject({ code: "unsupported_agent", status: 400, suggestions: expect.arrayContaining(["mock"]) });
      expect(value.hint).toContain('"mock"');
      expect(ms).toBeLessThan(limit);
      expect((await (await agent.createSession({ agent: "mock", cwd: "/" })).prompt("hello")).stopReason).toBe("end_turn");
    });

    test("a wrong token is refused within a second, everywhere", async () => {
      const { baseUrl } = place().daemon;
      const limit = 1_000 * timeScale;
      for (const token of ["some-other-secret", undefined]) {
        const access = { baseUrl, ...(token && { token }) };
        const connecting = await quickest(limit, () => timed(() => failureOf(SandboxAgent.connect(access))));
        expect(connecting.value).toBeInstanceOf(AuthError);
        expect(connecting.value).toMatchObject({ status: 401, hint: expect.stringContaining("token") });
        expect(connecting.ms).toBeLessThan(limit);
        const calling = await quickest(limit, () => {
          const client = new SandboxAgentClient({ ...access, agent: "mock" });
          return timed(() => failureOf(client.newSession({ cwd: "/" })));
        });
        expect(calling.value).toBeInstanceOf(AuthError);
        expect(calling.ms).toBeLessThan(limit);
        expect(String(calling.value.stack)).not.toContain("some-other-secret");
      }
    });

    test("an agent that crashes rejects the turn within half a second, with exit code and last words", async () => {
      const agent = await place().open();
      const limit = 500 * timeScale;
      let best = Infinity; // of three at most: others use the machine too
      for (let played = 0; best >= limit && played < 3; ++played) {
        const session = await agent.createSession({ agent: "mock", cwd: "/" });
        const neighbour = await agent.createSession({ agent: "mock", cwd: "/" });
        const hanging = neighbour.prompt("/hang");
        await firstOf(hanging, "text");
        const turn = session.prompt("/crash 42");
        const { value, ms } = await timed(() => failureOf(turn));
        expect(value).toBeInstanceOf(AgentExitedError);
        expect(value).toMatchObject({ exitCode: 42, stderr: expect.stringContaining("crashing with exit code 42") });
        best = Math.min(best, ms);
        expect(await failureOf(hanging)).toBeInstanceOf(AgentExitedError);
        expect([session.ended, neighbour.ended]).toEqual([true, true]);
        expect(await failureOf(session.prompt("hello"))).toBeInstanceOf(AgentExitedError);
      }
      expect(best).toBeLessThan(limit);
      const next = await agent.createSession({ agent: "mock", cwd: "/" });
      expect((await next.prompt("hello")).stopReason).toBe("end_turn");
    });

    test("the moment an agent's end is heard a new session can be made", async () => {
      let next: Promise<Session> | undefined;
      const agent: SandboxAgent = await place().open({
        onEvent: ({ type }) => {
          if (type === "session_ended") next ??= agent.createSession({ agent: "mock", cwd: "/" });
        },
      });
      const session = await agent.createSession({ agent: "mock", cwd: "/" });
      await failureOf(session.prompt("/crash"));
      expect((await (await next!).prompt("hello")).stopReason).toBe("end_turn");
    });

    test("what the agent said before it crashed is delivered", async () => {
      const session = await (await place().open()).createSession({ agent: "mock", cwd: "/" });
      const turn = session.prompt("/crash 1");
      const { events, failure } = await seenUntilFailure(turn);
      expect(textOf(events)).toBe("I am about to crash.");
      expect(failure).toMatchObject({ exitCode: 1 });
      expect(await failureOf(turn)).toBe(failure);
    });

    test("an agent that was killed is reported with its signal", async () => {
      const session = await (await place().open()).createSession({ agent: "odd", cwd: "/" });
      expect(await failureOf(session.prompt("signal"))).toMatchObject({ name: "AgentExitedError", signal: "SIGKILL" });
    });

    test("a daemon that is not there is reported within two seconds, with what to do", async () => {
      const port = await freePort();
      const baseUrl = `http://127.0.0.1:${port}`;
      const limit = 2_000 * timeScale;
      const connecting = await quickest(limit, () => timed(() => failureOf(SandboxAgent.connect({ baseUrl, token: "x" }))));
      expect(connecting.value).toMatchObject({ code: "unreachable", hint: expect.stringContaining("sandbox-agent server") });
      expect(connecting.value.cause).toBeDefined();
      expect(connecting.ms).toBeLessThan(limit);
      const calling = await quickest(limit, () => {
        const client = new SandboxAgentClient({ baseUrl, token: "x", agent: "mock" });
        return timed(() => failureOf(client.newSession({ cwd: "/" })));
      });
      expect(calling.value).toMatchObject({ code: "unreachable", hint: expect.stringContaining("sandbox-agent server") });
      expect(calling.ms).toBeLessThan(limit);
    });

    test("what is no daemon is not taken for one, though it answers in JSON", async () => {
      const answers: [unknown, string][] = [
        [{ hello: "world" }, "bad_answer"],
        [null, "bad_answer"],
        [{ status: "ok" }, "none"],
      ];
      for (const [answer, code] of answers) {
        const fetch = async () => Response.json(answer);
        const connecting = SandboxAgent.connect({ baseUrl: "http://127.0.0.1:1", fetch });
        if (code === "none") await (await connecting).dispose();
        else expect(await failureOf(connecting)).toMatchObject({ code });
      }
      const fetch = async () => Response.json({ hello: "world" });
      const client = new SandboxAgentClient({ baseUrl: "http://127.0.0.1:1", agent: "mock", fetch });
      expect(await failureOf(client.ready())).toMatchObject({ code: "bad_answer" });
    });

    test("options that cannot work are refused with words", async () => {
      expect(await failureOf(SandboxAgent.connect({ baseUrl: "nonsense" }))).toMatchObject({ code: "invalid_option" });
      expect(await failureOf(SandboxAgent.start({ spawn: false }))).toMatchObject({ code: "invalid_option" });
    });

    test("a call that names no agent is refused with words", async () => {
      const agent = await place().open();
      const nothing = undefined as unknown as { agent: string };
      expect(await failureOf(agent.listSessions(nothing))).toMatchObject({ code: "invalid_option" });
      for (const options of [{}, { agent: "" }] as { agent: string }[]) {
        expect(await failureOf(agent.listSessions(options))).toMatchObject({ code: "invalid_option" });
        expect(await failureOf(agent.createSession(options))).toMatchObject({ code: "invalid_option" });
      }
    });
  },
  ["--agent", oddAgent],
);
