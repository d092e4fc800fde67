// usage: node demo_agent.test.mjs <sandbox-agent binary>
import assert from "node:assert/strict";
import nodeTest, { afterEach } from "node:test";
import { AgentProcess, endAll, everything, nothing } from "./agent_process.mjs";
import { agentMethods, problemsOf } from "./schema_check.mjs";

const binary = process.argv[2];
assert.ok(binary, "usage: node demo_agent.test.mjs <sandbox-agent binary>");

const test = (sentence, body) => nodeTest(sentence, { timeout: 20_000 }, body);
afterEach(endAll);

const permission = "session/request_permission";

// One row per scene: the prompt, what must be seen on the way (in this order, among other things), and how it ends (a stop
// reason or an error code). `without`: what is seen instead when the client offers nothing.
const scenes = {
  plan: { sees: ["plan", "plan", "plan"] },
  edit: { sees: ["tool_call", "tool_call_update", "tool_call_update"] },
  permission: { sees: ["tool_call", permission, "tool_call_update"] },
  ask: { sees: ["elicitation/create"], without: [permission] },
  slow: { text: "/slow 2", sees: ["agent_message_chunk", "agent_message_chunk"] },
  error: { sees: [], ends: -32603 },
  auth: { sees: [], ends: -32000 },
  crash: { exits: 7 },
  hang: { sees: ["agent_message_chunk"], hangs: true },
  flood: { text: "/flood 500", sees: Array(500).fill("agent_message_chunk") },
  markdown: { sees: ["agent_message_chunk"] },
  image: { sees: ["agent_message_chunk"] },
  commands: { sees: ["available_commands_update"] },
  think: { sees: ["agent_thought_chunk", "agent_message_chunk"] },
  tool: { sees: ["tool_call", "tool_call_update", "tool_call", "tool_call_update"] },
  fs: { sees: ["fs/write_text_file", "fs/read_text_file"], without: ["agent_message_chunk"] },
  terminal: {
    sees: ["terminal/create", "tool_call_update", "terminal/wait_for_exit", "terminal/output", "terminal/release"],
    without: ["agent_message_chunk"],
  },
  bonus: { sees: ["agent_message_chunk"] },
};

function assertSees(seen, expected) {
  let position = 0;
  for (const thing of seen) if (thing === expected[position]) ++position;
  assert.equal(position, expected.length, `${expected[position]} is missing in ${seen}`);
}

async function playScene(name, { text = `/${name}`, sees = [], ends = "end_turn", hangs, exits }, agent) {
  const sessionId = await agent.session();
  const turn = agent.prompt(sessionId, text);
  if (exits !== undefined) {
    await agent.finish(exits);
    assert.notEqual(agent.stderr, "");
    return;
  }
  if (hangs) {
    await agent.when(({ params }) => params?.sessionId === sessionId && params.update?.sessionUpdate === "agent_message_chunk");
    agent.notify("session/cancel", { sessionId });
    agent.notify("$/cancel_request", { requestId: "nobody" });
    await agent.result("session/close", { sessionId });
    ends = "cancelled";
  }
  const { result, error } = await turn;
  assert.equal(result?.stopReason ?? error.code, ends, `the end of ${text}`);
  assertSees(agent.sightings(sessionId), [...sees, "usage_update"]);
}

// The scenes the agent itself lists, the one that /commands adds included.
async function listedScenes() {
  const agent = new AgentProcess(binary);
  await agent.open();
  const sessionId = await agent.session();
  await agent.prompt(sessionId, "/commands");
  const updates = agent.heard.filter(({ params }) => params?.update?.sessionUpdate === "available_commands_update");
  assert.equal(updates.length, 2);
  await agent.finish();
  return updates[1].params.update.availableCommands.map(({ name }) => name);
}

