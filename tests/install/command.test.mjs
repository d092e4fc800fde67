// The agents commands: what the routes do, without a daemon.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import path from "node:path";
import { test } from "node:test";
import { tarGz } from "./archives.mjs";
import { command, jsonLines, onTerminal, succeeds, table } from "./command_line.mjs";
import { processesWith } from "./disk.mjs";
import { bytes, following, stalling, status } from "./registry_server.mjs";
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

test("an unknown agent is three lines with suggestions, and nothing is installed", async (t) => {
  const scene = await tinScene(t);
  for (const words of [["agents", "install", "tin", "tni"], ["install-agent", "tni"], ["agents", "remove", "tni"], ["agents", "info", "tni"]]) {
    const { code, out, errors } = await command(scene, ...words);
    assert.equal(code, 5, words.join(" "));
    assert.match(errors, /^error: there is no agent 'tni'\n  is it 'tin'\? known agents: .*\btin\b.*\n  try: sandbox-agent agents list .*\n$/);
    assert.equal(out, "");
  }
  assert.deepEqual(scene.trees("tin"), []);
});

test("agents list is a table, the same with --json as the route, and asks nobody", async (t) => {
  const scene = await makeScene(t, { manifests: [{ ...tin, credentials: { variables: [{ name: "TIN_KEY" }] } }, { id: "own", name: "Own", command: ["sh"] }] });
  scene.announce(scene.archived({ id: "tin", at: "/tin", answer: bytes(body) }));
  const row = async (id) => table(await succeeds(scene, "agents", "list")).find(({ ID }) => ID === id);
  assert.deepEqual(await row("tin"), {
    ID: "tin", STATE: "not installed", VERSION: "-", SOURCE: "fallback", REGISTRY: "not asked", VERIFIED: "-", CREDENTIALS: "missing", NAME: "Tin",
  });
  assert.equal(scene.web.count(), 0);
  await succeeds(scene, "agents", "install", "tin");
  scene.environment.TIN_KEY = "a-secret-value";
  assert.deepEqual(await row("tin"), {
    ID: "tin", STATE: "installed", VERSION: "1.0.0", SOURCE: "registry", REGISTRY: "listed", VERIFIED: "yes", CREDENTIALS: "found in TIN_KEY", NAME: "Tin",
  });
  const { STATE, SOURCE, REGISTRY } = await row("own");
  assert.deepEqual([STATE, SOURCE, REGISTRY], ["by command", "local_path", "-"]);
  assert.equal((await row("mock")).STATE, "built in");
  const daemon = await scene.daemon();
  assert.deepEqual(JSON.parse(await succeeds(scene, "agents", "--json")), await daemon.get("/v1/agents"));
});

test("agents info tells everything of one agent, and never a key", async (t) => {
  const manifest = { ...tin, homepage: "https://tin.example", license: "MIT", credentials: { variables: [{ name: "TIN_KEY" }], files: ["~/.tin/key"] } };
  const scene = await makeScene(t, { manifests: [manifest, { id: "lead", name: "Lead", registry: ["lead"], unavailable: "Ask a plumber." }] });
  scene.announce(scene.archived({ id: "tin", at: "/tin", answer: bytes(body) }));
  await succeeds(scene, "agents", "install", "tin");
  scene.environment.TIN_KEY = "a-secret-value";
  const text = await succeeds(scene, "agents", "info", "tin");
  for (const part of ["Tin", "1.0.0", scene.launcher("tin"), "found in TIN_KEY", "TIN_KEY, ~/.tin/key", "https://tin.example", "MIT", "/tin", /verified at +20/])
    assert.match(text, part instanceof RegExp ? part : new RegExp(part.replaceAll(".", "[.]")));
  assert.doesNotMatch(text, /a-secret-value/);
  const daemon = await scene.daemon();
  assert.deepEqual(JSON.parse(await succeeds(scene, "agents", "info", "tin", "--json")), await daemon.get("/v1/agents/tin"));
  assert.match(await succeeds(scene, "agents", "info", "lead"), /problem .*Ask a plumber/);
});

test("install --json is a line for each step and a last one with what is installed", async (t) => {
  const scene = await tinScene(t);
  const lines = jsonLines(await succeeds(scene, "agents", "install", "tin", "--json"));
  const done = lines.pop();
  assert.deepEqual([done.event, done.agent, done.already_installed, done.artifacts[0].version], ["done", "tin", false, "1.0.0"]);
  assert.ok(lines.length > 0 && lines.every(({ event, agent, phase }) => event === "progress" && agent === "tin" && phase), JSON.stringify(lines));
  const again = jsonLines(await succeeds(scene, "install-agent", "tin", "--json")).pop();
  assert.deepEqual([again.event, again.already_installed], ["done", true]);
  assert.deepEqual(jsonLines(await succeeds(scene, "agents", "remove", "tin", "--json")), [{ agent: "tin", installed: false }]);
});

test("of several agents one that fails does not keep the others from being installed", async (t) => {
  const scene = await makeScene(t, { manifests: [tin, { ...tin, id: "lead", name: "Lead", registry: ["lead"], aliases: ["plumbum"] }] });
  scene.announce(scene.archived({ id: "tin", answer: bytes(body) }), scene.archived({ id: "lead", answer: status(404) }));
  const { code, errors, out } = await command(scene, "install-agent", "plumbum", "lead", "tin");
  assert.equal(code, 5);
  assert.match(errors, /error: 1 of 2 agents could not be installed\n  lead\n/);
  assert.match(out, /^agent_process\t1[.]0[.]0\tregistry\t/);
  assert.equal(scene.trees("tin").length, 1);
  const lines = jsonLines((await command(scene, "agents", "install", "lead", "tin", "--json")).out);
  assert.deepEqual(lines.filter(({ event }) => event !== "progress").map(({ event, agent, error }) => event ?? agent ?? error.exitCode), ["failed", "done", 5]);
});

