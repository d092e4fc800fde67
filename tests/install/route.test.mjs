// The install route itself: nothing to do, again, other versions, removal, launchers put by hand, progress as events.
import assert from "node:assert/strict";
import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { tarGz } from "./archives.mjs";
import { installEvents } from "./install_events.mjs";
import { bytes, stalling, status } from "./registry_server.mjs";
import { makeScene, problemOf } from "./scene.mjs";
import { nodeAgent, shellAgent } from "./test_agents.mjs";
import { timeScale, until, within } from "./waiting.mjs";

const tin = { id: "tin", name: "Tin", aliases: ["tinny"], registry: ["tin"] };
const packed = (version, ballast = "") =>
  tarGz([{ name: "agent", body: shellAgent(version), mode: 0o755 }, { name: "ballast", body: ballast }]);

async function tinScene(t, answer = bytes(packed("1.0.0"))) {
  const scene = await makeScene(t, { manifests: [tin] });
  scene.announce(scene.archived({ id: "tin", at: "/tin", answer }));
  return scene;
}

test("the second install has nothing to do: no request to anybody, the same artifacts, within 50 ms", async (t) => {
  const scene = await tinScene(t);
  const daemon = await scene.daemon();
  const first = await daemon.installed("tin");
  assert.equal(first.already_installed, false);
  const requests = scene.web.count();
  const before = scene.shot();
  const times = [];
  for (let round = 0; round < 5; ++round) {
    const begin = performance.now();
    const again = await daemon.installed("tin");
    times.push(performance.now() - begin);
    assert.equal(again.already_installed, true);
    assert.deepEqual(again.artifacts, first.artifacts);
  }
  assert.equal(scene.web.count() + scene.npm.count(), requests);
  assert.deepEqual(scene.shot(), before);
  assert.ok(Math.min(...times) < 50 * timeScale, `${times} ms`);
});

test("a reinstall fetches again and switches to what is there now; the version before stays until the next one", async (t) => {
  const scene = await tinScene(t);
  const daemon = await scene.daemon();
  await daemon.installed("tin");
  for (const version of ["1.0.1", "1.0.2", "1.0.3"]) {
    scene.web.put("/tin", bytes(packed(version)));
    assert.equal((await daemon.installed("tin", { reinstall: true })).already_installed, false);
    assert.equal(await daemon.version("tin"), version);
  }
  assert.equal(scene.web.count("/tin"), 4);
  assert.equal(scene.trees("tin").length, 2);
});

test("an agent that runs while it is reinstalled goes on, and the next one is the new version", async (t) => {
  const scene = await makeScene(t, { manifests: [tin] });
  const answer = (version) => bytes(tarGz([{ name: "agent", body: nodeAgent(version), mode: 0o755 }]));
  scene.announce(scene.archived({ id: "tin", at: "/tin", answer: answer("1.0.0") }));
  const daemon = await scene.daemon();
  await daemon.installed("tin");
  assert.equal((await daemon.post("old", "initialize", {}, "tin")).status, 200);
  scene.web.put("/tin", answer("2.0.0"));
  await daemon.installed("tin", { reinstall: true });
  const { script } = JSON.parse((await daemon.post("old", "_test/surroundings")).body).result;
  assert.ok(existsSync(script), "its files are still there");
  assert.equal(await daemon.version("tin"), "2.0.0");
});

test("an alias and an id name the same install", async (t) => {
  const scene = await tinScene(t);
  const daemon = await scene.daemon();
  await daemon.installed("tinny");
  assert.equal((await daemon.installed("tin")).already_installed, true);
  assert.equal(await daemon.version("tinny"), "1.0.0");
});

test("an unknown agent is told with suggestions", async (t) => {
  const scene = await tinScene(t);
  const daemon = await scene.daemon();
  const problem = problemOf(await daemon.install("tni"), 400, "unsupported_agent");
  assert.ok(problem.suggestions.includes("tin"), JSON.stringify(problem));
  problemOf(await daemon.install("..%2f..%2fetc"), 400, "unsupported_agent");
});

test("versions that can be no versions are told with their field", async (t) => {
  const scene = await tinScene(t);
  const daemon = await scene.daemon();
  for (const field of ["agentVersion", "agentProcessVersion"])
    for (const value of [7, true, ["1.0.0"], "../x", "1.0.0 && id", "-g", "file:/etc", "https://x/y.tgz", "1/2", "a".repeat(500), "\n"]) {
      const problem = problemOf(await daemon.install("tin", { [field]: value }), 422, "unprocessable");
      assert.equal(problem.field, field, JSON.stringify(value));
    }
  assert.equal(problemOf(await daemon.install("tin", { reinstall: "yes" }), 422, "unprocessable").field, "reinstall");
  assert.equal(scene.web.count(), 0);
});

