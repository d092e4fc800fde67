// Installs that a first message to an agent sets off.
import assert from "node:assert/strict";
import { test } from "node:test";
import { token } from "../contract/daemon.mjs";
import { tarGz } from "./archives.mjs";
import { bytes, stalling, status } from "./registry_server.mjs";
import { makeScene, problemOf } from "./scene.mjs";
import { shellAgent } from "./test_agents.mjs";
import { until, within } from "./waiting.mjs";

const tin = { id: "tin", name: "Tin", registry: ["tin"] };
const body = tarGz([{ name: "agent", body: shellAgent("1.0.0"), mode: 0o755 }]);

async function tinScene(t, answer = bytes(body)) {
  const scene = await makeScene(t, { manifests: [tin] });
  scene.announce(scene.archived({ id: "tin", at: "/tin", answer }));
  return scene;
}

const versionOf = (response) => {
  assert.equal(response.status, 200, response.body);
  return JSON.parse(response.body).result.agentInfo.version;
};

test("ten first messages at the same time install once, and each starts its own instance", async (t) => {
  const slow = stalling(body, 10);
  const scene = await tinScene(t, slow);
  const daemon = await scene.daemon();
  const posts = Array.from({ length: 10 }, (_, at) => daemon.post(`server-${at}`, "initialize", {}, "tin"));
  await slow.reached;
  const starting = await until("all of them are starting", async () => {
    const { servers } = await daemon.get("/v1/acp");
    return servers.length === 10 && servers.every(({ phase }) => phase) && servers;
  });
  for (const server of starting) assert.deepEqual([server.status, server.agent], ["starting", "tin"]);
  await until("the phase is the download", async () => (await daemon.get("/v1/acp")).servers.every(({ phase }) => phase === "downloading"));
  slow.release();
  for (const response of await Promise.all(posts)) assert.equal(versionOf(response), "1.0.0");
  const { servers } = await daemon.get("/v1/acp");
  assert.equal(new Set(servers.map(({ pid }) => pid)).size, 10);
  for (const server of servers) assert.deepEqual([server.status, server.phase], ["running", undefined]);
  assert.equal(scene.web.count("/tin"), 1);
  assert.equal(scene.web.count("/registry.json"), 1);
});

test("the DELETE of a starting server answers its message with 409, and the install goes on", async (t) => {
  const slow = stalling(body, 10);
  const scene = await tinScene(t, slow);
  const daemon = await scene.daemon();
  const doomed = daemon.post("doomed", "initialize", {}, "tin");
  await slow.reached;
  await until("it is listed", async () => (await daemon.get("/v1/acp")).servers.length === 1);
  assert.equal((await within(10_000, "DELETE", daemon.ask("DELETE", "/v1/acp/doomed"))).status, 204);
  problemOf(await within(10_000, "the 409", doomed), 409, "conflict");
  assert.deepEqual((await daemon.get("/v1/acp")).servers, []);
  slow.release();
  await until("it is installed", async () => (await daemon.get("/v1/agents/tin")).installed);
  assert.equal(await daemon.version("tin"), "1.0.0");
  assert.equal(scene.web.count("/tin"), 1);
});

test("a first message whose install fails is told why, leaves no server, and the next one tries again", async (t) => {
  const scene = await tinScene(t, status(404));
  const daemon = await scene.daemon();
  const problem = problemOf(await daemon.post("first", "initialize", {}, "tin"), 500, "install_failed");
  assert.equal(problem.agent, "tin");
  assert.match(problem.cause, /404/);
  assert.deepEqual((await daemon.get("/v1/acp")).servers, []);
  scene.web.put("/tin", bytes(body));
  assert.equal(versionOf(await daemon.post("first", "initialize", {}, "tin")), "1.0.0");
});

test("a stream that waits for a starting server gets what the server says", async (t) => {
  const slow = stalling(body, 10);
  const scene = await tinScene(t, slow);
  const daemon = await scene.daemon();
  const post = daemon.post("watched", "initialize", {}, "tin");
  await slow.reached;
  const stream = daemon.ask("GET", "/v1/acp/watched", { head: true });
  slow.release();
  assert.equal((await stream).status, 200);
  assert.equal(versionOf(await post), "1.0.0");
});

test("what a client said that left during the install is answered on the stream", async (t) => {
  const slow = stalling(body, 10);
  const scene = await tinScene(t, slow);
  const daemon = await scene.daemon();
  const leaving = new AbortController();
  const message = JSON.stringify({ jsonrpc: "2.0", id: "left", method: "initialize", params: {} });
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const url = `http://127.0.0.1:${daemon.port}/v1/acp/left`;
  const post = fetch(`${url}?agent=tin`, { method: "POST", headers, body: message, signal: leaving.signal });
  await slow.reached;
  await until("it is listed", async () => (await daemon.get("/v1/acp")).servers.length === 1);
  leaving.abort();
  await assert.rejects(post);
  await until("its connection is closed", async () => (await daemon.get("/v1/status")).current.connections <= 2);
  slow.release();
  await until("the agent has answered", async () => (await daemon.get("/v1/acp")).servers[0]?.lastEventId > 0);
  const ending = new AbortController();
  const stream = await fetch(url, { headers, signal: ending.signal });
  const { value } = await stream.body.getReader().read();
  ending.abort();
  assert.match(new TextDecoder().decode(value), /"id":"left"/);
});

for (const how of ["flag", "variable"])
  test(`with --require-preinstall, by ${how}, a first message is answered with 404 and nothing is fetched`, async (t) => {
    const scene = await tinScene(t);
    const daemon = await scene.daemon(
      how === "flag" ? { flags: ["--require-preinstall"] } : { env: { SANDBOX_AGENT_REQUIRE_PREINSTALL: "yes" } },
    );
    const problem = problemOf(await daemon.post("first", "initialize", {}, "tin"), 404, "agent_not_installed");
    assert.equal(problem.agent, "tin");
    assert.equal(scene.web.count(), 0);
    assert.deepEqual((await daemon.get("/v1/acp")).servers, []);
  });

test("with --require-preinstall an agent that is installed starts", async (t) => {
  const scene = await tinScene(t);
  const before = await scene.daemon();
  await before.installed("tin");
  const daemon = await scene.daemon({ flags: ["--require-preinstall"] });
  assert.equal(await daemon.version("tin"), "1.0.0");
});

test("an agent that is installed starts without a request to anybody", async (t) => {
  const scene = await tinScene(t);
  const daemon = await scene.daemon();
  assert.equal(await daemon.version("tin"), "1.0.0");
  const requests = scene.web.count();
  assert.equal(await daemon.version("tin"), "1.0.0");
  assert.equal(scene.web.count(), requests);
});