test("install-agent --all installs what can be had here and leaves out the rest", async (t) => {
  // The built-in agents are replaced by ones that cannot be had, so that nothing is asked beyond this machine.
  const elsewhere = ({ id }) => ({ id, name: id, registry: [id], platforms: ["plan9-mips"] });
  const probe = await makeScene(t);
  const builtIn = JSON.parse(await succeeds(probe, "agents", "list", "--json")).agents.filter(({ install }) => install.source !== "builtin");
  const scene = await makeScene(t, { manifests: [tin, ...builtIn.map(elsewhere)] });
  scene.announce(scene.archived({ id: "tin", answer: bytes(body) }));
  const { code, errors, out } = await command(scene, "install-agent", "--all");
  assert.equal(code, 0, errors);
  assert.match(out, /^agent_process\t1[.]0[.]0\tregistry\t[^\n]*\n$/);
  assert.equal(errors.match(/left out: /g).length, builtIn.length);
  assert.equal((await command(scene, "install-agent", "--all", "tin")).code, 2);
  assert.equal((await command(scene, "install-agent")).code, 2);
});

test("progress in a pipe is at most one line per 10 % and phase, without control characters", async (t) => {
  const large = tarGz([{ name: "agent", body: shellAgent("1.0.0"), mode: 0o755 }, { name: "ballast", body: randomBytes(4_000_000) }]);
  let said = "";
  const hear = ({ stderr }) => stderr.on("data", (text) => (said += text));
  const shown = (share) => [...said.matchAll(/ (\d+) %/g)].some(([, percent]) => percent >= share * 100);
  const scene = await tinScene(t, following(large, [0.2, 0.5, 0.8], shown));
  const { code, errors } = await command(scene, hear, "agents", "install", "tin");
  assert.equal(code, 0, errors);
  const lines = errors.trimEnd().split("\n").filter((line) => line.startsWith("▸ installing tin  "));
  const shares = lines.map((line) => line.match(/downloading +(\d+) %/)).filter(Boolean).map(([, share]) => Number(share));
  assert.ok(shares.length >= 3 && shares.length <= 11, errors);
  assert.equal(new Set(shares.map((share) => Math.floor(share / 10))).size, shares.length, errors);
  const others = lines.filter((line) => !line.includes("%"));
  assert.equal(new Set(others).size, others.length, errors);
  assert.doesNotMatch(errors, /[\r\x1b]/);
  assert.match((await command(scene, "agents", "install", "tin", "--reinstall", "--quiet")).errors, /^$/);
});

test("progress on a terminal is one line that is gone at the end", async (t) => {
  const large = tarGz([{ name: "agent", body: shellAgent("1.0.0"), mode: 0o755 }, { name: "ballast", body: randomBytes(4_000_000) }]);
  const bar = /\r\x1b\[K▸ installing tin  █+░+ +\d+ %  \d[.]\d\/4[.]0 MB  \d+ s/;
  let shown = "";
  const look = ({ stdout }) => stdout.on("data", (text) => (shown += text));
  const scene = await tinScene(t, following(large, [0.5], () => bar.test(shown)));
  const seen = await onTerminal(scene, look, "agents", "install", "tin");
  assert.match(seen, bar);
  const [progress] = seen.split("✓");
  assert.equal(progress.split("\n").length, 1, JSON.stringify(seen));
  assert.match(progress, /\r\x1b\[K(\x1b\[32m)?$/);
});

test("a bundle goes by the command line from one machine to the other, with JSON where it is asked for", async (t) => {
  const scene = await tinScene(t);
  assert.equal((await command(scene, "agents", "bundle", "tin")).code, 2);
  const file = path.join(scene.root, "tin.tar.zst");
  const made = JSON.parse(await succeeds(scene, "agents", "bundle", "tin", "-o", file, "--json"));
  assert.deepEqual([made.file, made.agents], [file, ["tin"]]);
  const other = await makeScene(t, { manifests: [tin] });
  assert.equal((await command(other, "agents", "install", "tin", "--bundle", file)).code, 2);
  const [done] = jsonLines(await succeeds(other, "agents", "install", "--bundle", file, "--json"));
  assert.deepEqual([done.event, done.agent], ["done", "tin"]);
});

// Runs an install that stops at `reached`, sends the signal; nothing may be left, and the next install succeeds.
async function interrupted(scene, signal, reached) {
  let child;
  const ended = command(scene, (started) => (child = started), "agents", "install", "tin");
  await within(30_000, "the way there", reached);
  child.kill(signal);
  const ending = await within(15_000, "the end", ended);
  await until("nothing of it runs", () => processesWith(scene.mark).length === 0);
  return ending;
}

for (const signal of ["SIGINT", "SIGTERM"])
  test(`an install from the command line that gets ${signal} leaves nothing`, async (t) => {
    const slow = stalling(body, 10);
    const scene = await tinScene(t, slow);
    const ending = await interrupted(scene, signal, slow.reached);
    assert.equal(ending.code, 130, JSON.stringify(ending));
    assert.match(ending.errors, /^error: interrupted$/m);
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