test("another version of an npm package is installed when it is asked for, and kept when it is not", async (t) => {
  const scene = await makeScene(t, { manifests: [{ ...tin, process: { npm: { package: "tin-agent", version: "1.0.0" } } }] });
  scene.announce();
  const bin = { "tin-agent": "agent.js" };
  for (const version of ["1.0.0", "1.1.0"])
    scene.npm.publish({ name: "tin-agent", version, bin, files: { "agent.js": nodeAgent(version) } });
  const daemon = await scene.daemon();
  const both = ["1.0.0", "1.1.0"].map((agentProcessVersion) => daemon.installed("tin", { agentProcessVersion }));
  assert.deepEqual((await Promise.all(both)).map(({ artifacts }) => artifacts[0].version), ["1.0.0", "1.1.0"]);
  await daemon.installed("tin", { agentProcessVersion: "1.1.0" }); // whichever came last
  assert.equal(await daemon.version("tin"), "1.1.0");
  for (const body of [{}, { agentProcessVersion: "1.1.0" }])
    assert.equal((await daemon.installed("tin", body)).already_installed, true, JSON.stringify(body));
  const back = await daemon.installed("tin", { agentVersion: "1.0.0" }); // it has no tool, so this means the agent itself
  assert.deepEqual([back.already_installed, back.artifacts[0].version], [false, "1.0.0"]);
  assert.match((await daemon.fails("tin", { agentProcessVersion: "7.7.7" })).stderr, /7[.]7[.]7/);
  assert.equal(await daemon.version("tin"), "1.0.0");
});

test("a version that the registry does not offer is refused and never answered with another", async (t) => {
  const scene = await tinScene(t);
  const daemon = await scene.daemon();
  const { cause } = await daemon.fails("tin", { agentProcessVersion: "7.7.7" });
  assert.match(cause, /7[.]7[.]7/);
  assert.match(cause, /1[.]0[.]0/);
  assert.equal(scene.web.count("/tin"), 0);
});

test("DELETE removes what was installed, launcher and trees, and may be repeated", async (t) => {
  const scene = await tinScene(t);
  const daemon = await scene.daemon();
  const before = scene.shot();
  await daemon.installed("tin");
  for (let round = 0; round < 2; ++round) {
    assert.equal((await daemon.ask("DELETE", "/v1/agents/tin/install")).status, 204);
    assert.ok(!existsSync(scene.launcher("tin")));
    assert.deepEqual(scene.shot(), before);
  }
  assert.equal((await daemon.get("/v1/agents/tin")).installed, false);
  await daemon.installed("tin");
  assert.equal(await daemon.version("tin"), "1.0.0");
});

test("DELETE calls off an install under way, and nothing of it is left", async (t) => {
  const slow = stalling(packed("1.0.0"), 10);
  const scene = await tinScene(t, slow);
  const daemon = await scene.daemon();
  const installing = daemon.install("tin");
  await slow.reached;
  assert.equal((await within(10_000, "the DELETE", daemon.ask("DELETE", "/v1/agents/tin/install"))).status, 204);
  assert.equal((await installing).status, 409);
  assert.equal((await daemon.get("/v1/agents/tin")).installed, false);
  assert.deepEqual(scene.trees("tin"), []);
  slow.release();
  await daemon.installed("tin");
});

test("DELETE of an agent that is built in is 204 and removes nothing, and of an unknown one an error", async (t) => {
  const scene = await tinScene(t);
  const daemon = await scene.daemon();
  assert.equal((await daemon.ask("DELETE", "/v1/agents/mock/install")).status, 204);
  assert.equal((await daemon.get("/v1/agents/mock")).installed, true);
  problemOf(await daemon.ask("DELETE", "/v1/agents/nobody/install"), 400, "unsupported_agent");
});

test("an install whose files somebody removed is not installed any more, and is made again", async (t) => {
  const scene = await tinScene(t);
  const daemon = await scene.daemon();
  await daemon.installed("tin");
  rmSync(path.dirname(realpathSync(scene.launcher("tin"))), { recursive: true });
  assert.equal((await daemon.get("/v1/agents/tin")).installed, false);
  assert.equal(await daemon.version("tin"), "1.0.0");
});

test("a launcher put there by hand that cannot be executed is not lost", async (t) => {
  const scene = await tinScene(t);
  mkdirSync(scene.launchers, { recursive: true });
  writeFileSync(scene.launcher("tin"), "my own work", { mode: 0o644 });
  const daemon = await scene.daemon();
  await daemon.install("tin");
  assert.equal(readFileSync(scene.launcher("tin"), "utf8"), "my own work");
});

for (const kind of ["file", "link"])
  test(`a launcher put there by hand, a ${kind}, wins and is neither replaced nor removed`, async (t) => {
    const scene = await tinScene(t);
    mkdirSync(scene.launchers, { recursive: true });
    const own = kind === "file" ? scene.launcher("tin") : path.join(scene.root, "own-agent");
    writeFileSync(own, shellAgent("0.0.1"), { mode: 0o755 });
    if (kind === "link") symlinkSync(own, scene.launcher("tin"));
    const daemon = await scene.daemon();
    const unchanged = () => {
      assert.equal(readFileSync(scene.launcher("tin"), "utf8"), shellAgent("0.0.1"));
      assert.equal(lstatSync(scene.launcher("tin")).isSymbolicLink(), kind === "link");
    };
    const answer = await daemon.installed("tin");
    assert.equal(answer.already_installed, true);
    assert.equal(answer.artifacts[0].source, "local_path");
    const info = await daemon.get("/v1/agents/tin");
    assert.deepEqual([info.installed, info.install.source], [true, "local_path"]);
    await daemon.install("tin", { reinstall: true });
    unchanged();
    await daemon.ask("DELETE", "/v1/agents/tin/install");
    unchanged();
    assert.equal(await daemon.version("tin"), "0.0.1");
    assert.equal(scene.web.count("/tin"), 0);
  });

