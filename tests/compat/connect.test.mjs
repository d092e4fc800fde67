// Connecting, the wait for health, what the daemon says about agents, and how refusals look to the published SDK.
import assert from "node:assert/strict";
import { test } from "node:test";
import { SandboxAgentError } from "published-sandbox-agent";
import { launchDaemon } from "../contract/daemon.mjs";
import { freePort } from "../contract/free_port.mjs";
import { timeScale, until } from "../install/waiting.mjs";
import { makeScene, token } from "./scene.mjs";

// A SandboxAgentError of this status whose problem has this code.
const problem = (status, code) => (error) => {
  assert.ok(error instanceof SandboxAgentError, String(error));
  assert.equal(error.status, status);
  assert.equal(error.problem.type, `urn:sandbox-agent:error:${code}`);
  assert.equal(error.problem.status, status);
  assert.equal(error.message, error.problem.title);
  return true;
};

test("a client that connects to a running daemon finds it healthy", async (t) => {
  const scene = await makeScene(t);
  const client = await scene.connect();
  assert.equal((await client.getHealth()).status, "ok");
  assert.equal(client.inspectorUrl, `${scene.baseUrl}/ui/`);
  assert.deepEqual(await client.listAcpServers(), { servers: [] });
});

test("a client that is there first waits until the daemon is healthy", async (t) => {
  const scene = await makeScene(t, { daemon: false });
  const port = await freePort();
  const answers = [];
  const watched = (...request) => fetch(...request).then(
    (response) => (answers.push(response.status), response),
    (error) => (answers.push("none"), Promise.reject(error)),
  );
  const client = await scene.connect({ baseUrl: `http://127.0.0.1:${port}`, fetch: watched });
  const agents = client.listAgents();
  await until("nobody was there", () => answers.includes("none"));
  scene.daemon = await launchDaemon(["--port", String(port)], { cwd: scene.home, env: scene.environment, stderr: "ignore" });
  assert.equal(scene.daemon.port, port);
  assert.ok((await agents).agents.length > 0);
  assert.deepEqual(answers.filter((answer) => answer !== "none"), [200, 200], "asked for health, then for the agents");
});

test("agents are listed; the demo agent is installed and needs no key", async (t) => {
  const scene = await makeScene(t);
  const client = await scene.connect();
  const { agents } = await client.listAgents();
  const ids = agents.map((agent) => agent.id);
  for (const id of ["mock", "claude", "codex"]) assert.ok(ids.includes(id), `${id} is among ${ids}`);
  for (const agent of agents) {
    assert.equal(typeof agent.installed, "boolean");
    assert.equal(typeof agent.credentialsAvailable, "boolean");
    assert.equal(typeof agent.capabilities.permissions, "boolean");
    assert.equal(agent.configOptions, undefined, "nobody asked for options");
  }
  const mock = agents.find((agent) => agent.id === "mock");
  assert.ok(mock.installed && mock.credentialsAvailable);
});

test("an agent's options come only when they are asked for, and again without the cache", async (t) => {
  const scene = await makeScene(t);
  const client = await scene.connect();
  const plain = await client.getAgent("mock");
  assert.equal(plain.id, "mock");
  assert.equal(plain.configOptions, undefined);
  assert.equal((await client.getAgent("mock", { config: false })).configOptions, undefined);
  const full = await client.getAgent("mock", { config: true });
  assert.deepEqual(full.configOptions.map((option) => option.category), ["mode", "model", "thought_level"]);
  assert.equal(full.configError, undefined);
  assert.deepEqual((await client.getAgent("mock", { config: true, noCache: true })).configOptions, full.configOptions);
  const listed = (await client.listAgents({ config: true })).agents.find((agent) => agent.id === "mock");
  assert.deepEqual(listed.configOptions, full.configOptions);
});

test("installing the demo agent has nothing to do", async (t) => {
  const scene = await makeScene(t);
  const client = await scene.connect();
  const done = await client.installAgent("mock");
  assert.equal(done.already_installed, true);
  assert.deepEqual(done.artifacts.map(({ kind, source }) => [kind, source]), [["agent_process", "builtin"]]);
});

test("an agent nobody knows is refused with its own problem", async (t) => {
  const scene = await makeScene(t);
  const client = await scene.connect();
  await assert.rejects(client.getAgent("nobody"), problem(404, "not_found"));
  await assert.rejects(client.installAgent("nobody"), problem(400, "unsupported_agent"));
});

test("a connection to an agent nobody knows ends the program with that problem", async (t) => {
  const scene = await makeScene(t);
  const { code, output, errors } = await scene.run("unknown_agent.mjs");
  assert.equal(code, 1, errors);
  assert.match(errors, /^ACP write error: AcpHttpError: Unsupported agent/m);
  assert.match(errors, /type: 'urn:sandbox-agent:error:unsupported_agent'/);
  assert.equal(output, "asked\n", "0.4.2 lets such a failure escape instead of rejecting the call");
});

test("a wrong token never becomes healthy, and every call says why", async (t) => {
  const scene = await makeScene(t);
  const waiting = await scene.connect({ token: "wrong", waitForHealth: { timeoutMs: 50 * timeScale } });
  await assert.rejects(waiting.listAgents(), /Timed out waiting for sandbox-agent health .*Token invalid/);
  const hasty = await scene.connect({ token: "wrong", skipHealthCheck: true });
  await assert.rejects(hasty.listAgents(), problem(401, "token_invalid"));
  await assert.rejects(hasty.getHealth(), problem(401, "token_invalid"));
  const bare = await scene.connect({ token: undefined, skipHealthCheck: true });
  await assert.rejects(bare.readFsFile({ path: scene.home }), problem(401, "token_missing"));
  const spelled = await scene.connect({ token: undefined, headers: { Authorization: `Token ${token}` } });
  assert.equal((await spelled.getHealth()).status, "ok");
});
