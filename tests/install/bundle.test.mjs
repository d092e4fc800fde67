// An install as one file: made on one machine, installed on another without a network.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { tarGz } from "./archives.mjs";
import { command, succeeds } from "./command_line.mjs";
import { bytes } from "./registry_server.mjs";
import { makeScene, platform } from "./scene.mjs";
import { nodeAgent, shellAgent } from "./test_agents.mjs";

const tin = { id: "tin", name: "Tin", registry: ["tin"], process: { npm: { package: "tin-agent", version: "1.0.0" } } };

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
  changed[at] ^= 0xff;
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

const artifact = { kind: "agent_process", path: "/x", source: "registry", version: "6.6.6" };
const index = (more = {}) => {
  const launch = { program: "files/agent", args: [], env: {}, path: [] };
  const record = { agent: "tin", registry: "listed", artifacts: more.artifacts ?? [artifact], launch, verified: true, verifiedAtMs: 1, installedAtMs: 1 };
  const agents = [{ digest: "0".repeat(64), record: { ...record, agent: more.agent ?? "tin" } }];
  return { name: "bundle.json", body: JSON.stringify({ format: more.format ?? 1, platform: more.platform ?? platform, agents }) };
};
const program = { name: "tin/files/agent", body: shellAgent("6.6.6"), mode: 0o755 };

const hostile = {
  "whose digest is wrong": [[index(), program], /digest/],
  "whose record names no program": [[index({ artifacts: [] }), program], /artifacts/],
  "of another platform": [[index({ platform: "haiku-m68k" }), program], /haiku-m68k/],
  "of a later format": [[index({ format: 2 }), program], /format/],
  "of an agent whose id is a path": [[index({ agent: "../tin" }), program], /id/],
  "without the files it names": [[index()], /./],
  "with a way out by name": [[index(), program, { name: "../../../../../../escaped", body: "x" }], /[.][.]/],
  "with a link out of the tree": [[index(), program, { name: "tin/files/out", link: "/etc" }], /link|out/],
};

test("a bundle that was made to deceive is refused and leaves nothing", async (t) => {
  const scene = await makeScene(t, { manifests: [tin] });
  const file = path.join(scene.root, "hostile.tar.gz");
  for (const [what, [entries, words]] of Object.entries(hostile))
    await t.test(`one ${what}`, async () => {
      writeFileSync(file, tarGz(entries));
      const { code, errors } = await command(scene, "agents", "install", "--bundle", file);
      assert.equal(code, 5, errors);
      assert.match(errors, words);
      assert.deepEqual(scene.shot().bin, {});
      assert.ok(!existsSync(path.join(scene.root, "escaped")));
    });
});

test("a bundle holds several agents, and a tool beside its agent", async (t) => {
  const tool = { program: "tin-cli", npm: { package: "tin-cli", version: "3.0.0" } };
  const manifests = [{ ...tin, registry: [], native: tool }, { id: "iron", name: "Iron", registry: ["iron"] }];
  const scene = await makeScene(t, { manifests });
  prepare["npm package"](scene);
  scene.npm.publish({ name: "tin-cli", version: "3.0.0", bin: "cli.sh", files: { "cli.sh": "#!/bin/sh\necho tool 3\n" } });
  scene.announce(scene.archived({ id: "iron", answer: bytes(tarGz([{ name: "agent", body: shellAgent("5.0.0"), mode: 0o755 }])) }));
  await succeeds(scene, "agents", "install", "tin", "iron");
  const file = path.join(scene.root, "both.tar.zst");
  await succeeds(scene, "agents", "bundle", "tin", "iron", "-o", file);
  const there = await makeScene(t, { manifests });
  await succeeds(there, "agents", "install", "--bundle", file);
  const daemon = await there.daemon({ flags: ["--require-preinstall"] });
  assert.deepEqual([await daemon.version("tin"), await daemon.version("iron")], ["1.0.0", "5.0.0"]);
  const { install } = await daemon.get("/v1/agents/tin");
  const native = install.artifacts.find((artifact) => artifact.kind === "native_agent");
  assert.equal(native.path, path.join(there.ours, "bin", "tin-cli"));
  assert.equal(execFileSync(native.path, { encoding: "utf8" }), "tool 3\n");
});

test("a bundle of an agent whose tool was on PATH needs it there, too, and says so", async (t) => {
  const manifests = [{ ...tin, registry: [], native: { program: "tin-cli", how: "Ask the tin people." } }];
  const withTool = (scene) => {
    const folder = path.join(scene.root, "tools");
    mkdirSync(folder);
    writeFileSync(path.join(folder, "tin-cli"), "#!/bin/sh\necho tool\n", { mode: 0o755 });
    scene.environment.PATH += `:${folder}`;
    return path.join(folder, "tin-cli");
  };
  const scene = await makeScene(t, { manifests });
  withTool(scene);
  prepare["npm package"](scene);
  const file = path.join(scene.root, "tin.tar.zst");
  await succeeds(scene, "agents", "install", "tin");
  await succeeds(scene, "agents", "bundle", "tin", "-o", file);
  const there = await makeScene(t, { manifests });
  const { code, errors } = await command(there, "agents", "install", "--bundle", file);
  assert.equal(code, 5, errors);
  assert.match(errors, /tin-cli.*Ask the tin people/s);
  assert.ok(!existsSync(there.launcher("tin")));
  const tool = withTool(there);
  await succeeds(there, "agents", "install", "--bundle", file);
  const { install } = await (await there.daemon({ flags: ["--require-preinstall"] })).get("/v1/agents/tin");
  const native = install.artifacts.find((artifact) => artifact.kind === "native_agent");
  assert.deepEqual([native.path, native.source], [tool, "local_path"]);
});

test("a bundle of an agent that is not known here is refused with its name", async (t) => {
  const file = await bundled(t);
  const scene = await makeScene(t);
  const { code, errors } = await command(scene, "agents", "install", "--bundle", file);
  assert.equal(code, 5, errors);
  assert.match(errors, /tin/);
  assert.deepEqual(scene.shot().bin, {});
});

test("a bundle of an agent that is not installed cannot be made, and no file is left", async (t) => {
  const scene = await makeScene(t, { manifests: [tin] });
  const file = path.join(scene.root, "tin.tar.zst");
  const { code, errors } = await command(scene, "agents", "bundle", "tin", "-o", file);
  assert.notEqual(code, 0);
  assert.match(errors, /install/);
  assert.ok(!existsSync(file));
});
