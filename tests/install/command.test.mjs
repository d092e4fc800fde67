// The agents command: what the routes do, without a daemon.
import assert from "node:assert/strict";
import { test } from "node:test";
import { tarGz } from "./archives.mjs";
import { command, succeeds } from "./command_line.mjs";
import { processesWith } from "./disk.mjs";
import { bytes, stalling, status } from "./registry_server.mjs";
import { makeScene } from "./scene.mjs";
import { nodeAgent, shellAgent } from "./test_agents.mjs";
import { until, within } from "./waiting.mjs";

const tin = { id: "tin", name: "Tin", registry: ["tin"], process: { npm: { package: "tin-agent", version: "1.0.0" } } };
const body = tarGz([{ name: "agent", body: shellAgent("1.0.0"), mode: 0o755 }]);

async function tinScene(t, answer = bytes(body)) {
  const scene = await makeScene(t, { manifests: [tin] });
  scene.announce(scene.archived({ id: "tin", at: "/tin", answer }));
  return scene;
}

test("agents install, list and remove do from the command line what the routes do", async (t) => {
  const scene = await tinScene(t);
  await succeeds(scene, "agents", "install", "tin");
  assert.match(await succeeds(scene, "agents", "list"), /tin/);
  const daemon = await scene.daemon({ flags: ["--require-preinstall"] });
  assert.equal(await daemon.version("tin"), "1.0.0");
  await succeeds(scene, "agents", "remove", "tin");
  assert.equal((await daemon.get("/v1/agents/tin")).installed, false);
  assert.deepEqual(scene.trees("tin"), []);
});

test("failures have the exit code of their kind and say what is wrong", async (t) => {
  const scene = await tinScene(t, status(404));
  assert.equal((await command(scene, "agents", "install", "no-such-agent")).code, 5);
  const failed = await command(scene, "agents", "install", "tin");
  assert.equal(failed.code, 5);
  assert.match(failed.errors, /404/);
  assert.equal(failed.out, "");
  assert.equal((await command(scene, "agents", "install")).code, 2);
  assert.equal((await command(scene, "agents", "install", "tin", "--agent-process-version", "../x")).code, 2);
});

// Runs an install that stops at `reached`, sends the signal; nothing may be left, and the next install succeeds.
async function interrupted(scene, signal, reached) {
  let child;
  const ended = command(scene, (started) => (child = started), "agents", "install", "tin");
  await within(10_000, "the way there", reached);
  child.kill(signal);
  const ending = await within(5000, "the end", ended);
  await until("nothing of it runs", () => processesWith(scene.mark).length === 0, 3000);
  return ending;
}

for (const signal of ["SIGINT", "SIGTERM"])
  test(`an install from the command line that gets ${signal} leaves nothing`, async (t) => {
    const slow = stalling(body, 10);
    const scene = await tinScene(t, slow);
    const ending = await interrupted(scene, signal, slow.reached);
    assert.ok(ending.code !== 0, JSON.stringify(ending));
    assert.deepEqual(scene.shot().bin, {});
  });

test("npm does not outlive a command that is killed, and the next install cleans up", async (t) => {
  const scene = await makeScene(t, { manifests: [tin] });
  scene.announce();
  const files = { "agent.js": nodeAgent("1.0.0") };
  const { path: at, tarball } = scene.npm.publish({ name: "tin-agent", version: "1.0.0", bin: "agent.js", files });
  const slow = stalling(tarball, 20);
  scene.npm.put(at, slow);
  await interrupted(scene, "SIGKILL", slow.reached);
  scene.npm.put(at, bytes(tarball));
  await succeeds(scene, "agents", "install", "tin");
  assert.equal(scene.trees("tin").length, 1);
});
