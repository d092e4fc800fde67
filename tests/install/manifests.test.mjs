// The user's own manifests: where they are read from, what becomes of broken ones.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { makeScene, problemOf } from "./scene.mjs";
import { nodeAgent } from "./test_agents.mjs";
import { until } from "./waiting.mjs";

// A program that speaks ACP and needs no install.
function programIn(scene) {
  const file = path.join(scene.root, "own-agent");
  writeFileSync(file, nodeAgent("0.1.0"));
  chmodSync(file, 0o755);
  return file;
}

test("the least manifest is a command: listed, installed, started, and never installed again", async (t) => {
  const scene = await makeScene(t);
  scene.manifest({ id: "my-agent", name: "My agent", command: [programIn(scene), "--one", "two words"], env: { MY: "1" } });
  const daemon = await scene.daemon({ env: { MY: "2" } });
  const info = await daemon.get("/v1/agents/my-agent");
  assert.deepEqual([info.name, info.installed], ["My agent", true]);
  const { argv, env } = await daemon.acp("my-agent", "_test/surroundings");
  assert.deepEqual(argv.slice(2), ["--one", "two words"]);
  assert.equal(env.MY, "1");
  const answer = await daemon.installed("my-agent");
  assert.deepEqual([answer.already_installed, answer.artifacts[0].source], [true, "local_path"]);
  assert.equal((await daemon.ask("DELETE", "/v1/agents/my-agent/install")).status, 204);
  assert.equal(await daemon.version("my-agent"), "0.1.0");
  assert.equal(scene.web.count(), 0);
});

test("--agents-dir names another folder, and --agent gives an agent in words", async (t) => {
  const scene = await makeScene(t);
  const folder = path.join(scene.root, "other");
  mkdirSync(folder);
  writeFileSync(path.join(folder, "a.json"), JSON.stringify({ id: "there", name: "There", command: [programIn(scene)] }));
  const daemon = await scene.daemon({ flags: ["--agents-dir", folder, "--agent", `worded=${programIn(scene)} --acp`] });
  assert.equal(await daemon.version("there"), "0.1.0");
  assert.deepEqual((await daemon.acp("worded", "_test/surroundings")).argv.slice(2), ["--acp"]);
  assert.equal((await daemon.get("/v1/agents/worded")).installed, true);
});

// Waits until a line on stderr matches.
const said = (daemon, words, what) => until(`${what} is told`, () => daemon.errors().split("\n").some((line) => words.test(line)));

const broken = {
  "no-json.json": ["{", /no-json[.]json/],
  "no-name.json": [{ id: "x" }, /no-name[.]json.*name/],
  "bad-id.json": [{ id: "../x", name: "X", command: ["x"] }, /bad-id[.]json.*id/],
  "no-way.json": [{ id: "y", name: "Y" }, /no-way[.]json.*command/],
  "wrong-kind.json": [{ id: "z", name: "Z", command: "prog" }, /wrong-kind[.]json.*command/],
  "no-version.json": [{ id: "v", name: "V", process: { npm: { package: "v" } } }, /no-version[.]json.*process[.]npm[.]version/],
  "capability.json": [{ id: "w", name: "W", command: ["x"], capabilities: { flying: true } }, /capability[.]json.*flying/],
};

test("broken manifests are told at the start with file and field, and the others count", async (t) => {
  const scene = await makeScene(t);
  for (const [name, [value]] of Object.entries(broken)) scene.manifest(value, name);
  scene.manifest({ id: "good", name: "Good", command: [programIn(scene)] });
  const daemon = await scene.daemon({ flags: ["--log-level", "warn"] });
  for (const [name, [, words]] of Object.entries(broken)) await said(daemon, words, name);
  assert.equal(await daemon.version("good"), "0.1.0");
  const known = (await daemon.get("/v1/agents")).agents.map(({ id }) => id);
  for (const id of ["x", "y", "z", "v", "w"]) assert.ok(!known.includes(id), id);
  problemOf(await daemon.post("s", "initialize", {}, "y"), 400, "unsupported_agent");
});

test("a manifest for an agent that is built in takes its place", async (t) => {
  const scene = await makeScene(t);
  scene.manifest({ id: "mock", name: "My own demo", command: [programIn(scene)] });
  const daemon = await scene.daemon();
  assert.equal((await daemon.get("/v1/agents/mock")).name, "My own demo");
  assert.equal(await daemon.version("mock"), "0.1.0");
});

test("of two files for one agent the second is told and does not count", async (t) => {
  const scene = await makeScene(t);
  const command = [programIn(scene)];
  scene.manifest({ id: "twice", name: "First", command }, "a.json");
  scene.manifest({ id: "twice", name: "Second", command }, "b.json");
  const daemon = await scene.daemon({ flags: ["--log-level", "warn"] });
  await said(daemon, /b[.]json.*twice/, "b.json");
  assert.equal((await daemon.get("/v1/agents/twice")).name, "First");
});

test("a program that is not there makes an agent that is not installed, and says so", async (t) => {
  const scene = await makeScene(t, { manifests: [{ id: "gone", name: "Gone", command: ["no-such-program-here"] }] });
  const daemon = await scene.daemon();
  assert.equal((await daemon.get("/v1/agents/gone")).installed, false);
  const response = await daemon.post("s", "initialize", {}, "gone");
  assert.ok(response.status >= 400);
  assert.match(response.body, /no-such-program-here/);
  assert.match(JSON.parse((await daemon.install("gone")).body).detail, /no-such-program-here/);
});
