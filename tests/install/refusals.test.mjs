// What must not be installed: the failure is told in words, nothing of it stays, and the old version works on.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { tarGz, zip } from "./archives.mjs";
import { bytes, endless, redirect, status, truncated } from "./registry_server.mjs";
import { makeScene, platform, sha256 } from "./scene.mjs";
import { nodeAgent, shellAgent } from "./test_agents.mjs";

const tin = { id: "tin", name: "Tin", registry: ["tin"] };
const program = (version, more = {}) => ({ name: "agent", body: shellAgent(version, more), mode: 0o755 });
const good = tarGz([program("1.0.0")]);
const at = "/tin.archive";

// Version 1.0.0 is installed; then the archive becomes another. `flags` and `entry` belong to both.
async function oldInstall(t, { flags = [], entry = {}, tls = false } = {}) {
  const scene = await makeScene(t, { manifests: [tin], tls });
  scene.announce(scene.archived({ id: "tin", at, answer: bytes(good), ...entry }));
  const daemon = await scene.daemon({ flags });
  await daemon.installed("tin");
  return { scene, daemon };
}

// Reinstalling fails with words that match, and leaves everything as it was.
async function refused({ scene, daemon }, words) {
  const before = scene.shot();
  const problem = await daemon.fails("tin", { reinstall: true });
  assert.equal(problem.agent, "tin");
  assert.match(problem.cause, words);
  assert.equal(typeof problem.stderr, "string", "what a program wrote, or nothing");
  assert.ok(problem.detail.includes(problem.cause.replace(/[.]$/, "")), "the detail tells the cause");
  assert.deepEqual(scene.shot(), before, "nothing is left but the old install");
  assert.equal(await daemon.version("tin"), "1.0.0");
  assert.equal((await daemon.get("/v1/agents/tin")).install.verified, true);
  return problem;
}

const plain = {
  "that was cut short": [truncated(good), /tin[.]archive|127[.]0[.]0[.]1|incomplete|ended|cut/i],
  "that is not there": [status(404), /tin[.]archive.*404/s],
  "whose server is broken": [status(500), /tin[.]archive.*500/s],
  "that is only half an archive": [bytes(good.subarray(0, good.length / 2)), /tin[.]archive.*unpack/s],
  "that holds nothing": [bytes(""), /./],
  "without the program": [bytes(tarGz([{ name: "readme", body: "hello" }])), /no program 'agent'/],
  "whose program is a directory": [bytes(tarGz([{ name: "agent/" }])), /no program 'agent'/],
  "whose program does not speak ACP": [bytes(tarGz([{ name: "agent", body: "#!/bin/sh\necho hello\n", mode: 0o755 }])), /verif/],
  "whose program is for another machine": [bytes(tarGz([{ name: "agent", body: "\x7fELFnonsense", mode: 0o755 }])), /./],
  "that is redirected in circles": [redirect(at), /redirect/i],
  "that is redirected to http on another host": [redirect("http://archives.example.test/x.tar.gz"), /https/],
  "that is redirected to a file": [redirect("file:///etc/hostname"), /./],
};

for (const [what, [answer, words]] of Object.entries(plain))
  test(`an archive ${what} is refused, and the old version works on`, async (t) => {
    const world = await oldInstall(t);
    world.scene.web.put(at, answer);
    await refused(world, words);
  });

test("an archive that is redirected from https to http on another host is refused", async (t) => {
  const world = await oldInstall(t, { tls: true });
  world.scene.web.put(at, redirect("http://archives.example.test/x.tar.gz"));
  await refused(world, /https/);
});

test("an archive with another hash than the registry says is refused with both hashes", async (t) => {
  const world = await oldInstall(t, { entry: { sha256: sha256(good).toUpperCase() } });
  const other = tarGz([program("6.6.6")]);
  world.scene.web.put(at, bytes(other));
  const { cause } = await refused(world, /tin[.]archive/);
  for (const hash of [sha256(good), sha256(other)]) assert.match(cause, new RegExp(hash, "i"));
});

for (const [what, answer] of Object.entries({ "says that it is": bytes(Buffer.alloc(300_000)), "never ends": endless() }))
  test(`an archive larger than --max-artifact-bytes that ${what} is refused`, async (t) => {
    const world = await oldInstall(t, { flags: ["--max-artifact-bytes", "200000"] });
    world.scene.web.put(at, answer);
    await refused(world, /200000|200,000|too large|larger/);
  });

test("an archive that unpacks to much more than it weighs is refused", async (t) => {
  const world = await oldInstall(t, { flags: ["--max-artifact-bytes", "200000"] });
  world.scene.web.put(at, bytes(tarGz([program("6.6.6"), { name: "zeros", body: Buffer.alloc(16 << 20) }])));
  await refused(world, /unpack|large/);
});

// Ways out of the tree. Each would put or change a file named "escaped" outside.
const outside = (scene) => path.join(scene.root, "escaped");
const escapes = {
  "a name with ..": () => [{ name: "../../../../../../escaped", body: "x" }],
  "a name with .. in the middle": () => [{ name: "a/" }, { name: "a/../../../../../../../escaped", body: "x" }],
  "an absolute name": (scene) => [{ name: outside(scene), body: "x" }],
  "a link out of the tree and a file through it": (scene) => [
    { name: "out", link: scene.root },
    { name: "out/escaped", body: "x" },
  ],
  "a link to .. and a file through it": () => [
    { name: "out", link: "../../../../../.." },
    { name: "out/escaped", body: "x" },
  ],
  "a link out of the tree": () => [{ name: "out", link: "/etc" }],
  "a program that is a link out of the tree": () => [{ name: "agent", link: "/bin/sh" }],
};