test("the judge finds what is wrong", () => {
  const update = (update) => ({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
  const chunk = (content) => update({ sessionUpdate: "agent_message_chunk", content });
  const call = { sessionUpdate: "tool_call", toolCallId: "c", title: "t" };
  const bold = { type: "content", content: { type: "text", text: "x", bold: true } };
  const done = (more) => ({ jsonrpc: "2.0", id: 1, result: { stopReason: "end_turn", ...more } });
  const good = [
    [chunk({ type: "text", text: "x" })],
    [chunk({ type: "text", text: "x", _meta: { anything: { goes: 1 } } })],
    [update({ ...call, rawInput: { anything: [1] }, rawOutput: "x" })],
    [done(), "session/prompt"],
    [{ jsonrpc: "2.0", id: "a", error: { code: -32603, message: "m", data: { anything: 1 } } }, "session/prompt"],
  ];
  for (const [message, answers] of good) assert.deepEqual(problemsOf(message, answers), [], JSON.stringify(message));

  const bad = {
    "a missing member": [chunk({ type: "text" })],
    "a wrong type": [chunk({ type: "text", text: 1 })],
    "a word that is none": [update({ ...call, status: "done" })],
    "an unknown update": [update({ sessionUpdate: "agent_song_chunk", content: { type: "text", text: "x" } })],
    "an unknown member of an update": [update({ ...call, colour: "red" })],
    "an unknown member deep inside": [update({ ...call, content: [bold] })],
    "an unknown member of an item": [update({ ...call, locations: [{ path: "/a", column: 1 }] })],
    "a number out of range": [update({ sessionUpdate: "usage_update", used: -1, size: 1 })],
    "an unknown member of a result": [done({ mood: "good" }), "session/prompt"],
    "a result of another method": [done(), "session/new"],
    "a result nobody asked for": [{ jsonrpc: "2.0", id: 1, result: {} }],
    "an unstable member": [done({ usage: { totalTokens: 1, inputTokens: 1, outputTokens: 0 } }), "session/prompt"],
    "an error without message": [{ jsonrpc: "2.0", id: 1, error: { code: -32603 } }, "session/prompt"],
    "an unknown member of an error": [{ jsonrpc: "2.0", id: 1, error: { code: 1, message: "m", why: "x" } }, "session/prompt"],
    "an unknown notification": [{ jsonrpc: "2.0", method: "session/gossip", params: {} }],
    "a notification sent as a request": [{ ...chunk({ type: "text", text: "x" }), id: 1 }],
    "an unknown member of the envelope": [{ jsonrpc: "2.0", id: 1, result: {}, time: 1 }, "logout"],
    "no version": [{ id: 1, result: {} }, "logout"],
    "a fractional id": [{ jsonrpc: "2.0", id: 1.5, result: {} }, "logout"],
    "no object": [[]],
  };
  for (const [what, [message, answers]] of Object.entries(bad)) assert.notDeepEqual(problemsOf(message, answers), [], what);
});

test("every scene the agent lists is in the table, and no other", async () => {
  assert.deepEqual((await listedScenes()).sort(), Object.keys(scenes).sort());
});

for (const [offer, capabilities] of Object.entries({ everything, nothing })) {
  test(`every scene keeps to the schema with a client that offers ${offer}`, async () => {
    const agent = new AgentProcess(binary);
    await agent.open(capabilities);
    const others = Object.entries(scenes).filter(([, { exits }]) => exits === undefined);
    await Promise.all(others.map(([name, scene]) =>
      playScene(name, offer === "nothing" && scene.without ? { ...scene, sees: scene.without } : scene, agent)));
    await agent.finish();
  });
}

test("a scene that ends the process keeps to the schema until then", async () => {
  for (const [name, scene] of Object.entries(scenes).filter(([, { exits }]) => exits !== undefined)) {
    const agent = new AgentProcess(binary);
    await agent.open();
    await playScene(name, scene, agent);
  }
});

test("every scene that waits for the client keeps to the schema when it is cancelled in either way", async () => {
  const asking = [permission, "elicitation/create", "fs/write_text_file", "terminal/create", "terminal/wait_for_exit"];
  const silence = Object.fromEntries(asking.map((method) => [method, "silence"]));
  const lent = { ...silence, "terminal/create": { terminalId: "t-1" } };
  for (const [capabilities, answers] of [[everything, silence], [everything, lent], [nothing, silence]]) {
    const agent = new AgentProcess(binary, answers);
    await agent.open(capabilities);
    for (const text of ["/permission", "/ask", ...(capabilities === everything ? ["/fs", "/terminal"] : [])]) {
      for (const end of ["cancelled", -32800]) {
        const sessionId = await agent.session();
        const requestId = `${text} ${end}`;
        const turn = agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] }, requestId);
        const question = await agent.when(({ id, method, params }) =>
          id !== undefined && params?.sessionId === sessionId && agent.answers[method] === "silence");
        if (end === "cancelled") agent.notify("session/cancel", { sessionId });
        else agent.notify("$/cancel_request", { requestId });
        const { result, error } = await turn;
        assert.equal(result?.stopReason ?? error.code, end, requestId);
        await agent.when(({ method, params }) => method === "$/cancel_request" && params.requestId === question.id);
      }
    }
    await agent.finish();
  }
});

test("every scene that asks the client keeps to the schema when the client says no", async () => {
  const no = new Error("the client says no");
  const reject = { outcome: { outcome: "cancelled" } };
  for (const answers of [
    { [permission]: no, "elicitation/create": no, "fs/write_text_file": no, "terminal/create": no },
    { [permission]: reject, "elicitation/create": { action: "decline" }, "fs/read_text_file": no, "terminal/output": no },
    { [permission]: reject, "elicitation/create": { action: "cancel" }, "terminal/wait_for_exit": no },
  ]) {
    const agent = new AgentProcess(binary, answers);
    await agent.open();
    for (const text of ["/permission", "/ask", "/fs", "/terminal"]) {
      assert.ok((await agent.prompt(await agent.session(), text)).result, text);
    }
    await agent.finish();
  }
});

