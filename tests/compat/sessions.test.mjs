// Sessions of the published SDK: created, found again, resumed by another client, many over one connection, their events.
import assert from "node:assert/strict";
import { test } from "node:test";
import { InMemorySessionPersistDriver, SandboxAgentError } from "published-sandbox-agent";
import { AcpRpcError } from "published-acp-http-client";
import { until } from "../install/waiting.mjs";
import { listen, makeScene, words } from "./scene.mjs";

test("a prompt is answered, and its events are heard in order", async (t) => {
  const scene = await makeScene(t);
  const client = await scene.connect();
  const session = await client.createSession({ agent: "mock", cwd: scene.project });
  assert.equal(session.agent, "mock");
  const heard = listen(session);
  assert.deepEqual(await session.prompt(words("good morning")), { stopReason: "end_turn" });
  await heard.hears('You said: "good morning"');
  await until("the answer is heard", () => heard.events.some((event) => event.payload.result?.stopReason === "end_turn"));
  const prompt = heard.events.find((event) => event.payload.method === "session/prompt");
  assert.equal(prompt.sender, "client");
  assert.equal(prompt.payload.params.sessionId, session.agentSessionId);
  const numbers = heard.events.map((event) => event.eventIndex);
  assert.deepEqual(numbers, numbers.map((_, i) => numbers[0] + i), "no event is missing and none came twice");
  const kept = await client.getEvents({ sessionId: session.id, limit: 100 });
  assert.deepEqual(kept.items.slice(-numbers.length), heard.events);
});

test("a listener that has gone hears nothing more", async (t) => {
  const scene = await makeScene(t);
  const client = await scene.connect();
  const session = await client.createSession({ agent: "mock", cwd: scene.project });
  const early = [];
  const leave = session.onEvent((event) => early.push(event));
  leave();
  const heard = listen(session);
  await session.prompt(words("anyone?"));
  await heard.hears("anyone?");
  assert.deepEqual(early, []);
});

test("a burst of 5,000 updates arrives whole and in order", async (t) => {
  const scene = await makeScene(t);
  const client = await scene.connect();
  const session = await client.createSession({ agent: "mock", cwd: scene.project });
  const heard = listen(session);
  assert.deepEqual(await session.prompt(words("/flood 5000")), { stopReason: "end_turn" });
  await until("the last token is heard", () => heard.kind("agent_message_chunk").length >= 5000, 20_000);
  assert.equal(heard.text(), Array.from({ length: 5000 }, (_, i) => `token ${i + 1} `).join(""));
});

test("plans, thoughts, tool calls, pictures and commands are heard as they are", async (t) => {
  const scene = await makeScene(t);
  const client = await scene.connect();
  const session = await client.createSession({ agent: "mock", cwd: scene.project });
  const heard = listen(session);
  const scenes = {
    "/plan": "plan",
    "/think": "agent_thought_chunk",
    "/edit": "tool_call",
    "/tool": "tool_call_update",
    "/commands": "available_commands_update",
  };
  for (const [prompt, kind] of Object.entries(scenes)) {
    const before = heard.kind(kind).length;
    assert.equal((await session.prompt(words(prompt))).stopReason, "end_turn", prompt);
    await until(`${kind} is heard`, () => heard.kind(kind).length > before);
  }
  await session.prompt(words("/image"));
  await until("a picture is heard", () => heard.kind("agent_message_chunk").some(({ content }) => content.type === "image"));
});

test("several sessions share one connection and do not hear each other", async (t) => {
  const scene = await makeScene(t);
  const client = await scene.connect();
  const names = ["ada", "bob", "cyd", "dan"];
  const sessions = await Promise.all(names.map((id) => client.createSession({ id, agent: "mock", cwd: scene.project })));
  const heard = sessions.map(listen);
  const ends = await Promise.all(sessions.map((session) => session.prompt(words(`I am ${session.id}`))));
  assert.deepEqual(ends.map((end) => end.stopReason), names.map(() => "end_turn"));
  for (const [i, name] of names.entries()) {
    await heard[i].hears(`I am ${name}`);
    const others = names.filter((other) => other !== name && heard[i].text().includes(`I am ${other}`));
    assert.deepEqual(others, [], `${name} hears only itself`);
  }
  assert.equal(new Set(sessions.map((session) => session.agentSessionId)).size, names.length);
  const { servers } = await client.listAcpServers();
  assert.deepEqual(servers.map(({ agent, status }) => ({ agent, status })), [{ agent: "mock", status: "running" }]);
  assert.match(servers[0].serverId, /^sdk-mock-/);
  const { items } = await client.listSessions();
  assert.deepEqual(items.map((session) => session.id).sort(), names);
});

test("a session is found again while its connection lives", async (t) => {
  const scene = await makeScene(t);
  const client = await scene.connect();
  const request = { id: "mine", agent: "mock", cwd: scene.project };
  const created = await client.resumeOrCreateSession(request);
  const inside = created.agentSessionId;
  assert.equal(await client.resumeOrCreateSession(request), created);
  assert.equal(await client.resumeSession("mine"), created);
  assert.equal(await client.getSession("mine"), created);
  assert.equal(created.agentSessionId, inside, "the agent was not asked for another");
  await assert.rejects(client.resumeSession("nobody's"), /session 'nobody's' not found/);
});

test("a session is resumed by another client with what was said before", async (t) => {
  const scene = await makeScene(t);
  const persist = new InMemorySessionPersistDriver();
  const first = await scene.connect({ persist });
  const session = await first.createSession({ id: "long", agent: "mock", cwd: scene.project });
  const before = listen(session);
  await session.prompt(words("remember the blue door"));
  await before.hears("remember the blue door");
  assert.equal(scene.agents().length, 1);
  await first.dispose();
  await until("the first client's agent is gone", () => scene.agents().length === 0);

  const second = await scene.connect({ persist });
  const resumed = await second.resumeOrCreateSession({ id: "long", agent: "mock", cwd: "/nowhere" });
  assert.notEqual(resumed.lastConnectionId, before.events[0].connectionId);
  const heard = listen(resumed);
  assert.equal((await resumed.prompt(words("what door?"))).stopReason, "end_turn");
  await heard.hears("what door?");
  assert.match(heard.text(), /history is replayed below[^]*remember the blue door/, "the agent was told again");
});

test("an agent's own errors reject the call with their code, and the session goes on", async (t) => {
  const scene = await makeScene(t);
  const client = await scene.connect();
  const session = await client.createSession({ agent: "mock", cwd: scene.project });
  const failure = await session.prompt(words("/error")).catch((error) => error);
  assert.ok(!(failure instanceof SandboxAgentError), "HTTP had no part in it");
  assert.equal(failure.name, AcpRpcError.name);
  assert.equal(failure.code, -32603);
  assert.deepEqual(failure.data, { hint: "Nothing is broken: the next prompt works." });
  await assert.rejects(session.rawSend("_nobody/knows", {}), { code: -32601 });
  await assert.rejects(client.createSession({ agent: "mock", cwd: "relative" }), { code: -32602 });
  const { sessions } = await session.rawSend("session/list", {});
  assert.deepEqual(sessions.map(({ sessionId }) => sessionId), [session.agentSessionId]);
  assert.equal((await session.prompt(words("still there?"))).stopReason, "end_turn");
});