for (const [what, entries] of Object.entries(escapes))
  for (const [kind, pack] of Object.entries({ "tar.gz": tarGz, zip }))
    test(`a ${kind} with ${what} is refused`, async (t) => {
      const world = await oldInstall(t);
      const hostile = entries(world.scene);
      const programs = hostile.some((entry) => entry.name === "agent") ? [] : [program("6.6.6")];
      world.scene.web.put(at, bytes(pack([...programs, ...hostile])));
      await refused(world, /tin[.]archive/);
      assert.ok(!existsSync(outside(world.scene)));
    });

test("a hard link out of the tree is refused", async (t) => {
  const world = await oldInstall(t);
  world.scene.web.put(at, bytes(tarGz([program("6.6.6"), { name: "own", type: "hardlink", link: "/etc/hostname" }])));
  await refused(world, /tin[.]archive/);
});

const faulty = {
  "over plain http from another host": [{ url: "http://archives.example.test/tin.tar.gz" }, /https/],
  "over plain http from a host that only looks like this machine": [{ url: "http://127.0.0.1.example.test/x" }, /https/],
  "from a file": [{ url: "file:///etc/hostname" }, /./],
  "whose cmd leaves the tree": [{ cmd: "../../../../bin/sh" }, /cmd/],
  "whose cmd is absolute": [{ cmd: "/bin/sh" }, /cmd/],
  "whose cmd leads through a name and out": [{ cmd: "agent/../../sh" }, /cmd/],
  "whose sha256 is none": [{ sha256: "abc" }, /sha256/i],
  "without an archive": [{ url: "" }, /archive/],
};

for (const [what, [entry, words]] of Object.entries(faulty))
  test(`an agent listed ${what} is refused before anything is downloaded`, async (t) => {
    const scene = await makeScene(t, { manifests: [tin] });
    scene.announce(scene.archived({ id: "tin", at, answer: bytes(good), ...entry }));
    const daemon = await scene.daemon();
    const before = scene.shot();
    const problem = await daemon.fails("tin");
    assert.equal(problem.agent, "tin");
    assert.match(problem.cause, words);
    assert.equal(scene.web.count(at), 0);
    assert.deepEqual(scene.shot(), before);
    assert.equal((await daemon.get("/v1/agents/tin")).installed, false);
  });

test("an agent that is not offered for this platform is refused in words that name the platform", async (t) => {
  const scene = await makeScene(t, { manifests: [tin, { ...tin, id: "iron", platforms: ["haiku-m68k"] }] });
  const entry = scene.archived({ id: "tin", at, answer: bytes(good) });
  const [archive] = Object.values(entry.distribution.binary);
  entry.distribution.binary = { "haiku-m68k": archive };
  scene.announce(entry);
  const daemon = await scene.daemon();
  assert.match((await daemon.fails("tin")).cause, new RegExp(platform));
  const { cause } = await daemon.fails("iron");
  assert.match(cause, new RegExp(platform));
  assert.match(cause, /haiku-m68k/);
  assert.equal(scene.web.count(at), 0);
});

test("a failed first install leaves nothing, and the next one succeeds", async (t) => {
  const scene = await makeScene(t, { manifests: [tin] });
  scene.announce(scene.archived({ id: "tin", at, answer: truncated(good) }));
  const daemon = await scene.daemon();
  const before = scene.shot();
  await daemon.fails("tin");
  assert.deepEqual(scene.shot(), before);
  assert.equal((await daemon.get("/v1/agents/tin")).installed, false);
  scene.web.put(at, bytes(good));
  await daemon.installed("tin");
  assert.equal(await daemon.version("tin"), "1.0.0");
});

test("bits that lend somebody's rights are not kept", async (t) => {
  const scene = await makeScene(t, { manifests: [tin] });
  const files = [{ ...program("1.0.0"), mode: 0o6755 }, { name: "other", body: "x", mode: 0o6755 }];
  scene.announce(scene.archived({ id: "tin", answer: bytes(tarGz(files)) }));
  const daemon = await scene.daemon();
  await daemon.installed("tin");
  const shot = Object.entries(scene.shot().bin).filter(([name]) => /files[/](agent|other)$/.test(name));
  assert.equal(shot.length, 2);
  for (const [name, what] of shot) assert.match(what, /^file 755 /, name);
});

for (const code of [0, 3])
  test(`a manifest's own verification counts: a program that ends with ${code} is ${code ? "refused" : "installed"}`, async (t) => {
    const scene = await makeScene(t, { manifests: [{ ...tin, verify: ["--check", "two words"] }] });
    const before = `if [ "$1" = --check ]; then echo "checked $2" >&2; exit ${code}; fi`;
    const args = ["--acp"];
    scene.announce(scene.archived({ id: "tin", answer: bytes(tarGz([program("1.0.0", { before })])), args }));
    const daemon = await scene.daemon();
    if (code) assert.match((await daemon.fails("tin")).stderr, /checked two words/);
    else await daemon.installed("tin");
  });

test("an agent whose process ends during the verification is refused with what it wrote to stderr", async (t) => {
  const world = await oldInstall(t);
  world.scene.web.put(at, bytes(tarGz([{ name: "agent", body: nodeAgent("6.6.6", { fault: "exit" }), mode: 0o755 }])));
  const problem = await refused(world, /verif/);
  assert.match(JSON.stringify(problem), /broken on purpose/);
});
