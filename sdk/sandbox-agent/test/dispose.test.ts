// What SandboxAgent starts, it ends, and nothing else.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import "./guards.js";
import { inBothModes, isAlive, timeScale } from "./place.js";
import { failureOf, firstOf, timed, until } from "./waiting.js";
import { SandboxAgent, SandboxAgentClient, spawnSandboxAgent, type ClientEvent, type Session } from "../src/index.js";
import { launchDaemon } from "../../../tests/contract/daemon.mjs";
import { Relay } from "../../../tests/contract/relay.mjs";

inBothModes("disposing", (place) => {
  test("ends the agents that were started here, and only a daemon of its own", async () => {
    const agent = await place().open();
    const { pid } = await agent.status();
    const session = await agent.createSession({ agent: "mock", cwd: "/" });
    const turn = session.prompt("/hang");
    await firstOf(turn, "text");
    const failed = failureOf(turn);
    await Promise.all([agent.dispose(), agent.dispose()]);
    await agent.dispose();
    expect(await failed).toMatchObject({ code: "not_connected" });
    expect(isAlive(pid)).toBe(place().mode === "server");
    expect(await place().servers()).toEqual([]);
    expect(await failureOf(agent.createSession({ agent: "mock", cwd: "/" }))).toMatchObject({ code: "disposed" });
    expect(await failureOf(session.prompt("hello"))).toMatchObject({ code: "not_connected" });
  });

  test("ends the agents although all connections are cut at that moment", async () => {
    const relay = await Relay.to(place().daemon.baseUrl);
    try {
      const agent = await place().open({ baseUrl: relay.url });
      await agent.createSession({ agent: "mock", cwd: "/" });
      relay.cut();
      const disposed = agent.dispose();
      relay.cut();
      await disposed;
      expect(await place().servers()).toEqual([]);
    } finally {
      await relay.stop();
    }
  });

  test("leaves what others started", async () => {
    const mine = await SandboxAgent.connect(place().access);
    const others = place().client({ serverId: "others" });
    const { sessionId } = await others.newSession({ cwd: "/" });
    await mine.createSession({ agent: "mock", cwd: "/" });
    expect(await place().servers()).toHaveLength(2);
    await mine.dispose();
    expect(await place().servers()).toMatchObject([{ serverId: "others", status: "running" }]);
    const prompt = [{ type: "text" as const, text: "hello" }];
    expect(await others.prompt({ sessionId, prompt })).toMatchObject({ stopReason: "end_turn" });
  });

  test("happens at the end of `await using`, also when the block throws", async () => {
    let pid = 0;
    const block = async () => {
      await using agent = await SandboxAgent.start();
      pid = (await agent.status()).pid;
      await agent.createSession({ agent: "mock" });
      throw new Error("mine");
    };
    await expect(block()).rejects.toThrow("mine");
    expect(isAlive(pid)).toBe(false);
    {
      await using daemon = await spawnSandboxAgent();
      pid = daemon.pid;
      expect(daemon.token).toMatch(/^[0-9a-f]{48}$/);
      expect(isAlive(pid)).toBe(true);
    }
    expect(isAlive(pid)).toBe(false);
  });

  test("is not needed when start() rejects: nothing of the daemon is left", async () => {
    const children = () => readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ").filter(Boolean);
    const before = children();
    const started = SandboxAgent.start({ headers: { "no name": "x" } });
    expect(await failureOf(started)).toMatchObject({ code: "invalid_option" });
    expect(children().filter((child) => !before.includes(child))).toEqual([]);
  });

  test("ends a daemon of its own that no longer answers", async () => {
    const agent = await SandboxAgent.start();
    await agent.createSession({ agent: "mock", cwd: "/" });
    const { pid } = await agent.status();
    process.kill(pid, "SIGSTOP");
    await agent.dispose();
    expect(isAlive(pid)).toBe(false);
  });

  test(
    "waits 10 s at most for a daemon that no longer answers, and tells what it does not know",
    { timeout: 40_000 },
    async () => {
      const env = { HOME: place().home, SANDBOX_AGENT_TOKEN: "t" };
      const { port, child, stop } = await launchDaemon(["--log-level", "off"], { cwd: place().home, env });
      const { pid } = child as { pid: number };
      try {
        const events: ClientEvent[] = [];
        const baseUrl = `http://127.0.0.1:${port}`;
        const agent = await SandboxAgent.connect({ baseUrl, token: "t", onEvent: (event) => events.push(event) });
        const { serverId } = await agent.createSession({ agent: "mock", cwd: "/" });
        process.kill(pid, "SIGSTOP");
        const { ms } = await timed(() => agent.dispose());
        expect(ms).toBeGreaterThan(5_000);
        expect(ms).toBeLessThan(15_000 * timeScale);
        const [told, ...more] = events.filter(({ type }) => type === "error");
        expect(told).toMatchObject({ serverId, error: { code: "connection_lost", hint: expect.stringContaining("stop") } });
        expect(more).toEqual([]);
      } finally {
        process.kill(pid, "SIGCONT");
        await stop();
      }
    },
  );

  test("does not wait longer because stopAgent() does", async () => {
    const env = { HOME: place().home, SANDBOX_AGENT_TOKEN: "t" };
    const { port, child, stop } = await launchDaemon(["--log-level", "off"], { cwd: place().home, env });
    const { pid } = child as { pid: number };
    try {
      const options = { baseUrl: `http://127.0.0.1:${port}`, token: "t", giveUpAfterMs: 3_000 };
      const agent = await SandboxAgent.connect(options);
      const session = await agent.createSession({ agent: "mock", cwd: "/" });
      process.kill(pid, "SIGSTOP");
      let isStopped = false;
      const stopping = session.stopAgent().finally(() => (isStopped = true));
      await agent.dispose();
      expect(isStopped).toBe(false);
      process.kill(pid, "SIGCONT");
      await stopping;
    } finally {
      process.kill(pid, "SIGCONT");
      await stop();
    }
  });

  test("has nothing to do after a createSession() whose signal was aborted before", async () => {
    const methods: unknown[] = [];
    const noting: typeof fetch = (input, init) => (methods.push(init?.method), fetch(input, init));
    const agent = await place().open({ fetch: noting });
    const creating = agent.createSession({ agent: "mock", cwd: "/", signal: AbortSignal.abort() });
    expect(await failureOf(creating)).toMatchObject({ code: "cancelled" });
    await agent.dispose();
    expect(methods).not.toContain("POST");
    expect(methods).not.toContain("DELETE");
  });

  test("while an agent is being started leaves nothing behind", async () => {
    const agent = await place().open();
    const creating = failureOf(agent.createSession({ agent: "mock", cwd: "/" }));
    await agent.dispose();
    await creating;
    await until(async () => (await place().servers()).length === 0, "the end of the process");
  });

  test("of one that never did anything is fine", async () => {
    await (await place().open()).dispose();
  });
});