test("progress comes as events with bytes, and the last event is the answer", async (t) => {
  const body = packed("1.0.0", Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7919) % 251)));
  const slow = stalling(body, 20_000);
  const scene = await tinScene(t, slow);
  const daemon = await scene.daemon();
  const stream = await installEvents(daemon, "tin");
  assert.equal(stream.status, 200);
  assert.match(stream.headers["content-type"], /^text[/]event-stream/);
  const half = await stream.next(({ data }) => data.phase === "downloading" && data.bytes > 0);
  assert.ok(half.data.bytes <= 20_000);
  assert.equal(half.data.total, body.length);
  slow.release();
  const events = await stream.ended;
  const last = events.at(-1);
  assert.equal(last.event, "done");
  assert.equal(last.data.already_installed, false);
  assert.equal(last.data.artifacts[0].path, scene.launcher("tin"));
  const progress = events.slice(0, -1);
  assert.ok(progress.every(({ event, data }) => event === "progress" && typeof data.phase === "string"));
  const phases = [...new Set(progress.map(({ data }) => data.phase))];
  const known = ["waiting", "registry", "downloading", "unpacking", "verifying", "switching"];
  assert.deepEqual(phases, known.filter((phase) => phases.includes(phase)), "phases come in their order");
  for (const phase of ["downloading", "verifying"]) assert.ok(phases.includes(phase), `${phases}`);
  const far = progress.map(({ data }) => data.bytes).filter((count) => count !== undefined);
  assert.deepEqual(far, far.toSorted((a, b) => a - b), "bytes only grow");
  const again = await (await installEvents(daemon, "tin")).ended;
  assert.deepEqual(again.map(({ event }) => event), ["done"]);
  assert.equal(again[0].data.already_installed, true);
});

test("a failure comes as the last event, the same problem that a plain request gets", async (t) => {
  const scene = await tinScene(t, status(404));
  const daemon = await scene.daemon();
  const last = (await (await installEvents(daemon, "tin")).ended).at(-1);
  assert.equal(last.event, "problem");
  assert.equal(last.data.type, "urn:sandbox-agent:error:install_failed");
  assert.deepEqual([last.data.status, last.data.agent], [500, "tin"]);
  assert.equal(last.data.cause, (await daemon.fails("tin")).cause);
});

for (const [what, begin] of Object.entries({
  "of an event stream": async (daemon) => (await installEvents(daemon, "tin")).hangUp,
  "of a plain request": async (daemon) => {
    const doomed = new AbortController();
    const headers = { authorization: "Bearer contract-token", "content-type": "application/json" };
    fetch(`http://127.0.0.1:${daemon.port}/v1/agents/tin/install`, { method: "POST", body: "{}", headers, signal: doomed.signal }).catch(() => {});
    return () => doomed.abort();
  },
}))
  test(`the hang-up ${what} does not cancel the install`, async (t) => {
    const slow = stalling(packed("1.0.0"), 10);
    const scene = await tinScene(t, slow);
    const daemon = await scene.daemon();
    const hangUp = await begin(daemon);
    await slow.reached;
    hangUp();
    slow.release();
    await until("it is installed", async () => (await daemon.get("/v1/agents/tin")).installed);
    assert.equal(scene.web.count("/tin"), 1);
    assert.equal(await daemon.version("tin"), "1.0.0");
  });

test("requests for the same install at the same time share it", async (t) => {
  const slow = stalling(packed("1.0.0"), 10);
  const scene = await tinScene(t, slow);
  const daemon = await scene.daemon();
  const stream = await installEvents(daemon, "tin");
  const plain = Array.from({ length: 5 }, () => daemon.installed("tin"));
  await slow.reached;
  slow.release();
  await Promise.all(plain);
  assert.equal((await stream.ended).at(-1).event, "done");
  assert.equal(scene.web.count("/tin"), 1);
});

test("a body is JSON, and what it does not know is ignored", async (t) => {
  const scene = await tinScene(t);
  const daemon = await scene.daemon();
  const post = (body, headers = {}) => daemon.ask("POST", "/v1/agents/tin/install", { body, headers });
  problemOf(await post("{}"), 415, "unsupported_media_type");
  problemOf(await post("{", { "content-type": "application/json" }), 400, "invalid_request");
  await daemon.installed("tin", { colour: "red" });
  assert.equal((await post(undefined)).status, 200, "no body is nothing asked for");
});
