// What GET /v1/agents tells, before and after an install; keys are found and never shown; what an agent offers is asked of it.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { tarGz } from "./archives.mjs";
import { bytes } from "./registry_server.mjs";
import { makeScene, problemOf } from "./scene.mjs";
import { nodeAgent } from "./test_agents.mjs";
import { timeScale } from "./waiting.mjs";

const tin = {
  id: "tin",
  name: "Tin agent",
  aliases: ["tinny"],
  registry: ["tin"],
  capabilities: { planMode: true, images: false },
  credentials: { variables: [{ name: "TIN_KEY", aliases: ["TIN_OLD_KEY"] }], files: ["~/.tin/key.json", "$TIN_HOME/key"] },
};
const secret = "sk-never-shown-1234567890";
const capabilities =
  "planMode permissions questions toolCalls toolResults textMessages images fileAttachments sessionLifecycle errorEvents " +
  "reasoning status commandExecution fileChanges mcpTools streamingDeltas itemStarted sharedProcess";

async function tinScene(t, { agent = nodeAgent("1.0.0"), manifest = tin } = {}) {
  const scene = await makeScene(t, { manifests: [manifest] });
  const body = tarGz([{ name: "agent", body: agent, mode: 0o755 }]);
  scene.announce(scene.archived({ id: "tin", at: "/tin", answer: bytes(body) }));
  return scene;
}

test("an agent is told before and after its install, alone and in the list", async (t) => {
  const scene = await tinScene(t);
  const daemon = await scene.daemon();
  const before = await daemon.get("/v1/agents/tin");
  assert.deepEqual([before.id, before.name, before.installed, before.credentialsAvailable], ["tin", "Tin agent", false, false]);
  assert.deepEqual(Object.keys(before.capabilities).sort(), capabilities.split(" ").sort());
  assert.ok(Object.values(before.capabilities).every((able) => typeof able === "boolean"));
  assert.deepEqual([before.capabilities.planMode, before.capabilities.images], [true, false]);
  assert.equal(before.models, undefined);

  await daemon.installed("tin");
  const after = await daemon.get("/v1/agents/tin");
  assert.equal(after.installed, true);
  assert.deepEqual([after.install.source, after.install.registry, after.install.verified], ["registry", "listed", true]);
  assert.ok(Math.abs(Date.now() - after.install.verifiedAtMs) < 60_000 * timeScale);
  assert.deepEqual(after.install.artifacts.map(({ kind, path: at, source, version }) => ({ kind, path: at, source, version })), [
    { kind: "agent_process", path: scene.launcher("tin"), source: "registry", version: "1.0.0" },
  ]);
  const { agents } = await daemon.get("/v1/agents");
  assert.deepEqual(agents.find(({ id }) => id === "tin"), after);
  const demo = agents.find(({ id }) => id === "mock");
  assert.deepEqual([demo.installed, demo.install.source], [true, "builtin"]);
});

test("an alias leads to the agent, and an unknown one is not found", async (t) => {
  const scene = await tinScene(t);
  const daemon = await scene.daemon();
  assert.equal((await daemon.get("/v1/agents/tinny")).id, "tin");
  const problem = problemOf(await daemon.ask("GET", "/v1/agents/tni"), 404, "not_found");
  assert.equal(problem.id, "tni");
});

test("serverStatus says that an instance runs", async (t) => {
  const scene = await tinScene(t);
  const daemon = await scene.daemon();
  assert.equal((await daemon.post("one", "initialize", {}, "tin")).status, 200);
  const { serverStatus } = await daemon.get("/v1/agents/tin");
  assert.equal(serverStatus.status, "running");
  assert.ok(serverStatus.uptimeMs >= 0);
  await daemon.ask("DELETE", "/v1/acp/one");
  assert.notEqual((await daemon.get("/v1/agents/tin")).serverStatus?.status, "running");
});

const keyPlaces = {
  "in its variable": [{ TIN_KEY: secret }, "TIN_KEY"],
  "in a variable of another name": [{ TIN_OLD_KEY: secret }, "TIN_OLD_KEY"],
  "in a file of the home folder": [{}, "~/.tin/key.json"],
  "in a file of a folder that a variable names": [{ TIN_HOME: "" }, "$TIN_HOME/key"],
};

for (const [where, [env, place]] of Object.entries(keyPlaces))
  test(`a key that is ${where} is found and told by its place, and its value is nowhere`, async (t) => {
    const scene = await tinScene(t);
    const files = { "~/.tin/key.json": path.join(scene.home, ".tin", "key.json"), "$TIN_HOME/key": path.join(scene.root, "tin", "key") };
    if (files[place]) {
      mkdirSync(path.dirname(files[place]), { recursive: true });
      writeFileSync(files[place], secret);
    }
    const more = "TIN_HOME" in env ? { TIN_HOME: path.join(scene.root, "tin") } : env;
    const daemon = await scene.daemon({ env: more, flags: ["--log-level", "debug"] });
    await daemon.installed("tin");
    const texts = [];
    for (const target of ["/v1/agents", "/v1/agents/tin", "/v1/agents/tin?config=true", "/v1/status", "/v1/acp"])
      texts.push((await daemon.ask("GET", target)).body);
    const info = JSON.parse(texts[1]);
    assert.equal(info.credentialsAvailable, true);
    assert.equal(info.credentials, "found");
    assert.equal(info.credentialsPlace, place);
    const { env: got } = await daemon.acp("tin", "_test/surroundings");
    if (place.startsWith("TIN_")) assert.equal(got.TIN_KEY, secret, "the agent gets it under the name it reads");
    await daemon.stop();
    for (const text of [...texts, daemon.errors()]) assert.ok(!text.includes(secret));
  });

