// The daemon is killed in the middle of an install: the old version works, nothing runs on, the next install succeeds and
// cleans up.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { tarGz } from "./archives.mjs";
import { processesWith } from "./disk.mjs";
import { bytes, json, stalling } from "./registry_server.mjs";
import { makeScene } from "./scene.mjs";
import { nodeAgent, shellAgent } from "./test_agents.mjs";
import { until, within } from "./waiting.mjs";

const archived = { id: "tin", name: "Tin", registry: ["tin"] };
const packaged = (scripts) => ({ id: "tin", name: "Tin", process: { npm: { package: "tin-agent", version: "2.0.0", scripts } } });
const noise = randomBytes(400_000); // nothing that packs well: what stalls in the middle must not be complete
const hang = (mark) => `if [ ! -e '${mark}' ]; then : > '${mark}'; sleep 1000; fi`;

const packed = (version, more = {}) =>
  tarGz([
    { name: "agent", body: shellAgent(version, more), mode: 0o755 },
    { name: "ballast", body: noise },
  ]);

const tinPackage = (version, more = {}) => ({
  name: "tin-agent",
  version,
  bin: { "tin-agent": "agent.js" },
  files: { "agent.js": nodeAgent(version), ballast: noise.toString("latin1") },
  dependencies: { "tin-words": "1.0.0" },
  ...more,
});

// Each prepares the install of 2.0.0 so that it stops somewhere, and returns what to wait for and how to let it pass.
const stalledAt = (server, wanted, body, byte) => {
  const slow = stalling(body, byte);
  server.put(wanted, slow);
  return { reached: slow.reached, pass: () => server.put(wanted, bytes(body)) };
};

const markAppears = (mark) => ({ reached: until("the mark is there", () => existsSync(mark), 30_000), pass: () => {} });

const archivePoints = {
  "while the registry is silent": ({ web }, next) => {
    const registry = Buffer.from(JSON.stringify({ version: "1.0.0", agents: [next] }));
    return stalledAt(web, "/registry.json", registry, -1);
  },
  "in the middle of the registry": ({ web }, next) => {
    const registry = Buffer.from(JSON.stringify({ version: "1.0.0", agents: [next] }));
    return stalledAt(web, "/registry.json", registry, 40);
  },
  "before the first byte of the archive": ({ web }) => stalledAt(web, "/tin-2", packed("2.0.0"), -1),
  "in the middle of the archive": ({ web }) => stalledAt(web, "/tin-2", packed("2.0.0"), 200_000),
  "before the last byte of the archive": ({ web }) => stalledAt(web, "/tin-2", packed("2.0.0"), packed("2.0.0").length - 1),
  "during the verification": ({ web, root }) => {
    const mark = path.join(root, "verifying");
    web.put("/tin-2", bytes(packed("2.0.0", { before: hang(mark) })));
    return markAppears(mark);
  },
};

const npmPoints = {
  "while npm asks for the package": ({ npm }) => {
    const { packument } = npm.publish(tinPackage("2.0.0"));
    return stalledAt(npm, "/tin-agent", packument, -1);
  },
  "in the middle of the package": ({ npm }) => {
    const { path: at, tarball } = npm.publish(tinPackage("2.0.0"));
    return stalledAt(npm, at, tarball, 1000);
  },
  "in the middle of a dependency": ({ npm }) => {
    npm.publish(tinPackage("2.0.0"));
    const { path: at, tarball } = npm.publish({ name: "tin-words", version: "1.0.0", files: { words: "tin" } });
    return stalledAt(npm, at, tarball, 50);
  },
  "during an install script": ({ npm, root }) => {
    const mark = path.join(root, "script");
    npm.publish(tinPackage("2.0.0", { scripts: { postinstall: hang(mark) } }));
    return markAppears(mark);
  },
  "during the verification of the package": ({ npm, root }) => {
    const mark = path.join(root, "verifying");
    const wait = `const fs = require("fs"); if (!fs.existsSync("${mark}")) { fs.writeFileSync("${mark}", ""); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); }`;
    npm.publish(tinPackage("2.0.0", { files: { "agent.js": nodeAgent("2.0.0", { before: wait }) } }));
    return markAppears(mark);
  },
};

