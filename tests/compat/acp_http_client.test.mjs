// The published acp-http-client by itself: one ACP connection over our daemon.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AcpRpcError, PROTOCOL_VERSION } from "published-acp-http-client";
import { until } from "../install/waiting.mjs";
import { heardIn, makeScene, words } from "./scene.mjs";

// A connection whose updates, notifications and messages are kept.
function connectionIn(scene, { client, ...options } = {}) {
  const updates = [];
  const notifications = [];
  const messages = [];
  const acp = scene.acp("raw", {
    client: {
      sessionUpdate: async (notification) => void updates.push(notification.update),
      extNotification: async (method, params) => void notifications.push({ method, params }),
      ...client,
    },
    onEnvelope: (message, direction) => messages.push({ message, direction }),
    ...options,
  });
  return { acp, notifications, messages, heard: heardIn(() => updates) };
}

async function sessionOf(acp, scene, capabilities) {
  await acp.initialize(capabilities ? { clientCapabilities: capabilities } : {});
  return (await acp.newSession({ cwd: scene.project, mcpServers: [] })).sessionId;
}

const servers = async (scene) => (await (await scene.connect()).listAcpServers()).servers;

test("a connection is made, prompts, and its end removes the agent", async (t) => {
  const scene = await makeScene(t);
  const { acp, heard, messages } = connectionIn(scene);
  const hello = await acp.initialize();
  assert.equal(hello.protocolVersion, PROTOCOL_VERSION);
  assert.equal(hello.agentInfo.name, "mock");
  const { sessionId, modes } = await acp.newSession({ cwd: scene.project, mcpServers: [] });
  assert.equal(modes.currentModeId, "ask");
  assert.deepEqual(await acp.prompt({ sessionId, prompt: words("good evening") }), { stopReason: "end_turn" });
  await heard.hears('You said: "good evening"');
  const answers = messages.filter(({ message, direction }) => direction === "inbound" && "result" in message);
  const ids = answers.map(({ message }) => message.id);
  assert.deepEqual(ids, [...new Set(ids)], "an answer that comes twice is given once");

  const listed = (await servers(scene)).map(({ serverId, agent, status }) => [serverId, agent, status]);
  assert.deepEqual(listed, [["raw", "mock", "running"]]);
  assert.equal(scene.agents().length, 1);
  await acp.disconnect();
  await acp.closed;
  assert.equal(acp.signal.aborted, true);
  assert.deepEqual(scene.agents(), []);
  assert.deepEqual(await servers(scene), []);
});

test("every update of a burst is handed over, in order", async (t) => {
  const scene = await makeScene(t);
  const { acp, heard } = connectionIn(scene);
  const sessionId = await sessionOf(acp, scene);
  await acp.prompt({ sessionId, prompt: words("/flood 3000") });
  await until("the last token is heard", () => heard.kind("agent_message_chunk").length >= 3000, 20_000);
  assert.equal(heard.text(), Array.from({ length: 3000 }, (_, i) => `token ${i + 1} `).join(""));
});

test("sessions are listed, loaded, resumed and forked", async (t) => {
  const scene = await makeScene(t);
  const { acp, heard } = connectionIn(scene);
  const sessionId = await sessionOf(acp, scene);
  await acp.prompt({ sessionId, prompt: words("once upon a time") });
  await heard.hears("once upon a time");
  const { sessions } = await acp.listSessions({});
  assert.deepEqual(sessions.map((session) => [session.sessionId, session.title]), [[sessionId, "once upon a time"]]);
  const again = { sessionId, cwd: scene.project, mcpServers: [] };
  await acp.loadSession(again);
  await until("the conversation is told again", () => heard.text().split("once upon a time").length === 3);
  await acp.unstableResumeSession(again);
  const fork = await acp.unstableForkSession(again);
  assert.notEqual(fork.sessionId, sessionId);
  assert.equal((await acp.prompt({ sessionId: fork.sessionId, prompt: words("and then") })).stopReason, "end_turn");
});