inBothModes("readers of events and logs", (place) => {
  const readersOf = async (agent: SandboxAgent) => (await agent.instances())[0]?.readers;
  const begun = async (session: Session) => {
    const streams: AsyncGenerator<unknown>[] = [session.events(), session.log({ follow: true })];
    for (const stream of streams) await stream.next();
    return Promise.all(streams.map(lastOf));
  };

  test("end quietly with leave(), and leave no connection behind", async () => {
    const agent = await SandboxAgent.connect(place().access);
    const session = await agent.createSession({ agent: "mock", cwd: "/" });
    const reading = begun(session);
    await until(async () => (await readersOf(agent)) === 3, "the readers");
    await agent.leave();
    await reading;
    await until(async () => (await readersOf(agent)) === 0, "the end of their connections");
    expect(await lastOf(session.events())).toBeUndefined();
    await agent.stop(session.serverId);
  });

  test("that do not go on reading leave no connection behind, either", async () => {
    const agent = await SandboxAgent.connect(place().access);
    const session = await agent.createSession({ agent: "mock", cwd: "/" });
    const stop = new AbortController();
    const streams: AsyncGenerator<unknown>[] = [
      session.events(),
      session.log({ follow: true }),
      session.events({ signal: stop.signal }),
    ];
    await Promise.all([...streams.map((stream) => stream.next()), session.prompt("hello")]);
    expect(await readersOf(agent)).toBe(4);
    stop.abort();
    await until(async () => (await readersOf(agent)) === 3, "the end of the one that was aborted");
    await agent.leave();
    await until(async () => (await readersOf(agent)) === 0, "the end of all connections");
    for (const stream of streams) await lastOf(stream);
    await agent.stop(session.serverId);
  });

  test("may be many of one session", async () => {
    const agent = await SandboxAgent.connect(place().access);
    const session = await agent.createSession({ agent: "mock", cwd: "/" });
    const reading = Promise.all(Array.from({ length: 12 }, () => lastOf(session.events())));
    await until(async () => (await readersOf(agent)) === 13, "the readers");
    await agent.leave();
    await reading;
    await agent.stop(session.serverId);
  });

  test("of an attached session that was closed end with dispose(), too", async () => {
    const mine = await SandboxAgent.connect(place().access);
    const session = await mine.createSession({ agent: "mock", cwd: "/" });
    const agent = await SandboxAgent.connect(place().access);
    const attached = await agent.attachSession(session.handle);
    const reading = begun(attached);
    await until(async () => (await readersOf(mine)) === 4, "the readers");
    await attached.close();
    await until(async () => (await readersOf(mine)) === 3, "the end of the connection that nobody needs");
    await agent.dispose();
    await reading;
    await mine.dispose();
  });

  test("of an attached session end quietly with dispose(), and leave no connection behind", async () => {
    const mine = await SandboxAgent.connect(place().access);
    const session = await mine.createSession({ agent: "mock", cwd: "/" });
    const agent = await SandboxAgent.connect(place().access);
    const reading = begun(await agent.attachSession(session.handle));
    await until(async () => (await readersOf(mine)) === 4, "the readers");
    await agent.dispose();
    await reading;
    await until(async () => (await readersOf(mine)) === 1, "the end of their connections");
    expect((await session.prompt("hello")).stopReason).toBe("end_turn");
    await mine.dispose();
  });
});