// Installs 1.0.0, whatever the scene says of 2.0.0.
async function archiveScene(t) {
  const scene = await makeScene(t, { manifests: [archived] });
  const entry = (version, answer) => scene.archived({ id: "tin", version, at: `/tin-${version[0]}`, answer });
  const first = scene.web.put("/first.json", json({ version: "1.0.0", agents: [entry("1.0.0", bytes(packed("1.0.0")))] }));
  const daemon = await scene.daemon({ env: { SANDBOX_AGENT_ACP_REGISTRY_URL: first } });
  await daemon.installed("tin");
  await daemon.stop();
  const next = entry("2.0.0", bytes(packed("2.0.0")));
  scene.announce(next);
  return { scene, next };
}

async function npmScene(t, when) {
  const scene = await makeScene(t, { manifests: [packaged(when.includes("script"))] });
  scene.announce();
  scene.npm.publish({ name: "tin-words", version: "1.0.0", files: { words: "tin" } });
  scene.npm.publish(tinPackage("1.0.0", { dependencies: {} }));
  const daemon = await scene.daemon();
  await daemon.installed("tin", { agentProcessVersion: "1.0.0" });
  await daemon.stop();
  rmSync(scene["npm-cache"], { recursive: true }); // so that npm asks for everything again
  return { scene };
}

// Checks what the kill left; returns the rest of the test, for when the way is free.
async function afterwards(scene, wishes) {
  await until("nothing of the killed install runs", () => processesWith(scene.mark).length === 0);
  const next = await scene.daemon();
  assert.equal(await next.version("tin"), "1.0.0", "the old version answers in between");
  return async () => {
    await next.installed("tin", wishes);
    assert.equal(await next.version("tin"), "2.0.0");
    const versions = scene.trees("tin").map((name) => name.split("-")[0]);
    assert.deepEqual(versions, ["1.0.0", "2.0.0"], "only the new and the last one are left");
  };
}

for (const [kind, points, begin] of [["archive", archivePoints, archiveScene], ["npm package", npmPoints, npmScene]])
  for (const [when, prepare] of Object.entries(points))
    test(`an install from an ${kind} that is killed ${when} leaves the old version, and the next one succeeds`, async (t) => {
      const { scene, next } = await begin(t, when);
      const { reached, pass } = prepare(scene, next);
      const wishes = kind === "archive" ? { reinstall: true } : { agentProcessVersion: "2.0.0" };
      const doomed = await scene.daemon();
      const early = doomed.install("tin", wishes).then((answer) => Promise.reject(new Error(`it ended before: ${answer.body}`)));
      await within(30_000, "the way to that point", Promise.race([reached, early]));
      early.catch(() => {});
      await doomed.kill9();
      const goOn = await afterwards(scene, wishes);
      pass();
      await goOn();
    });

test("what a killed verification left in the temporary folder is gone after the next install", async (t) => {
  const { scene } = await archiveScene(t);
  const { reached } = archivePoints["during the verification"](scene);
  const doomed = await scene.daemon();
  doomed.install("tin", { reinstall: true }).catch(() => {});
  await within(30_000, "the verification", reached);
  await doomed.kill9();
  const next = await scene.daemon();
  await next.installed("tin", { reinstall: true });
  assert.deepEqual(scene.shot().temporary, []);
});

test("an install that is killed after some time, whichever, leaves the old or the new version whole", async (t) => {
  const { scene } = await archiveScene(t);
  let version = "1.0.0";
  for (let delay = 0; delay < 120; delay += 10) {
    const doomed = await scene.daemon();
    doomed.install("tin", { reinstall: true }).catch(() => {});
    await pause(delay);
    await doomed.kill9();
    const daemon = await scene.daemon({ flags: ["--require-preinstall"] });
    const now = await daemon.version("tin");
    assert.ok(now === version || now === "2.0.0", `${now} after ${delay} ms`);
    version = now;
    await daemon.stop();
  }
  const daemon = await scene.daemon();
  await daemon.installed("tin", { reinstall: true });
  assert.equal(await daemon.version("tin"), "2.0.0");
  assert.ok(scene.trees("tin").length <= 2, `${scene.trees("tin")}`);
  await until("nothing of the killed installs runs", () => processesWith(scene.mark).every(({ pid }) => pid === daemon.pid));
});