test("modes and options are set, and cancel ends a turn", async (t) => {
  const scene = await makeScene(t);
  const { acp, heard } = connectionIn(scene);
  const sessionId = await sessionOf(acp, scene);
  await acp.setSessionMode({ sessionId, modeId: "plan" });
  await until("the mode is heard", () => heard.kind("current_mode_update").at(-1)?.currentModeId === "plan");
  const { configOptions } = await acp.setSessionConfigOption({ sessionId, configId: "model", value: "demo-large" });
  assert.equal(configOptions.find(({ id }) => id === "model").currentValue, "demo-large");
  const turn = acp.prompt({ sessionId, prompt: words("/slow 1000") });
  await heard.hears("step 2 of 1000");
  await acp.cancel({ sessionId });
  assert.deepEqual(await turn, { stopReason: "cancelled" });
});

test("an agent's error is an AcpRpcError; one that wants a login gets it", async (t) => {
  const scene = await makeScene(t);
  const { acp, heard } = connectionIn(scene);
  const sessionId = await sessionOf(acp, scene);
  const failure = await acp.prompt({ sessionId, prompt: words("/auth") }).catch((error) => error);
  assert.ok(failure instanceof AcpRpcError);
  assert.equal(failure.code, -32000);
  const [method] = failure.data.authMethods;
  await acp.authenticate({ methodId: method.id });
  await acp.prompt({ sessionId, prompt: words("/auth") });
  await heard.hears("You are logged in.");
});

test("methods and notifications of others go through, and change nothing", async (t) => {
  const scene = await makeScene(t);
  const { acp } = connectionIn(scene);
  const sessionId = await sessionOf(acp, scene);
  await assert.rejects(acp.extMethod("_acme/anything", { sessionId }), { name: "AcpRpcError", code: -32601 });
  await assert.rejects(acp.unstableSetSessionModel({ sessionId, modelId: "x" }), { name: "AcpRpcError", code: -32601 });
  await acp.extNotification("_acme/told", { sessionId, big: 12345678901234 });
  const listed = await acp.extMethod("session/list", {});
  assert.equal(listed.sessions[0].sessionId, sessionId);
  assert.equal((await acp.prompt({ sessionId, prompt: words("still there?") })).stopReason, "end_turn");
});

test("the agent's requests are answered: permission, files, a terminal", async (t) => {
  const scene = await makeScene(t);
  const files = new Map();
  const calls = [];
  const terminal = (name, answer) => async (params) => (calls.push(name), assert.equal(params.terminalId, "t-1"), answer);
  const { acp, heard } = connectionIn(scene, {
    client: {
      requestPermission: async ({ options }) => ({ outcome: { outcome: "selected", optionId: options.at(-1).optionId } }),
      writeTextFile: async ({ path, content }) => (files.set(path, content), {}),
      readTextFile: async ({ path }) => ({ content: files.get(path) }),
      createTerminal: async () => (calls.push("create"), { terminalId: "t-1" }),
      waitForTerminalExit: terminal("wait", { exitCode: 0 }),
      terminalOutput: terminal("output", { output: "Hello\n", truncated: false }),
      releaseTerminal: terminal("release", {}),
    },
  });
  const sessionId = await sessionOf(acp, scene, { fs: { readTextFile: true, writeTextFile: true }, terminal: true });
  await acp.prompt({ sessionId, prompt: words("/permission") });
  await heard.hears("You chose: Reject. The command was not run.");
  await acp.prompt({ sessionId, prompt: words("/fs") });
  await heard.hears("I read 65 bytes from");
  assert.deepEqual([...files.keys()], [`${scene.project}/sandbox-agent-demo.txt`]);
  await acp.prompt({ sessionId, prompt: words("/terminal") });
  await heard.hears("It ended with exit code 0 and said:\nHello");
  await until("the terminal is given back", () => calls.includes("release"));
  assert.deepEqual(calls, ["create", "wait", "output", "release"]);
});

test("an agent that dies between two turns is told as a notification", async (t) => {
  const scene = await makeScene(t);
  const { acp, notifications, heard } = connectionIn(scene);
  const sessionId = await sessionOf(acp, scene);
  await acp.prompt({ sessionId, prompt: words("hello") });
  await heard.hears("You said");
  const [agent] = scene.agents();
  process.kill(agent.pid, "SIGKILL");
  await until("it is told", () => notifications.length > 0);
  assert.equal(notifications[0].method, "_adapter/agent_exited");
  assert.deepEqual(notifications[0].params, { success: false, code: null, signal: "SIGKILL" });
  await acp.disconnect();
  assert.deepEqual(await servers(scene), []);
});