for (const [state, credentials, available] of [
  ["missing", tin.credentials, false],
  ["not_needed", { needed: false }, true],
  ["unknown", undefined, false],
])
  test(`credentials that are ${state} are told as such`, async (t) => {
    const scene = await tinScene(t, { manifest: { ...tin, credentials } });
    const daemon = await scene.daemon({ env: { TIN_KEY: "" } });
    const info = await daemon.get("/v1/agents/tin");
    assert.equal(info.credentials, state);
    if (state !== "unknown") assert.equal(info.credentialsAvailable, available);
  });

test("with config=true an installed agent is asked what it offers", async (t) => {
  const scene = await tinScene(t);
  const daemon = await scene.daemon();
  assert.equal((await daemon.get("/v1/agents/tin?config=true")).configOptions, undefined, "nothing to ask yet");
  await daemon.installed("tin");
  const info = await daemon.get("/v1/agents/tin?config=true");
  assert.equal(info.configError, undefined);
  assert.equal(info.version, "1.0.0");
  assert.equal(info.path, scene.launcher("tin"));
  assert.deepEqual(info.configOptions.map(({ category }) => category).sort(), ["mode", "model", "thought_level"]);
  const model = info.configOptions.find(({ category }) => category === "model");
  assert.deepEqual([model.currentValue, model.options.map(({ value }) => value)], ["small", ["small", "large"]]);
  const values = (...names) => names.map((value) => ({ value, name: value.toUpperCase() }));
  assert.deepEqual(info.models, { current: "small", values: values("small", "large"), origin: "probed" });
  assert.deepEqual(info.modes, { current: "ask", values: values("ask", "code"), origin: "probed" });
  assert.deepEqual((await daemon.get("/v1/acp")).servers, [], "the question leaves no instance");
});

test("an answer is kept until the agent is installed again or no_cache asks anew", async (t) => {
  const before = 'require("fs").appendFileSync(process.env.INSTALL_SCENE + "/starts", "x");';
  const scene = await tinScene(t, { agent: nodeAgent("1.0.0", { before }) });
  const starts = () => readFileSync(path.join(scene.root, "starts"), "utf8").length;
  const daemon = await scene.daemon();
  await daemon.installed("tin");
  const fresh = await daemon.get("/v1/agents/tin?config=true");
  const asked = starts();
  assert.deepEqual(await daemon.get("/v1/agents/tin?config=true"), fresh);
  assert.equal(starts(), asked, "no process was started");
  assert.deepEqual(await daemon.get("/v1/agents/tin?config=true&no_cache=true"), fresh);
  assert.equal(starts(), asked + 1);
  scene.web.put("/tin", bytes(tarGz([{ name: "agent", body: nodeAgent("1.0.0").replaceAll("small", "tiny"), mode: 0o755 }])));
  await daemon.installed("tin", { reinstall: true });
  assert.equal((await daemon.get("/v1/agents/tin?config=true")).models.current, "tiny");
  problemOf(await daemon.ask("GET", "/v1/agents?config=perhaps"), 400, "invalid_request");
});

test("an agent that never answers gives a configError in time, and the others are told as ever", async (t) => {
  const scene = await tinScene(t, { agent: nodeAgent("1.0.0", { fault: "mute-later" }) });
  const daemon = await scene.daemon();
  await daemon.installed("tin");
  const begin = performance.now();
  const { agents } = await daemon.get("/v1/agents?config=true");
  assert.ok(performance.now() - begin < 20_000 * timeScale);
  const info = agents.find(({ id }) => id === "tin");
  assert.equal(typeof info.configError, "string");
  assert.equal(info.installed, true);
  const demo = agents.find(({ id }) => id === "mock");
  assert.equal(demo.configError, undefined);
  assert.ok(demo.configOptions.length > 0);
});

test("options the manifest knows are told as the manifest's until the agent is asked", async (t) => {
  const options = [{ id: "model", name: "Model", category: "model", currentValue: "old", options: [{ value: "old", name: "OLD" }] }];
  const scene = await tinScene(t, { manifest: { ...tin, options } });
  const daemon = await scene.daemon();
  await daemon.installed("tin");
  assert.deepEqual((await daemon.get("/v1/agents/tin")).models, { current: "old", values: [{ value: "old", name: "OLD" }], origin: "manifest" });
  assert.equal((await daemon.get("/v1/agents/tin?config=true")).models.origin, "probed");
});
