// Two daemons on one data folder, a stop in the middle, a full disk.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { tarGz } from "./archives.mjs";
import { processesWith, treeShot } from "./disk.mjs";
import { installEvents } from "./install_events.mjs";
import { bytes, stalling } from "./registry_server.mjs";
import { makeScene, problemOf } from "./scene.mjs";
import { nodeAgent, shellAgent } from "./test_agents.mjs";
import { timeScale, until, within } from "./waiting.mjs";

const tin = { id: "tin", name: "Tin", registry: ["tin"] };
const packed = (version, ballast = "") =>
  tarGz([{ name: "agent", body: shellAgent(version), mode: 0o755 }, { name: "ballast", body: ballast }]);

async function tinScene(t, answer) {
  const scene = await makeScene(t, { manifests: [tin] });
  scene.announce(scene.archived({ id: "tin", at: "/tin", answer }));
  return scene;
}

test("two daemons on one data folder install once: the second waits for the first and finds it installed", async (t) => {
  const slow = stalling(packed("1.0.0"), 10);
  const scene = await tinScene(t, slow);
  const [one, two] = [await scene.daemon(), await scene.daemon()];
  const first = one.installed("tin");
  await slow.reached;
  const second = await installEvents(two, "tin");
  await second.next(({ data }) => data.phase === "waiting");
  const third = two.post("lazy", "initialize", {}, "tin");
  slow.release();
  const { artifacts } = await first;
  const last = (await second.ended).at(-1);
  assert.equal(last.event, "done", JSON.stringify(last));
  assert.deepEqual(last.data.artifacts, artifacts);
  assert.equal((await third).status, 200);
  assert.equal(scene.web.count("/tin"), 1);
  assert.equal(scene.trees("tin").length, 1);
});

test("two daemons that reinstall at the same time do so one after the other, and one whole install is left", async (t) => {
  const scene = await tinScene(t, bytes(packed("1.0.0", randomBytes(2_000_000))));
  const daemons = [await scene.daemon(), await scene.daemon()];
  await Promise.all(daemons.flatMap((daemon) => [1, 2, 3].map(() => daemon.installed("tin", { reinstall: true }))));
  for (const daemon of daemons) assert.equal(await daemon.version("tin"), "1.0.0");
  assert.ok(scene.trees("tin").length <= 2, `${scene.trees("tin")}`);
});

test("the install that waited for one that fails is carried out itself", async (t) => {
  const slow = stalling(packed("1.0.0"), 10);
  const scene = await tinScene(t, slow);
  const [one, two] = [await scene.daemon(), await scene.daemon()];
  one.install("tin").catch(() => {});
  await slow.reached;
  const second = await installEvents(two, "tin");
  await second.next(({ data }) => data.phase === "waiting");
  scene.web.put("/tin", bytes(packed("1.0.0")));
  await one.kill9();
  assert.equal((await second.ended).at(-1).event, "done");
  assert.equal(await two.version("tin"), "1.0.0");
  assert.equal(scene.trees("tin").length, 1);
});

test("different agents are installed at the same time", async (t) => {
  const scene = await makeScene(t, { manifests: [tin, { id: "iron", name: "Iron", registry: ["iron"] }] });
  const slow = stalling(packed("1.0.0"), 10);
  const quick = scene.archived({ id: "iron", answer: bytes(packed("1.0.0")) });
  scene.announce(scene.archived({ id: "tin", at: "/tin", answer: slow }), quick);
  const daemon = await scene.daemon();
  const first = daemon.installed("tin");
  await slow.reached;
  await daemon.installed("iron");
  slow.release();
  await first;
});

test("installs that all wait for their servers leave the other routes free", async (t) => {
  const ids = Array.from({ length: 12 }, (_, at) => `metal-${at}`);
  const scene = await makeScene(t, { manifests: ids.map((id) => ({ id, name: id, registry: [id] })) });
  const slow = stalling(packed("1.0.0"), 10);
  scene.announce(...ids.map((id) => scene.archived({ id, at: "/slow", answer: slow })));
  const daemon = await scene.daemon();
  const installs = ids.map((id) => daemon.installed(id));
  await slow.reached;
  for (const target of ["/v1/agents", "/v1/agents/mock?config=true", `/v1/fs/entries?path=${scene.home}`, "/v1/acp"])
    await within(10_000, target, daemon.get(target));
  assert.equal((await within(10_000, "another agent", daemon.post("demo", "initialize", { protocolVersion: 1 }, "mock"))).status, 200);
  slow.release();
  await Promise.all(installs);
});

// Stops the daemon while an install waits; the request ends with 503 or a closed connection, and nothing is left. `halt` makes
// installs wait and promises that the next one does. Others use the machine too: whoever is late may try again, twice.
async function stopInTheMiddle(scene, halt, grace) {
  const limit = (grace + 2000) * timeScale;
  const times = [];
  do {
    const reached = halt();
    const daemon = await scene.daemon({ flags: ["--stop-grace-ms", String(grace)] });
    const before = scene.shot();
    const doomed = daemon.install("tin", { reinstall: true }).catch((error) => error);
    await reached;
    const begin = performance.now();
    daemon.kill("SIGTERM");
    assert.equal(await within(20_000, "the end", daemon.exited), 0, daemon.errors());
    times.push(performance.now() - begin);
    const answer = await doomed;
    if (!(answer instanceof Error)) assert.equal(answer.status, 503, answer.body);
    assert.deepEqual(scene.shot(), before);
    assert.deepEqual(processesWith(scene.mark), []);
  } while (times.at(-1) >= limit && times.length < 3);
  assert.ok(times.at(-1) < limit, `it took ${times} ms`);
}

