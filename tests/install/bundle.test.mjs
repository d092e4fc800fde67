// An install as one file: made on one machine, installed on another without a network.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { binary } from "../contract/daemon.mjs";
import { tarGz } from "./archives.mjs";
import { treeShot } from "./disk.mjs";
import { bytes } from "./registry_server.mjs";
import { makeScene } from "./scene.mjs";
import { nodeAgent, shellAgent } from "./test_agents.mjs";

const tin = { id: "tin", name: "Tin", registry: ["tin"], process: { npm: { package: "tin-agent", version: "1.0.0" } } };

// Runs the program to its end: {code, out, errors}.
function command(scene, ...words) {
  return new Promise((resolve) => {
    execFile(binary, words, { env: scene.environment, cwd: scene.home }, (error, out, errors) => resolve({ code: error?.code ?? 0, out, errors }));
  });
}

async function succeeds(scene, ...words) {
  const { code, out, errors } = await command(scene, ...words);
  assert.equal(code, 0, errors);
  return out;
}

const prepare = {
  archive(scene) {
    const files = [{ name: "bin/agent", body: shellAgent("1.0.0"), mode: 0o755 }, { name: "agent", link: "bin/agent" }];
    scene.announce(scene.archived({ id: "tin", answer: bytes(tarGz(files)) }));
  },
  "npm package"(scene) {
    scene.announce();
    scene.npm.publish({ name: "tin-agent", version: "1.0.0", bin: "agent.js", files: { "agent.js": nodeAgent("1.0.0") } });
  },
};

// A bundle of tin, made in a world of its own.
async function bundled(t, kind = "archive") {
  const scene = await makeScene(t, { manifests: [tin] });
  prepare[kind](scene);
  const daemon = await scene.daemon();
  await daemon.installed("tin");
  const file = path.join(scene.root, "tin.tar.zst");
  await succeeds(scene, "agents", "bundle", "tin", "-o", file);
  assert.equal(readFileSync(file).readUInt32LE(0), 0xfd2fb528, "it is Zstandard");
  return file;
}

for (const kind of Object.keys(prepare))
  test(`a bundle of an ${kind} is installed in an empty data folder without a network, and works`, async (t) => {
    const file = await bundled(t, kind);
    const scene = await makeScene(t, { manifests: [tin] });
    await succeeds(scene, "agents", "install", "--bundle", file);
    assert.equal(scene.web.count() + scene.npm.count(), 0);
    const daemon = await scene.daemon({ flags: ["--require-preinstall"] });
    assert.equal(await daemon.version("tin"), "1.0.0");
    const { installed, install } = await daemon.get("/v1/agents/tin");
    assert.deepEqual([installed, install.verified, install.artifacts[0].version], [true, true, "1.0.0"]);
    assert.equal(install.artifacts[0].path, scene.launcher("tin"));
    assert.equal((await daemon.installed("tin")).already_installed, true);
    assert.equal(scene.web.count() + scene.npm.count(), 0);
    assert.deepEqual(scene.shot().temporary, []);
  });

test("a bundle replaces an older install, and that one works until then", async (t) => {
  const file = await bundled(t);
  const scene = await makeScene(t, { manifests: [tin] });
  scene.announce(scene.archived({ id: "tin", answer: bytes(tarGz([{ name: "agent", body: shellAgent("0.9.0"), mode: 0o755 }])) }));
  const daemon = await scene.daemon();
  await daemon.installed("tin");
  assert.equal(await daemon.version("tin"), "0.9.0");
  await succeeds(scene, "agents", "install", "--bundle", file);
  assert.equal(await daemon.version("tin"), "1.0.0");
  assert.equal(scene.trees("tin").length, 2);
});

const spoil = {
  "with one changed byte at its end": (file) => flipped(file, file.length - 8),
  "with one changed byte in its middle": (file) => flipped(file, Math.floor(file.length / 2)),
  "with one changed byte at its beginning": (file) => flipped(file, 1),
  "that is cut short": (file) => file.subarray(0, file.length - 20),
  "that is half a bundle": (file) => file.subarray(0, file.length / 2),
  "that is empty": () => Buffer.alloc(0),
  "that is something else": () => tarGz([{ name: "agent", body: "hello" }]),
};

function flipped(file, at) {
  const changed = Buffer.from(file);
  changed[at] ^= 0x10;
  return changed;
}

test("a bundle that was changed on its way is refused and leaves nothing", async (t) => {
  const whole = readFileSync(await bundled(t));
  const scene = await makeScene(t, { manifests: [tin] });
  const file = path.join(scene.root, "spoiled");
  for (const [what, change] of Object.entries(spoil))
    await t.test(`one ${what}`, async () => {
      writeFileSync(file, change(whole));
      const before = scene.shot();
      const { code, errors } = await command(scene, "agents", "install", "--bundle", file);
      assert.notEqual(code, 0);
      assert.match(errors, /error: .*\S/);
      assert.ok(!existsSync(scene.launcher("tin")));
      assert.deepEqual(scene.shot(), before);
    });
});

test("a bundle of an agent that is not installed cannot be made, and no file is left", async (t) => {
  const scene = await makeScene(t, { manifests: [tin] });
  const file = path.join(scene.root, "tin.tar.zst");
  const { code, errors } = await command(scene, "agents", "bundle", "tin", "-o", file);
  assert.notEqual(code, 0);
  assert.match(errors, /install/);
  assert.ok(!existsSync(file));
});

test("agents install, list and remove do from the command line what the routes do", async (t) => {
  const scene = await makeScene(t, { manifests: [tin] });
  prepare.archive(scene);
  await succeeds(scene, "agents", "install", "tin");
  assert.match(await succeeds(scene, "agents", "list"), /tin/);
  const daemon = await scene.daemon({ flags: ["--require-preinstall"] });
  assert.equal(await daemon.version("tin"), "1.0.0");
  await succeeds(scene, "agents", "remove", "tin");
  assert.equal((await daemon.get("/v1/agents/tin")).installed, false);
  assert.deepEqual(Object.keys(treeShot(scene.launchers)).filter((name) => name.includes("1.0.0")), []);
  assert.equal((await command(scene, "agents", "install", "no-such-agent")).code, 5);
});
