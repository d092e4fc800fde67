// A registry, an archive or a proxy that is out to do harm: each trick with what becomes of it. Beside refusals.test.mjs, where
// what fails is merely broken.
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { tarGz, zip } from "./archives.mjs";
import { bytes, endless, redirect } from "./registry_server.mjs";
import { makeScene } from "./scene.mjs";
import { nodeAgent, shellAgent } from "./test_agents.mjs";

const tin = { id: "tin", name: "Tin", registry: ["tin"] };
const program = { name: "agent", body: shellAgent("6.6.6"), mode: 0o755 };
const escaped = (scene) => path.join(scene.root, "escaped");

// A registry that would be taken but for the trick. `elsewhere` is the way to a good one that must not be taken; 0.0.0.0 is this
// machine to the kernel and another one to us.
const documents = {
  "never ends": () => endless(),
  "is larger than 16 MiB": ({ good }) => bytes(good.replace("{", `{${" ".repeat(17 << 20)}`)),
  "nests without end": ({ good }) => bytes(good.replace("{", `{"more":${"[".repeat(100_000)}${"]".repeat(100_000)},`)),
  "is not UTF-8": ({ good }) => bytes(Buffer.from(good.replace("{", '{"more":"\xff",'), "latin1")),
  "leads to a file": ({ file }) => redirect(`file://${file}`),
  "leads to plain http on another host": ({ port }) => redirect(`http://0.0.0.0:${port}/good.json`),
  "leads to another scheme": ({ port }) => redirect(`gopher://127.0.0.1:${port}/good.json`),
  "leads to itself": () => redirect("/registry.json"),
  "leads nowhere": () => redirect("http://"),
};

for (const [what, make] of Object.entries({ "is as it should be": ({ good }) => bytes(good), ...documents }))
  test(`a registry that ${what} is ${documents[what] ? "no registry, and nothing is installed" : "taken"}`, async (t) => {
    const scene = await makeScene(t, { manifests: [tin] });
    const entry = scene.archived({ id: "tin", answer: bytes(tarGz([program])) });
    const good = JSON.stringify({ version: "1.0.0", agents: [entry] });
    const file = path.join(scene.root, "registry.json");
    writeFileSync(file, good);
    scene.web.put("/good.json", bytes(good));
    scene.web.put("/registry.json", make({ good, file, port: scene.web.port }));
    const daemon = await scene.daemon();
    if (!documents[what]) return void (await daemon.installed("tin"));
    const before = scene.shot();
    const problem = await daemon.fails("tin");
    assert.match(problem.cause, /registry could not be reached/);
    assert.equal((await daemon.get("/v1/agents/tin")).install.registry, "unreachable");
    assert.deepEqual(scene.shot(), before);
  });

for (const version of ["../../../../escaped", "..", "/escaped", "1.0.0\n2.0.0", "$(touch escaped)", "'; touch escaped; '", "v".repeat(100_000)])
  test(`a version such as ${JSON.stringify(version.slice(0, 24))} names a tree and nothing else`, async (t) => {
    const scene = await makeScene(t, { manifests: [tin] });
    scene.announce(scene.archived({ id: "tin", version, at: "/tin.archive", answer: bytes(tarGz([program])) }));
    const daemon = await scene.daemon();
    await daemon.installed("tin");
    assert.equal(await daemon.version("tin"), "6.6.6");
    assert.equal(scene.trees("tin").length, 1);
    for (const folder of [scene.root, scene.home, scene.data, scene.ours, scene.launchers])
      assert.ok(!existsSync(path.join(folder, "escaped")), folder);
  });

test("words of the registry are words to the program, never to a shell", async (t) => {
  const scene = await makeScene(t, { manifests: [tin] });
  const args = ["; touch escaped", "$(touch escaped)", "`touch escaped`", "'", '"', "\n touch escaped\n", "--", "*", "~", "${HOME}", "\\"];
  const body = tarGz([{ name: "agent", body: nodeAgent("1.0.0"), mode: 0o755 }]);
  scene.announce({ ...scene.archived({ id: "tin", answer: bytes(body), args }), name: "Tin\ntouch escaped", description: "`touch escaped`" });
  const daemon = await scene.daemon();
  await daemon.installed("tin");
  assert.deepEqual((await daemon.acp("tin", "_test/surroundings")).argv.slice(2), args);
  for (const folder of [scene.root, scene.home, scene.data]) assert.ok(!existsSync(path.join(folder, "escaped")), folder);
});