test("every method keeps to the schema, and what initialize claims is there", async () => {
  const agent = new AgentProcess(binary);
  await agent.open();
  const { agentCapabilities, authMethods } = agent.heard[0].result;
  await agent.result("authenticate", { methodId: authMethods[0].id });
  const sessionId = await agent.session("/tmp");
  assert.equal((await agent.prompt(sessionId, "/auth")).result.stopReason, "end_turn");
  await agent.result("logout", {});
  assert.equal((await agent.prompt(sessionId, "/auth")).error.code, -32000);

  const image = { type: "image", data: "AA==", mimeType: "image/png" };
  const resource = { type: "resource", resource: { uri: "file:///a", text: "b" } };
  const link = { type: "resource_link", name: "a", uri: "file:///a" };
  const audio = { type: "audio", data: "AA==", mimeType: "audio/wav" };
  await agent.prompt(sessionId, "hello", image, resource, link, audio);
  for (const text of ["/tool", "/plan", "/edit", "/image", "/think", "/ask", "/terminal"]) await agent.prompt(sessionId, text);

  for (const modeId of ["auto", "plan", "ask"]) await agent.result("session/set_mode", { sessionId, modeId });
  for (const { id, options } of agent.heard.findLast(({ params }) => params?.update?.configOptions).params.update.configOptions) {
    for (const { value } of options) {
      const { configOptions } = await agent.result("session/set_config_option", { sessionId, configId: id, value });
      assert.equal(configOptions.find((option) => option.id === id).currentValue, value);
    }
  }
  const again = { sessionId, cwd: "/tmp", mcpServers: [] };
  const before = agent.heard.length;
  await agent.result("session/load", again);
  assert.ok(agent.heard.length > before + 30, "load replays");
  await agent.result("session/resume", again);
  const fork = await agent.result("session/fork", again);
  await agent.result("session/close", { sessionId: fork.sessionId });
  for (let i = 0; i < 60; ++i) await agent.session("/many");
  const first = await agent.result("session/list", { cwd: "/many" });
  const second = await agent.result("session/list", { cwd: "/many", cursor: first.nextCursor });
  assert.equal(first.sessions.length + second.sessions.length, 60);
  assert.equal((await agent.result("session/list", {})).sessions.length, 50);
  await agent.result("session/delete", { sessionId });

  for (const method of [...agentMethods, "session/fork"]) assert.ok(agent.answered.has(method), `${method} was not played`);
  assert.equal(agentCapabilities.loadSession, true);
  for (const name of Object.keys(agentCapabilities.sessionCapabilities)) assert.ok(agent.answered.has(`session/${name}`), name);
  await agent.finish();
});

test("every refusal keeps to the schema", async () => {
  const agent = new AgentProcess(binary);
  await agent.open();
  const sessionId = await agent.session();
  const code = async (method, params) => (await agent.request(method, params)).error.code;
  const nobody = { sessionId: "demo-99", cwd: "/", mcpServers: [] };
  for (const method of ["session/load", "session/resume", "session/fork"]) {
    assert.equal(await code(method, nobody), -32002, method);
  }
  assert.equal(await code("session/close", { sessionId: "demo-99" }), -32002);
  assert.equal(await code("session/prompt", { sessionId: "demo-99", prompt: [] }), -32002);
  assert.equal(await code("session/set_mode", { sessionId, modeId: "x" }), -32602);
  assert.equal(await code("session/set_config_option", { sessionId, configId: "x", value: "x" }), -32602);
  assert.equal(await code("session/new", { cwd: "here", mcpServers: [] }), -32602);
  assert.equal(await code("session/list", { cursor: "x" }), -32602);
  assert.equal(await code("authenticate", { methodId: "x" }), -32602);
  assert.equal(await code("auth/status", {}), -32601);

  const turn = agent.prompt(sessionId, "/slow");
  assert.equal(await code("session/prompt", { sessionId, prompt: [] }), -32600);
  assert.equal(await code("session/load", { sessionId, cwd: "/", mcpServers: [] }), -32600);
  agent.notify("session/cancel", { sessionId });
  assert.equal((await turn).result.stopReason, "cancelled");
  const deep = "[".repeat(5_000) + "]".repeat(5_000);
  for (const [line, expected, id] of [
    ["{", -32700],
    ["[]", -32600],
    ['{"jsonrpc":"2.0","id":500,"method":7}', -32600, 500],
    ['{"jsonrpc":"2.0","id":"a","params":{}}', -32600, "a"],
    [`{"jsonrpc":"2.0","id":501,"method":"session/list","params":{"_meta":${deep}}}`, -32600, 501],
  ]) {
    assert.equal((await agent.rawError(line, id)).error.code, expected, line);
  }
  await agent.result("session/close", { sessionId });
  assert.equal(await code("session/set_mode", { sessionId, modeId: "plan" }), -32600);
  await agent.finish();
});

test("the same conversation is the same bytes", async () => {
  const converse = async () => {
    const agent = new AgentProcess(binary);
    await agent.open();
    const sessionId = await agent.session();
    for (const text of ["hello", "/permission", "/ask", "/fs", "/terminal", "/markdown", "/commands", "/edit", "/error"]) {
      await agent.prompt(sessionId, text);
    }
    await agent.result("session/load", { sessionId, cwd: "/tmp", mcpServers: [] });
    await agent.finish();
    return agent.lines;
  };
  const [first, second] = await Promise.all([converse(), converse()]);
  assert.deepEqual(first, second);
});