describe("a daemon of our own that ends", () => {
  const ended = {
    code: "daemon_ended",
    message: "The daemon has ended with SIGKILL.",
    hint: expect.stringContaining("start()"),
  };

  test("ends what waits for it at once, and so does every call after it", async () => {
    const events: ClientEvent[] = [];
    await using agent = await SandboxAgent.start({ onEvent: (event) => events.push(event) });
    const session = await agent.createSession({ agent: "mock", cwd: "/" });
    const turn = session.prompt("/hang");
    await firstOf(turn, "text");
    const failed = failureOf(turn);
    process.kill((await agent.status()).pid, "SIGKILL");
    const { value, ms } = await timed(() => failed);
    expect(value).toMatchObject(ended);
    expect(ms).toBeLessThan(8_000 * timeScale); // not the 30 s after which a connection is given up
    expect(session.ended).toBe(true);
    expect(events.filter(({ type }) => type === "session_ended")).toHaveLength(1);
    expect(await failureOf(session.prompt("hello"))).toMatchObject(ended);
    expect(await failureOf(agent.createSession({ agent: "mock", cwd: "/" }))).toMatchObject(ended);
    await agent.dispose();
    expect(events.filter(({ type }) => type === "error")).toEqual([]);
  });

  test("ends readers of events and logs at once, whether or not they have a signal of their own", async () => {
    await using agent = await SandboxAgent.start();
    const session = await agent.createSession({ agent: "mock", cwd: "/" });
    await session.prompt("hello");
    const { signal } = new AbortController();
    const streams = [
      session.events(),
      session.events({ signal }),
      session.log({ follow: true }),
      session.log({ follow: true, signal }),
    ];
    let begun = 0;
    const failures = streams.map(async (stream: AsyncGenerator<unknown>) => {
      await stream.next();
      ++begun;
      return failureOf(lastOf(stream));
    });
    await until(() => begun === streams.length, "the first of each");
    process.kill((await agent.status()).pid, "SIGKILL");
    const { value, ms } = await timed(() => Promise.all(failures));
    for (const failure of value) expect(failure).toMatchObject(ended);
    expect(ms).toBeLessThan(8_000 * timeScale); // not the 30 s after which a connection is given up
    for (const stream of [session.events({ signal }), session.log({ follow: true, signal })])
      expect(await failureOf(stream.next())).toMatchObject(ended);
    const stopped = AbortSignal.abort();
    for (const stream of [session.events({ signal: stopped }), session.log({ follow: true, signal: stopped })])
      expect(await lastOf(stream)).toBeUndefined();
  });

  test("took its agents along: nobody asks for their end", async () => {
    const events: ClientEvent[] = [];
    const daemon = await spawnSandboxAgent();
    const { dispose: _, ...access } = daemon;
    const agent = await SandboxAgent.connect({ ...access, onEvent: (event) => events.push(event) });
    const session = await agent.createSession({ agent: "mock", cwd: "/" });
    process.kill(daemon.pid, "SIGKILL");
    await until(() => session.ended);
    await agent.dispose();
    expect(events.filter(({ type }) => type === "error")).toEqual([]);
  });

  test("ends clients that were given all that spawnSandboxAgent() tells, however many", async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on("warning", warn);
    await using daemon = await spawnSandboxAgent();
    const clients = Array.from({ length: 12 }, () => new SandboxAgentClient({ ...daemon, agent: "mock" }));
    await Promise.all(clients.map((client) => client.ready()));
    process.kill(daemon.pid, "SIGKILL");
    const { ms } = await timed(() => until(() => clients.every(({ connected }) => !connected)));
    expect(ms).toBeLessThan(8_000 * timeScale); // not the 30 s after which a connection is given up
    for (const client of clients) expect(await failureOf(client.newSession({ cwd: "/" }))).toMatchObject(ended);
    process.off("warning", warn);
    expect(warnings).toEqual([]);
  });
});