const archives = {
  "a tar with a device": () => tarGz([program, { name: "null", type: "character" }]),
  "a tar with a disk": () => tarGz([program, { name: "sda", type: "device" }]),
  "a tar with a pipe": () => tarGz([program, { name: "pipe", type: "fifo" }]),
  "a tar whose program is a pipe": () => tarGz([{ name: "agent", type: "fifo" }]),
  "a tar with a folder that becomes a link": (scene) =>
    tarGz([program, { name: "d/" }, { name: "d", link: scene.root }, { name: "d/escaped", body: "x" }]),
  "a tar with a hard link to a link that leads out": () =>
    tarGz([program, { name: "in/" }, { name: "in/l", link: "../agent" }, { name: "l", type: "hardlink", link: "in/l" }, { name: "l/escaped", body: "x" }]),
  "a zip with a folder that becomes a link": (scene) => zip([program, { name: "d", link: scene.root }, { name: "d/escaped", body: "x" }]),
  "a zip with backslashes": () => zip([program, { name: "..\\..\\..\\escaped", body: "x" }]),
  "a zip with a drive": () => zip([program, { name: "C:\\escaped", body: "x" }]),
  "a zip with a name of 5,000 bytes": () => zip([program, { name: "n".repeat(5000), body: "x" }]),
  "a zip with a NUL in a name": () => zip([program, { name: "a\0/../../escaped", body: "x" }]),
};

for (const [what, make] of Object.entries(archives))
  test(`${what} is refused, and nothing of it stays`, async (t) => {
    const scene = await makeScene(t, { manifests: [tin] });
    scene.announce(scene.archived({ id: "tin", answer: bytes(make(scene)) }));
    const daemon = await scene.daemon();
    const before = scene.shot();
    assert.match((await daemon.fails("tin")).cause, /cannot be unpacked/);
    assert.deepEqual(scene.shot(), before);
    assert.ok(!existsSync(escaped(scene)));
  });

const withPassword = (host) => `someone:pa55word@${host}`;
const secure = "https://archives.example.test/tin.tar.gz";
const passwords = {
  "an address that is not there": [(port) => `http://${withPassword(`127.0.0.1:${port}`)}/nothing`, {}, /404/],
  "an address that nobody answers": [() => `http://${withPassword("127.0.0.1:1")}/tin.tar.gz`, {}, /127[.]0[.]0[.]1/],
  "an address that is refused": [() => `http://${withPassword("archives.example.test")}/tin.tar.gz`, {}, /https/],
  "a proxy that nobody answers": [() => secure, { https_proxy: `http://${withPassword("127.0.0.1:1")}` }, /127[.]0[.]0[.]1/],
  "a proxy that cannot be used": [() => secure, { https_proxy: `socks5://${withPassword("127.0.0.1:1")}` }, /https_proxy/],
  "a proxy whose password is broken": [() => secure, { https_proxy: "http://someone:pa55word%@127.0.0.1:1" }, /https_proxy/],
};

for (const [what, [url, env, words]] of Object.entries(passwords))
  test(`the password of ${what} is in no problem and no log`, async (t) => {
    const scene = await makeScene(t, { manifests: [tin] });
    scene.announce(scene.archived({ id: "tin", url: url(scene.web.port) }));
    const daemon = await scene.daemon({ flags: ["--log-level", "debug"], env });
    const problem = await daemon.fails("tin");
    assert.match(problem.cause, words);
    assert.doesNotMatch(JSON.stringify(problem), /pa55word/);
    assert.doesNotMatch(JSON.stringify(await daemon.get("/v1/agents/tin")), /pa55word/);
    assert.doesNotMatch(daemon.errors(), /pa55word/);
  });

test("a registry on another host is asked over https only, and this machine never through a proxy", async (t) => {
  const scene = await makeScene(t, { manifests: [tin] });
  scene.announce(scene.archived({ id: "tin", answer: bytes(tarGz([program])) }));
  const proxy = "http://127.0.0.1:1";
  const other = `http://0.0.0.0:${scene.web.port}/registry.json`; // to the kernel it is this machine
  const plain = await scene.daemon({ env: { SANDBOX_AGENT_ACP_REGISTRY_URL: other } });
  assert.match((await plain.fails("tin")).cause, /registry could not be reached/);
  const proxied = await scene.daemon({ env: { http_proxy: proxy, https_proxy: proxy, all_proxy: proxy } });
  await proxied.installed("tin");
});