// What a server that stalls at `at` bytes is to stopInTheMiddle().
const stalls = (server, wanted, body, at) => () => {
  const slow = stalling(body, at);
  server.put(wanted, slow);
  return slow.reached;
};

for (const [when, at] of [["before the archive comes", -1], ["in the middle of the archive", 100]])
  test(`a stop ${when} ends the install within the grace and two seconds, and leaves nothing of it`, async (t) => {
    const scene = await tinScene(t);
    await stopInTheMiddle(scene, stalls(scene.web, "/tin", packed("1.0.0"), at), 500);
  });

test("a stop while npm runs ends npm too", async (t) => {
  const scene = await makeScene(t, { manifests: [{ id: "tin", name: "Tin", process: { npm: { package: "tin", version: "1.0.0" } } }] });
  scene.announce();
  const { tarball, path: at } = scene.npm.publish({ name: "tin", version: "1.0.0", bin: "a.js", files: { "a.js": nodeAgent("1.0.0") } });
  await stopInTheMiddle(scene, stalls(scene.npm, at, tarball, 20), 500);
});

test("a stop while an install script ignores SIGTERM ends it too", async (t) => {
  const npm = { package: "tin", version: "1.0.0", scripts: true };
  const scene = await makeScene(t, { manifests: [{ id: "tin", name: "Tin", process: { npm } }] });
  scene.announce();
  const mark = path.join(scene.root, "mark");
  const scripts = { postinstall: `trap '' TERM INT HUP; : > '${mark}'; while :; do sleep 1; done` };
  scene.npm.publish({ name: "tin", version: "1.0.0", bin: "a.js", files: { "a.js": nodeAgent("1.0.0") }, scripts });
  const halt = () => {
    rmSync(mark, { force: true });
    return until("the script runs", () => existsSync(mark), 30_000);
  };
  await stopInTheMiddle(scene, halt, 500);
});

test("a stop while the verification hangs ends the agent too", async (t) => {
  const mute = tarGz([{ name: "agent", body: nodeAgent("1.0.0", { fault: "mute" }), mode: 0o755 }]);
  const scene = await tinScene(t, bytes(mute));
  const verifying = () => processesWith(scene.mark).some(({ command }) => command.includes("files/agent"));
  await stopInTheMiddle(scene, () => until("the agent runs", verifying, 30_000), 500);
});

const unshared = process.getuid() === 0 ? ["unshare", "--mount"] : ["unshare", "--user", "--map-root-user", "--mount"];
const mounts = spawnSync(unshared[0], [...unshared.slice(1), "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;

test("on a full disk the failure says so, nothing is left, and the old version works on", {
  skip: mounts ? false : "nothing can be mounted here",
}, async (t) => {
  const scene = await tinScene(t, bytes(packed("1.0.0")));
  const wrapper = [...unshared, "sh", "-c", 'mount -t tmpfs -o size=3m none "$XDG_DATA_HOME" && exec "$@"', "sh"];
  const daemon = await scene.daemon({ wrapper });
  const inside = `/proc/${daemon.pid}/root${scene.ours}/bin`;
  await daemon.installed("tin");
  const before = treeShot(inside);
  const huge = packed("2.0.0", randomBytes(8_000_000));
  const tight = packed("2.0.0", Buffer.alloc(8_000_000)); // comes, but cannot be unpacked
  for (const body of [huge, tight]) {
    scene.web.put("/tin", bytes(body));
    const response = await daemon.install("tin", { reinstall: true });
    problemOf(response, response.status, response.status === 507 ? "no_space" : "install_failed");
    assert.ok([500, 507].includes(response.status));
    assert.match(response.body, /space/i);
    assert.deepEqual(treeShot(inside), before);
    assert.equal(await daemon.version("tin"), "1.0.0");
  }
  scene.web.put("/tin", bytes(packed("1.0.1")));
  await daemon.installed("tin", { reinstall: true });
  assert.equal(await daemon.version("tin"), "1.0.1");
});

test("a data folder that cannot be written to is a failure in words", { skip: process.getuid() === 0 && !mounts ? "root may write everywhere" : false }, async (t) => {
  const scene = await tinScene(t, bytes(packed("1.0.0")));
  const wrapper = [...unshared, "sh", "-c", 'mount -t tmpfs -o ro none "$XDG_DATA_HOME" && exec "$@"', "sh"];
  const daemon = await scene.daemon({ wrapper });
  const response = await daemon.install("tin");
  assert.ok(response.status >= 400, response.body);
  assert.match(JSON.parse(response.body).detail, /read-only|permission|write/i);
  assert.deepEqual(readdirSync(path.join("/proc", String(daemon.pid), "root", scene.data)), []);
});