async function lastOf(stream: AsyncIterable<unknown>): Promise<unknown> {
  let last: unknown;
  for await (last of stream);
  return last;
}

inBothModes(
  "processes",
  (place) => {
    test("sessions of an agent share one, and a name of its own gives another", async () => {
      const agent = await SandboxAgent.connect(place().access);
      const make = (serverId?: string) => agent.createSession({ agent: "mock", cwd: "/", ...(serverId && { serverId }) });
      const sessions = await Promise.all([make(), make(), make("one"), make("one"), make("two")]);
      expect(new Set(sessions.map(({ serverId }) => serverId)).size).toBe(3);
      expect(sessions[2]?.serverId).toBe("one");
      expect(await place().servers()).toHaveLength(3);
      await agent.dispose();
      expect(await place().servers()).toEqual([]);
    });

    test("one with a name is started again under it after a crash, once", async () => {
      const agent = await SandboxAgent.connect(place().access);
      const options = { agent: "mock", cwd: "/", serverId: "phoenix" };
      for (let round = 0; round < 3; ++round) {
        const old = await agent.createSession(options);
        expect((await old.prompt("hello")).stopReason).toBe("end_turn");
        await failureOf(old.prompt("/crash"));
        const [next, another] = await Promise.all([agent.createSession(options), agent.createSession(options)]);
        expect((await next.prompt("hello")).stopReason).toBe("end_turn");
        expect((await another.prompt("hello")).stopReason).toBe("end_turn");
        expect(old.ended).toBe(true);
      }
      await agent.dispose();
    });

    test("a name that another agent has is refused, and that agent goes on", async () => {
      const agent = await SandboxAgent.connect(place().access);
      const session = await agent.createSession({ agent: "mock", cwd: "/", serverId: "taken" });
      const other = { agent: "other", cwd: "/", serverId: "taken" };
      expect(await failureOf(agent.createSession(other))).toMatchObject({ status: 409 });
      expect(await failureOf(agent.createSession({ ...other, agent: "nobody" }))).toMatchObject({ name: "AgentNotFoundError" });
      expect((await session.prompt("hello")).stopReason).toBe("end_turn");
      await agent.dispose();
    });

    test("start({ spawn: false }) uses the daemon there is", async () => {
      const agent = await SandboxAgent.start({ spawn: false, ...place().access });
      expect(agent.baseUrl).toBe(place().daemon.baseUrl);
      await agent.dispose();
      expect(isAlive(place().daemon.pid)).toBe(true);
      const { baseUrl } = place().access;
      expect(await failureOf(SandboxAgent.start({ baseUrl }))).toMatchObject({ code: "invalid_option" });
    });

    test("start({ token }) gives the token to the daemon", async () => {
      await using agent = await SandboxAgent.start({ token: "mine" });
      expect(agent.token).toBe("mine");
      expect((await agent.health()).status).toBe("ok");
    });

    test("no name leads elsewhere", async () => {
      const agent = await SandboxAgent.connect(place().access);
      for (const serverId of ["", ".", ".."])
        expect(await failureOf(agent.createSession({ agent: "mock", cwd: "/", serverId }))).toMatchObject({
          code: "invalid_option",
        });
      await agent.dispose();
    });

    test("relative folders are below the daemon's after connect()", async () => {
      const agent = await SandboxAgent.connect(place().access);
      expect((await agent.createSession({ agent: "mock" })).cwd).toBe(place().home);
      await agent.dispose();
    });
  },
  ["--agent", "other=/bin/cat"],
);
