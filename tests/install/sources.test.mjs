// Where installs come from: archives of every kind, npm packages, the pinned fallback; and what the registry has to say.
import assert from "node:assert/strict";
import { readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { tar, tarBz2, tarGz, zip } from "./archives.mjs";
import { installEvents } from "./install_events.mjs";
import { bytes, json, redirect, startServer, status } from "./registry_server.mjs";
import { makeScene, platform, sha256 } from "./scene.mjs";
import { nodeAgent, shellAgent } from "./test_agents.mjs";
import { until } from "./waiting.mjs";

const tin = { id: "tin", name: "Tin", registry: ["tin-old-name", "tin-slug"] };
const pinned = { package: "tin-agent", version: "1.0.0" };
const program = (version) => ({ name: "agent", body: shellAgent(version), mode: 0o755 });
const packed = (version) => tarGz([program(version)]);

const tinPackage = (version, more = {}) => ({
  name: "tin-agent",
  version,
  bin: { "tin-agent": "agent.js" },
  files: { "agent.js": nodeAgent(version) },
  ...more,
});

const kinds = {
  "a tar.gz": packed("1.2.0"),
  "a tar.bz2": tarBz2([program("1.2.0")]),
  "a plain tar": tar([program("1.2.0")]),
  "a zip": zip([program("1.2.0")]),
  "a zip that does not say its programs are executable": zip([{ ...program("1.2.0"), mode: 0o644 }]),
  "a bare program": Buffer.from(shellAgent("1.2.0")),
};

for (const [kind, body] of Object.entries(kinds))
  test(`an agent the registry lists as ${kind} is installed and answers`, async (t) => {
    const scene = await makeScene(t, { manifests: [tin] });
    scene.announce(scene.archived({ id: "tin-slug", version: "1.2.0", answer: bytes(body), sha256: sha256(body) }));
    const daemon = await scene.daemon();
    const answer = await daemon.installed("tin");
    assert.equal(answer.already_installed, false);
    assert.equal(answer.artifacts.length, 1);
    const [artifact] = answer.artifacts;
    assert.equal(artifact.kind, "agent_process");
    assert.equal(artifact.source, "registry");
    assert.equal(artifact.version, "1.2.0");
    assert.equal(artifact.path, scene.launcher("tin"));
    assert.equal(await daemon.version("tin"), "1.2.0");
    assert.equal((await daemon.get("/v1/agents/tin")).install.registry, "listed");
    assert.deepEqual(scene.shot().temporary, []);
  });

test("a program in a folder of its archive, with links inside the archive, is found and gets its arguments", async (t) => {
  const scene = await makeScene(t, { manifests: [tin] });
  const body = tarGz([
    { name: "app-1.0/lib/agent.cjs", body: nodeAgent("1.0.0"), mode: 0o755 },
    { name: "app-1.0/bin/agent", link: "../lib/agent.cjs" },
  ]);
  const args = ["--acp", "two words", "it's", "$HOME"];
  scene.announce(scene.archived({ id: "tin-slug", answer: bytes(body), cmd: "app-1.0/bin/agent", args }));
  const daemon = await scene.daemon();
  await daemon.installed("tin");
  assert.deepEqual((await daemon.acp("tin", "_test/surroundings")).argv.slice(2), args);
});

test("of the variables a registry asks for, those that plumb processes are dropped and the others kept", async (t) => {
  const plumbing = ["PATH", "HOME", "LD_PRELOAD", "LD_LIBRARY_PATH", "NODE_OPTIONS", "NODE_EXTRA_CA_CERTS", "npm_config_registry"];
  plumbing.push("PYTHONPATH", "SSL_CERT_FILE", "BASH_ENV", "ENV", "IFS", "TMPDIR", "HTTPS_PROXY", "https_proxy");
  plumbing.push("SANDBOX_AGENT_TOKEN", "XDG_DATA_HOME", "GIT_SSH_COMMAND");
  const env = { TIN_UPDATES: "off", TIN_WORDS: "it's a 'quoted' $HOME `id`\nline", TIN_SET: "by the registry" };
  for (const name of plumbing) env[name] = "/nowhere/evil";
  const scene = await makeScene(t, { manifests: [tin] });
  const body = tarGz([{ name: "agent", body: nodeAgent("1.0.0"), mode: 0o755 }]);
  scene.announce(scene.archived({ id: "tin-slug", answer: bytes(body), env: { ...env, "BAD NAME": "x", "A=B": "x", "9": "x" } }));
  const daemon = await scene.daemon({ env: { TIN_SET: "by the user" } });
  await daemon.installed("tin");
  const got = (await daemon.acp("tin", "_test/surroundings")).env;
  assert.equal(got.TIN_UPDATES, "off");
  assert.equal(got.TIN_WORDS, env.TIN_WORDS);
  assert.equal(got.TIN_SET, "by the user", "the environment comes first");
  for (const name of plumbing) assert.doesNotMatch(got[name] ?? "", /evil/, name);
  for (const name of ["BAD NAME", "A", "9"]) assert.ok(!(name in got), name);
  assert.doesNotMatch(readFileSync(scene.launcher("tin"), "utf8"), /evil/);
});

test("archives come over https, and the authority is the one SSL_CERT_FILE names", async (t) => {
  const scene = await makeScene(t, { manifests: [tin], tls: true });
  scene.announce(scene.archived({ id: "tin-slug", answer: bytes(packed("1.0.0")) }));
  const stranger = await scene.daemon({ env: { SSL_CERT_FILE: "/dev/null", SANDBOX_AGENT_ACP_REGISTRY_URL: asFile(scene) } });
  assert.match((await stranger.fails("tin")).cause, /certificate|TLS/i);
  const daemon = await scene.daemon();
  await daemon.installed("tin");
  assert.equal(await daemon.version("tin"), "1.0.0");
});

test("a certificate for another host is refused", async (t) => {
  const scene = await makeScene(t, { manifests: [tin], tls: "DNS:elsewhere.example.test" });
  scene.web.put("/tin-slug-1.0.0.archive", bytes(packed("1.0.0")));
  const daemon = await scene.daemon({ env: { SANDBOX_AGENT_ACP_REGISTRY_URL: asFile(scene) } });
  assert.match((await daemon.fails("tin")).cause, /certificate|TLS/i);
  assert.equal(scene.web.count(), 0);
});

// The registry's document in a file, with the same archive.
function asFile(scene, url = `${scene.web.url}/tin-slug-1.0.0.archive`) {
  const file = path.join(scene.root, "registry-file.json");
  writeFileSync(file, JSON.stringify({ version: "1.0.0", agents: [scene.archived({ id: "tin-slug", url })] }));
  return file;
}

test("redirects are followed, within a server and from http to https", async (t) => {
  const scene = await makeScene(t, { manifests: [tin], tls: true });
  const front = await startServer();
  t.after(() => front.stop());
  scene.web.put("/real", bytes(packed("1.0.0")));
  scene.web.put("/moved", redirect("/real", 301));
  const url = front.put("/old", redirect(`${scene.web.url}/moved`, 307));
  scene.announce(scene.archived({ id: "tin-slug", url }));
  const daemon = await scene.daemon();
  await daemon.installed("tin");
  assert.equal(await daemon.version("tin"), "1.0.0");
});

test("an agent the registry lists as an npm package is installed by npm, with its arguments and variables", async (t) => {
  const scene = await makeScene(t, { manifests: [tin] });
  scene.npm.publish({ name: "tin-words", version: "1.4.0", files: { "index.js": "module.exports = 4;" } });
  scene.npm.publish({ ...tinPackage("2.0.0"), name: "@tin/agent", dependencies: { "tin-words": "^1.0.0" } });
  const npx = { package: "@tin/agent@2.0.0", args: ["--acp"], env: { TIN_UPDATES: "off", NODE_OPTIONS: "--nonsense" } };
  scene.announce({ id: "tin-slug", name: "Tin", version: "2.0.0", distribution: { npx } });
  const daemon = await scene.daemon();
  const { artifacts } = await daemon.installed("tin");
  assert.equal(artifacts[0].source, "registry");
  assert.equal(artifacts[0].version, "2.0.0");
  const { argv, env } = await daemon.acp("tin", "_test/surroundings");
  assert.deepEqual(argv.slice(2), ["--acp"]);
  assert.equal(env.TIN_UPDATES, "off");
  assert.equal(env.NODE_OPTIONS, undefined);
});

test("an agent the registry does not list is installed from its pinned package, and that is said", async (t) => {
  const scene = await makeScene(t, { manifests: [{ ...tin, process: { npm: pinned, args: ["--stdio"], env: { TIN: "1" } } }] });
  scene.npm.publish(tinPackage("1.0.0"));
  scene.npm.publish(tinPackage("1.1.0"));
  scene.announce();
  const daemon = await scene.daemon();
  const { artifacts } = await daemon.installed("tin");
  assert.deepEqual([artifacts[0].source, artifacts[0].version], ["fallback", "1.0.0"]);
  assert.equal((await daemon.get("/v1/agents/tin")).install.registry, "non_registry");
  const { argv, env } = await daemon.acp("tin", "_test/surroundings");
  assert.deepEqual(argv.slice(2), ["--stdio"]);
  assert.equal(env.TIN, "1");
});

test("an agent listed for other platforms only is installed from its pinned package and stays listed", async (t) => {
  const scene = await makeScene(t, { manifests: [{ ...tin, process: { npm: pinned } }] });
  scene.npm.publish(tinPackage("1.0.0"));
  const archive = `${scene.web.url}/never`;
  scene.announce({ id: "tin-slug", name: "Tin", version: "2.0.0", distribution: { binary: { "haiku-m68k": { archive, cmd: "./a" } } } });
  const daemon = await scene.daemon();
  const { artifacts } = await daemon.installed("tin");
  assert.deepEqual([artifacts[0].source, artifacts[0].version], ["fallback", "1.0.0"]);
  assert.equal((await daemon.get("/v1/agents/tin")).install.registry, "listed");
  assert.equal(scene.web.count("/never"), 0);
});

for (const [what, answer] of Object.entries({ "answers 500": status(500), "is no JSON": bytes("<html>"), "is no object": json([1]) }))
  test(`a registry that ${what} counts as unreachable: the pinned package is installed, and that is said`, async (t) => {
    const scene = await makeScene(t, { manifests: [{ ...tin, process: { npm: pinned } }] });
    scene.npm.publish(tinPackage("1.0.0"));
    scene.web.put("/registry.json", answer);
    const daemon = await scene.daemon();
    assert.equal((await daemon.installed("tin")).artifacts[0].source, "fallback");
    assert.equal((await daemon.get("/v1/agents/tin")).install.registry, "unreachable");
  });

for (const [what, text] of Object.entries({ "is no JSON": "<html>", "is empty": "", "has no list of agents": "{}" }))
  test(`a registry in a file that ${what} counts as unreachable, before an install and during it`, async (t) => {
    const scene = await makeScene(t, { manifests: [{ ...tin, process: { npm: pinned } }, { ...tin, id: "bare" }] });
    scene.npm.publish(tinPackage("1.0.0"));
    const file = path.join(scene.root, "damaged.json");
    writeFileSync(file, text);
    const daemon = await scene.daemon({ env: { SANDBOX_AGENT_ACP_REGISTRY_URL: file } });
    const { install } = await daemon.get("/v1/agents/tin");
    assert.deepEqual([install.registry, install.source], ["unreachable", "fallback"]);
    assert.equal((await daemon.installed("tin")).artifacts[0].source, "fallback");
    assert.equal((await daemon.get("/v1/agents/tin")).install.registry, "unreachable");
    assert.ok((await daemon.fails("bare")).cause.includes(`'${file}' is no registry of agents`));
    assert.ok((await daemon.get("/v1/agents/bare")).install.problem.includes(file));
  });

test("an unreachable registry without a pinned package is a failure that says so", async (t) => {
  const scene = await makeScene(t, { manifests: [{ ...tin, unavailable: "Ask the tin people." }] });
  const daemon = await scene.daemon({ env: { SANDBOX_AGENT_ACP_REGISTRY_URL: "http://127.0.0.1:1/registry.json" } });
  const problem = await daemon.fails("tin");
  assert.equal(problem.agent, "tin");
  assert.match(problem.cause, /registry.*Ask the tin people/s);
});

test("an unreachable registry with a copy, however old, is what the copy says", async (t) => {
  const scene = await makeScene(t, { manifests: [tin] });
  scene.announce(scene.archived({ id: "tin-slug", answer: bytes(packed("1.0.0")) }));
  const daemon = await scene.daemon();
  await daemon.installed("tin");
  makeOld(scene);
  scene.web.put("/registry.json", status(503));
  const later = await scene.daemon();
  const answer = await later.installed("tin", { reinstall: true });
  assert.equal(answer.artifacts[0].source, "registry");
  assert.match(answer.registryCopyOf, /^20..-..-..T..:..:../);
  assert.equal(scene.web.count("/registry.json"), 2);
  const { install } = await later.get("/v1/agents/tin");
  assert.deepEqual([install.registry, install.registryCopyOf], ["listed", answer.registryCopyOf]);
  const done = (await (await installEvents(later, "tin", { reinstall: true })).ended).at(-1);
  assert.deepEqual([done.event, done.data.registryCopyOf], ["done", answer.registryCopyOf]);
});

// Makes the registry's copy two hours older, in every way it may note its time.
function makeOld(scene) {
  const file = path.join(scene.ours, "registry.json");
  const older = (key, value) => (typeof value === "number" && value > 1.6e12 ? value - 7_200_000 : value);
  writeFileSync(file, JSON.stringify(JSON.parse(readFileSync(file, "utf8")), older));
  const then = Date.now() / 1000 - 7200;
  utimesSync(file, then, then);
}

test("no_cache asks a registry that nobody asked yet, once however many ask, and nobody else waits for it", async (t) => {
  const scene = await makeScene(t, { manifests: [{ ...tin, process: { npm: pinned } }] });
  const held = [];
  scene.web.put("/registry.json", (request, response) => held.push(() => listing(request, response)));
  const entry = scene.archived({ id: "tin-slug", answer: bytes(packed("1.0.0")) });
  const listing = json({ version: "1.0.0", agents: [entry] });
  const daemon = await scene.daemon();
  const known = async (target) => {
    const answer = await daemon.get(target);
    const { install } = answer.agents?.find(({ id }) => id === "tin") ?? answer;
    return [install.registry, install.source];
  };
  assert.deepEqual(await known("/v1/agents/tin"), ["unreachable", "fallback"]);
  assert.equal(scene.web.count("/registry.json"), 0);
  const asked = ["/v1/agents/tin", "/v1/agents", "/v1/agents/tin"].map((target) => known(`${target}?no_cache=true`));
  await until("the registry is asked", () => held.length > 0);
  assert.deepEqual(await known("/v1/agents"), ["unreachable", "fallback"]);
  assert.equal((await daemon.get("/v1/agents/mock?no_cache=true")).installed, true);
  held[0]();
  assert.deepEqual(await Promise.all(asked), Array(3).fill(["listed", "registry"]));
  assert.deepEqual(await known("/v1/agents/tin"), ["listed", "registry"]);
  assert.equal(scene.web.count("/registry.json"), 1);
});

test("no_cache says why the registry cannot be used, where that matters", async (t) => {
  const scene = await makeScene(t, { manifests: [tin] });
  scene.web.put("/registry.json", status(503));
  const daemon = await scene.daemon();
  const unasked = (await daemon.get("/v1/agents/tin")).install;
  assert.deepEqual([unasked.source, unasked.problem], ["registry", undefined]);
  const asked = (await daemon.get("/v1/agents/tin?no_cache=true")).install;
  assert.equal(asked.registry, "unreachable");
  assert.match(asked.problem, /It answered 503/);
});

test("what only a registry has that nobody asked yet is not called unreachable in words", async (t) => {
  const scene = await makeScene(t, { manifests: [tin] });
  scene.announce();
  const daemon = await scene.daemon();
  assert.equal((await daemon.get("/v1/agents/tin")).install.problem, undefined);
  await daemon.fails("tin");
  assert.match((await daemon.get("/v1/agents/tin")).install.problem, /the registry does not list it/);
});

test("the registry is fetched when something is to be installed, then not again for an hour", async (t) => {
  const iron = { id: "iron", name: "Iron", registry: ["iron"] };
  const scene = await makeScene(t, { manifests: [tin, iron] });
  const both = (version) => {
    const entry = (id) => scene.archived({ id, version, answer: bytes(packed(version)) });
    scene.announce(entry("tin-slug"), entry("iron"));
  };
  both("1.0.0");
  const daemon = await scene.daemon();
  await daemon.get("/v1/agents");
  await daemon.get("/v1/agents/tin");
  assert.equal(scene.web.count(), 0, "looking at agents fetches nothing");
  await daemon.installed("tin");
  both("1.1.0");
  const other = await scene.daemon();
  assert.equal((await other.installed("iron")).artifacts[0].version, "1.0.0");
  assert.equal(scene.web.count("/registry.json"), 1);
  makeOld(scene);
  assert.equal((await other.installed("iron", { reinstall: true })).artifacts[0].version, "1.1.0");
  assert.equal((await other.installed("tin", { reinstall: true })).artifacts[0].version, "1.1.0");
  assert.equal(scene.web.count("/registry.json"), 2);
});

test("a broken copy of the registry, or one of another registry, is fetched anew", async (t) => {
  const scene = await makeScene(t, { manifests: [tin] });
  scene.announce(scene.archived({ id: "tin-slug", answer: bytes(packed("1.0.0")) }));
  const daemon = await scene.daemon();
  await daemon.installed("tin");
  writeFileSync(path.join(scene.ours, "registry.json"), '{"url": 7');
  await daemon.installed("tin", { reinstall: true });
  assert.equal(scene.web.count("/registry.json"), 2);
  const entry = scene.archived({ id: "tin-slug", version: "2.0.0", answer: bytes(packed("2.0.0")) });
  const elsewhere = scene.web.put("/other.json", json({ version: "1.0.0", agents: [entry] }));
  const other = await scene.daemon({ env: { SANDBOX_AGENT_ACP_REGISTRY_URL: elsewhere } });
  assert.equal((await other.installed("tin", { reinstall: true })).artifacts[0].version, "2.0.0");
});

test("a registry that is a file is read from there, by path or by URL, as it is now", async (t) => {
  const scene = await makeScene(t, { manifests: [tin] });
  scene.web.put("/tin-slug-1.0.0.archive", bytes(packed("1.0.0")));
  const file = asFile(scene);
  const daemon = await scene.daemon({ env: { SANDBOX_AGENT_ACP_REGISTRY_URL: file } });
  assert.equal((await daemon.installed("tin")).artifacts[0].version, "1.0.0");
  assert.equal((await daemon.get("/v1/agents/tin")).install.registry, "listed");
  const entry = scene.archived({ id: "tin-old-name", version: "3.0.0", answer: bytes(packed("3.0.0")) });
  writeFileSync(file, JSON.stringify({ version: "1.0.0", agents: [entry] }));
  assert.equal((await daemon.installed("tin", { reinstall: true })).artifacts[0].version, "3.0.0");
  const other = await scene.daemon({ env: { SANDBOX_AGENT_ACP_REGISTRY_URL: `file://${file}` } });
  assert.equal((await other.installed("tin", { reinstall: true })).artifacts[0].version, "3.0.0");
  rmSync(file);
  assert.match((await other.fails("tin", { reinstall: true })).cause, /registry/);
  assert.equal(await other.version("tin"), "3.0.0");
});

test("what the registry says of other agents, however wrong, does not matter", async (t) => {
  const scene = await makeScene(t, { manifests: [tin] });
  const good = scene.archived({ id: "tin-slug", answer: bytes(packed("1.0.0")) });
  scene.announce({ id: "other", distribution: { binary: "none" } }, 7, { name: "no id" }, null, { ...good, authors: 7, icon: null });
  const daemon = await scene.daemon();
  assert.equal((await daemon.installed("tin")).artifacts[0].source, "registry");
});

test("an entry of the registry that makes no sense is a failure that names its place", async (t) => {
  const scene = await makeScene(t, { manifests: [tin] });
  scene.announce({ id: "tin-slug", name: "Tin", version: "1.0.0", distribution: { binary: { [platform]: { archive: 7 } } } });
  const daemon = await scene.daemon();
  assert.match((await daemon.fails("tin")).cause, /distribution[.]binary.*archive/);
});

for (const kind of ["archive", "npm package"])
  test(`an install from an ${kind} works in a data folder with a difficult name that is not there yet`, async (t) => {
    const scene = await makeScene(t, { manifests: [{ ...tin, process: { npm: pinned } }] });
    if (kind === "archive") scene.announce(scene.archived({ id: "tin-slug", answer: bytes(packed("1.0.0")) }));
    else scene.announce();
    scene.npm.publish(tinPackage("1.0.0"));
    const data = path.join(scene.root, `it's a "data" $HOME \\ folder; true`, "deeper");
    const daemon = await scene.daemon({ env: { XDG_DATA_HOME: data } });
    await daemon.installed("tin");
    assert.equal(await daemon.version("tin"), "1.0.0");
  });

for (const name of ["file:/etc", "tin-agent@file:/etc", "git+ssh://example.test/x.git", "../tin", "-g", "tin-agent@1.0.0 --ignore-scripts=false", "a@npm:b@1.0.0"])
  test(`'${name}' is no npm package for the registry to name`, async (t) => {
    const scene = await makeScene(t, { manifests: [tin] });
    scene.announce({ id: "tin-slug", name: "Tin", version: "1.0.0", distribution: { npx: { package: name } } });
    const daemon = await scene.daemon();
    const { cause } = await daemon.fails("tin");
    assert.ok(cause.includes(name), cause);
    assert.equal(scene.npm.count(), 0);
  });

test("an agent that comes as a Python package says that it needs uv where there is none", async (t) => {
  const scene = await makeScene(t, { manifests: [tin] });
  scene.announce({ id: "tin-slug", name: "Tin", version: "1.0.0", distribution: { uvx: { package: "tin-agent==1.0.0" } } });
  const daemon = await scene.daemon({ env: { PATH: "/nowhere" } });
  assert.match((await daemon.fails("tin")).cause, /uv\b/);
  assert.deepEqual(scene.trees("tin"), []);
});

test("an entry for this platform comes before a package, and the first of the manifest's names that is listed counts", async (t) => {
  const scene = await makeScene(t, { manifests: [tin] });
  const both = scene.archived({ id: "tin-old-name", version: "1.5.0", answer: bytes(packed("1.5.0")) });
  both.distribution.npx = { package: "tin-agent@9.0.0" };
  scene.announce(scene.archived({ id: "tin-slug", version: "0.1.0", answer: status(500) }), both, { id: "tin-slug" });
  const daemon = await scene.daemon();
  assert.equal((await daemon.installed("tin")).artifacts[0].version, "1.5.0");
  assert.ok(platform in both.distribution.binary);
  assert.equal(scene.npm.count(), 0);
});
