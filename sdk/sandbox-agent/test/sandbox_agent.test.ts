// What the friendly layer has besides sessions and turns: listing, forking, signing in, stopping to wait.
import { expect, test } from "vitest";
import "./guards.js";
import { inBothModes } from "./place.js";
import { eventsOf, failureOf, until } from "./waiting.js";
import { SandboxAgent, type InstallProgress, type SessionHandle } from "../src/index.js";

inBothModes("a SandboxAgent", (place) => {
  test("lists the sessions of an agent, and forks one", async () => {
    const agent = await place().open();
    const session = await agent.createSession({ agent: "mock", cwd: "/", title: "the first" });
    await session.prompt("remember me");
    const fork = await session.fork();
    expect(fork).toMatchObject({ agent: "mock", serverId: session.serverId, cwd: "/" });
    expect(fork.id).not.toBe(session.id);
    expect((await fork.prompt("hello")).stopReason).toBe("end_turn");
    const { sessions } = await agent.listSessions({ agent: "mock" });
    expect(sessions.map(({ sessionId }) => sessionId).sort()).toEqual([fork.id, session.id].sort());
    expect(sessions.find(({ sessionId }) => sessionId === session.id)).toMatchObject({ title: "the first" });
  });

  test("signs in, before a session and in one", async () => {
    const agent = await place().open();
    const [method] = await agent.authMethods("mock");
    expect(method?.id).toBe("demo-login");
    const session = await agent.createSession({ agent: "mock", cwd: "/" });
    expect(await failureOf(session.prompt("/auth"))).toMatchObject({ name: "AuthError", code: "agent_auth_required" });
    await session.authenticate(session.authMethods[0]!.id);
    expect((await session.prompt("/auth")).stopReason).toBe("end_turn");
    await agent.authenticate("mock", method!.id);
  });

  test("tells where its daemon is and what it wants, so that others can join", async () => {
    const agent = await place().open();
    await using other = await SandboxAgent.connect({ baseUrl: agent.baseUrl, token: agent.token });
    expect(await other.health()).toMatchObject({ status: "ok" });
  });

  test("need not be waited for when a session begins", async () => {
    const agent = await place().open();
    const abort = new AbortController();
    const failed = failureOf(agent.createSession({ agent: "mock", cwd: "/", signal: abort.signal }));
    abort.abort();
    expect(await failed).toMatchObject({ name: "CancelledError" });
    expect(await failureOf(agent.createSession({ agent: "mock", cwd: "/", signal: abort.signal }))).toMatchObject({
      name: "CancelledError",
    });
    await until(async () => (await agent.listSessions({ agent: "mock" })).sessions.every(({ metadata }) => metadata.ended));
  });

  test("tells how an installation goes on, and nothing of one that is not needed", async () => {
    const agent = await place().open();
    const told: InstallProgress[] = [];
    const onProgress = (progress: InstallProgress) => told.push(progress);
    const session = await agent.createSession({ agent: "mock", cwd: "/", onProgress });
    expect((await session.prompt("hello")).stopReason).toBe("end_turn");
    expect(told).toEqual([]);
  });

  test("leaves no session behind that could not be as it was wanted", async () => {
    const agent = await place().open();
    expect(await failureOf(agent.createSession({ agent: "mock", cwd: "/", model: "no such model" }))).toMatchObject({
      code: "agent_error",
    });
    const { sessions } = await agent.listSessions({ agent: "mock" });
    expect(sessions.filter(({ metadata }) => !metadata.ended)).toEqual([]);
  });

  test("lets a turn be read once", async () => {
    const session = await (await place().open()).createSession({ agent: "mock", cwd: "/" });
    const turn = session.prompt("hello");
    await eventsOf(turn);
    expect(await failureOf(eventsOf(turn))).toMatchObject({ code: "already_read" });
    expect(session.turn).toBe(turn);
  });
});

inBothModes("a handle", (place) => {
  const copied = (handle: SessionHandle) => JSON.parse(JSON.stringify(handle)) as SessionHandle;

  test("names its turn as soon as prompt() has returned", async () => {
    const agent = await place().open();
    const session = await agent.createSession({ agent: "mock", cwd: "/" });
    const turn = session.prompt("hello");
    const handle = copied(session.handle);
    const { text } = await turn;
    await using other = await SandboxAgent.connect(place().accessOf(agent));
    expect((await (await other.attachSession(handle)).turn)?.text).toBe(text);
  });

  test("of a turn that was never sent rejects instead of waiting", async () => {
    const agent = await place().open();
    const session = await agent.createSession({ agent: "mock", cwd: "/" });
    await using other = await SandboxAgent.connect(place().accessOf(agent));
    const attached = await other.attachSession({ ...copied(session.handle), turn: "never-sent" });
    expect(await failureOf(attached.turn!)).toMatchObject({ code: "answer_lost" });
    expect((await attached.prompt("hello")).stopReason).toBe("end_turn");
  });

  test("carries what is known of the session", async () => {
    const agent = await place().open();
    const session = await agent.createSession({ agent: "mock", cwd: "/", title: "mine", model: "demo-large" });
    await session.prompt("hello");
    await using other = await SandboxAgent.connect(place().accessOf(agent));
    const attached = await other.attachSession(copied(session.handle));
    for (const what of ["title", "modes", "models", "options", "commands"] as const)
      expect(attached[what]).toEqual(session[what]);
    expect(attached.metadata).toMatchObject({ model: "demo-large", createdAt: session.metadata.createdAt });
    await attached.close(); // it knows that this agent can close sessions
    expect(await failureOf(session.prompt("hello"))).toMatchObject({ code: "agent_error" });
  });

  test("of a process that was replaced is refused", async () => {
    const agent = await place().open();
    const session = await agent.createSession({ agent: "mock", cwd: "/", serverId: "a-name" });
    const handle = copied(session.handle);
    await session.stopAgent();
    const again = await agent.createSession({ agent: "mock", cwd: "/", serverId: "a-name" });
    await using other = await SandboxAgent.connect(place().accessOf(agent));
    expect(await failureOf(other.attachSession(handle))).toMatchObject({ code: "instance_replaced" });
    expect((await again.prompt("hello")).stopReason).toBe("end_turn");
  });
});

test.each([undefined, "later"])("ready() tells why calls cannot be made (%s)", async (when) => {
  const { SandboxAgentClient } = await import("../src/index.js");
  const client = new SandboxAgentClient({ baseUrl: "http://127.0.0.1:9", agent: "mock", autoConnect: when === undefined });
  expect(await failureOf(client.ready())).toMatchObject({ code: when === undefined ? "unreachable" : "not_connected" });
});
