// What a user decides through the published SDK: permissions, modes, models, options, and the end of a turn.
import assert from "node:assert/strict";
import { test } from "node:test";
import { UnsupportedSessionConfigOptionError, UnsupportedSessionValueError } from "published-sandbox-agent";
import { until } from "../install/waiting.mjs";
import { listen, makeScene, words } from "./scene.mjs";

async function sessionIn(scene, more = {}) {
  const client = await scene.connect();
  const session = await client.createSession({ agent: "mock", cwd: scene.project, ...more });
  return { client, session, heard: listen(session) };
}

const current = (options, id) => options.find((option) => option.id === id).currentValue;

for (const [reply, said, status] of [
  ["once", "You chose: Allow once. A real agent would have run", "completed"],
  ["always", "You chose: Always allow. A real agent would have run", "completed"],
  ["reject", "You chose: Reject. The command was not run.", "failed"],
]) {
  test(`a permission request that is answered with ${reply} reaches the agent as that`, async (t) => {
    const scene = await makeScene(t);
    const { session, heard } = await sessionIn(scene);
    const requests = [];
    session.onPermissionRequest((request) => {
      requests.push(request);
      void session.respondPermission(request.id, reply);
    });
    assert.deepEqual(await session.prompt(words("/permission")), { stopReason: "end_turn" });
    await heard.hears(said);
    assert.equal(requests.length, 1);
    assert.equal(requests[0].sessionId, session.id);
    assert.equal(requests[0].toolCall.title, "make clean");
    assert.deepEqual(requests[0].availableReplies, ["once", "always", "reject"]);
    assert.equal(heard.kind("tool_call_update").at(-1).status, status);
    await assert.rejects(session.respondPermission(requests[0].id, reply), /not found/, "it was answered already");
  });
}

test("a permission request is answered later, from elsewhere, with an option of the agent's own", async (t) => {
  const scene = await makeScene(t);
  const { client, session, heard } = await sessionIn(scene);
  const other = await client.createSession({ agent: "mock", cwd: scene.project });
  let request;
  session.onPermissionRequest((asked) => (request = asked));
  const turn = session.prompt(words("/ask"));
  await until("the question came", () => request);
  assert.equal((await other.prompt(words("meanwhile"))).stopReason, "end_turn", "a question of one session holds no other up");
  const { servers } = await client.listAcpServers();
  assert.deepEqual(servers.map(({ pendingRequests, openAgentRequests }) => [pendingRequests, openAgentRequests]), [[1, 1]]);
  await session.rawRespondPermission(request.id, { outcome: { outcome: "selected", optionId: "green" } });
  assert.equal((await turn).stopReason, "end_turn");
  await heard.hears("Your answer: Green.");
});

test("without anybody to ask, a permission request is cancelled and so is its turn", async (t) => {
  const scene = await makeScene(t);
  const { session } = await sessionIn(scene);
  assert.deepEqual(await session.prompt(words("/permission")), { stopReason: "cancelled" });
});

test("modes, models and thought levels are chosen when a session is created", async (t) => {
  const scene = await makeScene(t);
  const { session, heard } = await sessionIn(scene, { mode: "auto", model: "demo-large", thoughtLevel: "off" });
  const options = await session.getConfigOptions();
  assert.deepEqual(["mode", "model", "thought_level"].map((id) => current(options, id)), ["auto", "demo-large", "off"]);
  await session.prompt(words("/permission"));
  await heard.hears("In auto mode I do not ask.");
  await until("the size of the model is heard", () => heard.kind("usage_update").some(({ size }) => size === 200_000));
});

test("modes and options change later, and the agent acts on them", async (t) => {
  const scene = await makeScene(t);
  const { session, heard } = await sessionIn(scene);
  const modes = await session.getModes();
  assert.equal(modes.currentModeId, "ask");
  assert.deepEqual(modes.availableModes.map((mode) => mode.id), ["ask", "auto", "plan"]);
  await session.setMode("plan");
  assert.equal((await session.getModes()).currentModeId, "plan");
  await session.prompt(words("/permission"));
  await heard.hears("In plan mode I run nothing.");
  assert.equal(heard.kind("current_mode_update").at(-1).currentModeId, "plan");

  const { configOptions } = await session.setModel("demo-large");
  assert.equal(current(configOptions, "model"), "demo-large");
  await session.setThoughtLevel("long");
  await session.prompt(words("/think"));
  await until("three thoughts are heard", () => heard.kind("agent_thought_chunk").length === 3);
  await session.setConfigOption("thought_level", "off");
  assert.equal(current(await session.getConfigOptions(), "thought_level"), "off");
  await session.setConfigOption("mode", "auto");
  assert.equal((await session.getModes()).currentModeId, "auto");
});

test("a value or an option that does not exist is refused", async (t) => {
  const scene = await makeScene(t);
  const { client, session } = await sessionIn(scene);
  await assert.rejects(session.setMode("yolo"), UnsupportedSessionValueError);
  await assert.rejects(session.setModel("demo-huge"), UnsupportedSessionValueError);
  await assert.rejects(session.setConfigOption("colour", "green"), UnsupportedSessionConfigOptionError);
  await assert.rejects(session.rawSend("session/set_mode", { modeId: "yolo" }), { code: -32602 });
  await assert.rejects(client.createSession({ agent: "mock", cwd: scene.project, mode: "yolo" }), UnsupportedSessionValueError);
});

test("destroying a session cancels its turn at once", async (t) => {
  const scene = await makeScene(t);
  const { client, session, heard } = await sessionIn(scene);
  const turn = session.prompt(words("/slow 1000"));
  await heard.hears("step 2 of 1000");
  const destroyed = await client.destroySession(session.id);
  assert.ok(destroyed.destroyedAt > 0);
  assert.deepEqual(await turn, { stopReason: "cancelled" });
  await assert.rejects(session.rawSend("session/cancel"), /Use destroySession/);
});

test("destroying a session withdraws the question it waits for", async (t) => {
  const scene = await makeScene(t);
  const { client, session } = await sessionIn(scene);
  let request;
  session.onPermissionRequest((asked) => (request = asked));
  const turn = session.prompt(words("/permission"));
  await until("the question came", () => request);
  await client.destroySession(session.id);
  assert.deepEqual(await turn, { stopReason: "cancelled" });
  await assert.rejects(session.respondPermission(request.id, "once"), /not found/);
});
