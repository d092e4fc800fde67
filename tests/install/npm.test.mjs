// Installs by the real npm, from a registry of our own.
import assert from "node:assert/strict";
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { token } from "../contract/daemon.mjs";
import { namesIn } from "./disk.mjs";
import { status, truncated } from "./registry_server.mjs";
import { makeScene } from "./scene.mjs";
import { nodeAgent } from "./test_agents.mjs";

const source = { package: "tin-agent", version: "1.0.0" };
const tin = { id: "tin", name: "Tin", process: { npm: source } };
const cli = { program: "tin-cli", npm: { package: "tin-cli", version: "3.0.0" }, verify: ["--version"], how: "Ask the tin people." };

const tinPackage = (version, { fault, before, ...more } = {}) => ({
  name: "tin-agent",
  version,
  bin: { "tin-agent": "agent.js" },
  files: { "agent.js": nodeAgent(version, { fault, before }) },
  ...more,
});

const tool = (version, body = `#!/bin/sh\necho ${version}\n`) => ({
  name: "tin-cli",
  version,
  bin: { "tin-cli": "cli.sh" },
  files: { "cli.sh": body },
});

// The registry is there and lists nothing, so that the pinned package counts.
async function npmScene(t, manifest = tin) {
  const scene = await makeScene(t, { manifests: [manifest] });
  scene.announce();
  return scene;
}

test("a package whose verification fails is refused with its stderr, and the old version works on", async (t) => {
  const scene = await npmScene(t);
  scene.npm.publish(tinPackage("1.0.0"));
  scene.npm.publish(tinPackage("1.1.0", { fault: "exit" }));
  const daemon = await scene.daemon();
  await daemon.installed("tin");
  const before = scene.shot();
  const problem = await daemon.fails("tin", { agentProcessVersion: "1.1.0" });
  assert.equal(problem.agent, "tin");
  assert.match(problem.cause, /verif/);
  assert.match(JSON.stringify(problem), /broken on purpose/);
  assert.deepEqual(scene.shot(), before);
  assert.equal(await daemon.version("tin"), "1.0.0");
});

const broken = {
  "that does not exist": [(scene) => scene.npm.put("/tin-agent", status(404)), /E404|404/],
  "whose version does not exist": [(scene) => scene.npm.publish(tinPackage("9.0.0")), /ETARGET|No matching version/],
  "whose tarball has another hash": [
    (scene) => scene.npm.publish(tinPackage("1.0.0"), { integrity: `sha512-${Buffer.alloc(64).toString("base64")}` }),
    /EINTEGRITY|integrity/,
  ],
  "whose tarball is cut short": [(scene) => scene.npm.publish(tinPackage("1.0.0"), { serve: truncated }), /tin-agent|network|ECONN|abort/i],
  "with a dependency that does not exist": [
    (scene) => scene.npm.publish(tinPackage("1.0.0", { dependencies: { "no-such-words": "1.0.0" } })),
    /no-such-words/,
  ],
};

for (const [what, [publish, words]] of Object.entries(broken))
  test(`a package ${what} is refused with npm's own words`, async (t) => {
    const scene = await npmScene(t);
    publish(scene);
    const daemon = await scene.daemon();
    const before = scene.shot();
    const problem = await daemon.fails("tin");
    assert.equal(problem.agent, "tin");
    assert.match(problem.cause, /npm/);
    assert.match(problem.stderr, words);
    assert.match(problem.cause, words, "the cause says what is wrong, not where to read on");
    assert.deepEqual(scene.shot(), before);
  });

test("a version that was published since npm last looked is found", async (t) => {
  const scene = await npmScene(t);
  scene.npm.publish(tinPackage("1.0.0"));
  const daemon = await scene.daemon();
  await daemon.installed("tin");
  scene.npm.publish(tinPackage("1.1.0"));
  await daemon.installed("tin", { agentProcessVersion: "1.1.0" });
  assert.equal(await daemon.version("tin"), "1.1.0");
});

test("a package without a program is refused", async (t) => {
  const scene = await npmScene(t);
  scene.npm.publish({ name: "tin-agent", version: "1.0.0" });
  const daemon = await scene.daemon();
  assert.match((await daemon.fails("tin")).cause, /tin-agent.*program/);
});

test("of several programs of a package the manifest's is started", async (t) => {
  const scene = await npmScene(t, { ...tin, process: { npm: { ...source, bin: "tin-acp" } } });
  const files = { "acp.js": nodeAgent("1.0.0"), "other.js": "process.exit(1)" };
  scene.npm.publish({ name: "tin-agent", version: "1.0.0", bin: { "tin-agent": "other.js", "tin-acp": "acp.js" }, files });
  const daemon = await scene.daemon();
  await daemon.installed("tin");
  assert.equal(await daemon.version("tin"), "1.0.0");
});

for (const scripts of [false, true])
  test(`install scripts ${scripts ? "run when the manifest says so" : "do not run"}`, async (t) => {
    const scene = await npmScene(t, { ...tin, process: { npm: { ...source, scripts } } });
    const mark = (name) => path.join(scene.root, `${name}-mark`);
    const script = (name) => ({ postinstall: `touch '${mark(name)}'` });
    scene.npm.publish({ name: "tin-words", version: "1.0.0", scripts: script("dependency") });
    scene.npm.publish(tinPackage("1.0.0", { scripts: script("package"), dependencies: { "tin-words": "1.0.0" } }));
    const daemon = await scene.daemon();
    await daemon.installed("tin");
    assert.equal(existsSync(mark("package")), scripts);
    if (!scripts) assert.ok(!existsSync(mark("dependency")));
    assert.equal(await daemon.version("tin"), "1.0.0");
  });

test("neither npm, nor install scripts, nor the verification get the daemon's token", async (t) => {
  const scene = await npmScene(t, { ...tin, process: { npm: { ...source, scripts: true } } });
  const [script, agent] = ["script", "agent"].map((name) => path.join(scene.root, `${name}-environment`));
  const before = `require("fs").writeFileSync(${JSON.stringify(agent)}, JSON.stringify(process.env));`;
  scene.npm.publish(tinPackage("1.0.0", { before, scripts: { postinstall: `env > '${script}'` } }));
  const daemon = await scene.daemon();
  await daemon.installed("tin");
  for (const file of [script, agent]) assert.ok(!readFileSync(file, "utf8").includes(token), file);
});

test("the user's own settings for npm do not switch install scripts on", async (t) => {
  const scene = await npmScene(t);
  const mark = path.join(scene.root, "mark");
  scene.npm.publish(tinPackage("1.0.0", { scripts: { preinstall: `touch '${mark}'`, postinstall: `touch '${mark}'` } }));
  writeFileSync(path.join(scene.home, ".npmrc"), "ignore-scripts=false\nforeground-scripts=true\n");
  const daemon = await scene.daemon({ env: { npm_config_ignore_scripts: "false" } });
  await daemon.installed("tin");
  assert.ok(!existsSync(mark));
});

test("the user's own settings for npm do not change what is installed and where", async (t) => {
  const scene = await npmScene(t, { ...tin, process: { npm: { ...source, scripts: true } } });
  const mark = path.join(scene.root, "mark");
  scene.npm.publish(tinPackage("1.0.0", { scripts: { postinstall: `touch '${mark}'` } }));
  const settings = ["package-lock=false", "save=false", `prefix=${scene.home}`, "ignore-scripts=true", "omit=optional", "loglevel=silent"];
  writeFileSync(path.join(scene.home, ".npmrc"), settings.join("\n"));
  const before = namesIn(scene.home);
  const daemon = await scene.daemon({ env: { npm_config_local_prefix: scene.home, INIT_CWD: scene.home, npm_config_save: "false" } });
  assert.equal((await daemon.installed("tin")).artifacts[0].version, "1.0.0");
  assert.equal(await daemon.version("tin"), "1.0.0");
  assert.ok(existsSync(mark), "the manifest says that its scripts must run");
  assert.deepEqual(namesIn(scene.home), before);
});

test("a project around the daemon's folders does not get in the way of npm", async (t) => {
  const scene = await npmScene(t);
  scene.npm.publish(tinPackage("1.0.0"));
  for (const folder of [scene.home, scene.root]) {
    writeFileSync(path.join(folder, "package.json"), '{"name":"around","workspaces":["*"],"dependencies":{"nothing":"1.0.0"}}');
    mkdirSync(path.join(folder, "node_modules"));
  }
  const daemon = await scene.daemon();
  await daemon.installed("tin");
  assert.equal(await daemon.version("tin"), "1.0.0");
});

test("without npm the failure says what to install", async (t) => {
  const scene = await npmScene(t);
  const daemon = await scene.daemon({ env: { PATH: "/nowhere" } });
  assert.match((await daemon.fails("tin")).cause, /npm.*Node[.]js/s);
});

test("a tool the agent needs is installed beside it, and both are told", async (t) => {
  const scene = await npmScene(t, { ...tin, native: cli });
  scene.npm.publish(tinPackage("1.0.0"));
  scene.npm.publish(tool("3.0.0"));
  scene.npm.publish(tool("3.1.0"));
  const daemon = await scene.daemon();
  const { artifacts } = await daemon.installed("tin");
  const native = artifacts.find((artifact) => artifact.kind === "native_agent");
  const link = path.join(scene.ours, "bin", "tin-cli");
  assert.deepEqual([native.version, native.source, native.path], ["3.0.0", "fallback", link]);
  assert.match(readlinkSync(link), /^agent_processes[/]/);
  const { env } = await daemon.acp("tin", "_test/surroundings");
  assert.ok(env.PATH.split(":").some((folder) => existsSync(path.join(folder, "tin-cli"))), "the agent finds its tool");
  const newer = await daemon.installed("tin", { agentVersion: "3.1.0" });
  assert.equal(newer.already_installed, false);
  const versions = Object.fromEntries(newer.artifacts.map((artifact) => [artifact.kind, artifact.version]));
  assert.deepEqual(versions, { native_agent: "3.1.0", agent_process: "1.0.0" });
  assert.equal((await daemon.ask("DELETE", "/v1/agents/tin/install")).status, 204);
  assert.ok(!existsSync(link));
});

test("a tool that is on PATH already is used and not installed", async (t) => {
  const scene = await npmScene(t, { ...tin, native: cli });
  scene.npm.publish(tinPackage("1.0.0"));
  const folder = path.join(scene.root, "tools");
  mkdirSync(folder);
  writeFileSync(path.join(folder, "tin-cli"), "#!/bin/sh\necho 2.0.0\n");
  chmodSync(path.join(folder, "tin-cli"), 0o755);
  const daemon = await scene.daemon({ env: { PATH: `${process.env.PATH}:${folder}` } });
  const native = (await daemon.installed("tin")).artifacts.find((artifact) => artifact.kind === "native_agent");
  assert.deepEqual([native.path, native.source], [path.join(folder, "tin-cli"), "local_path"]);
  assert.equal(scene.npm.count("/tin-cli"), 0);
});

test("a tool that we installed is installed anew, also when our folder is on PATH in another spelling", async (t) => {
  const scene = await npmScene(t, { ...tin, native: cli });
  scene.npm.publish(tinPackage("1.0.0"));
  scene.npm.publish(tool("3.0.0"));
  const daemon = await scene.daemon({ env: { PATH: `${scene.ours}/bin/:${process.env.PATH}` } });
  for (let round = 0; round < 2; ++round) {
    const { artifacts } = await daemon.installed("tin", { reinstall: true });
    assert.equal(artifacts.find((artifact) => artifact.kind === "native_agent").source, "fallback");
    assert.ok(existsSync(path.join(scene.ours, "bin", "tin-cli")));
  }
});

test("a tool that comes to PATH later takes over, and no link of ours leads nowhere", async (t) => {
  const scene = await npmScene(t, { ...tin, native: cli });
  scene.npm.publish(tinPackage("1.0.0"));
  scene.npm.publish(tool("3.0.0"));
  const before = await scene.daemon();
  await before.installed("tin");
  await before.stop();
  const folder = path.join(scene.root, "tools");
  mkdirSync(folder);
  writeFileSync(path.join(folder, "tin-cli"), "#!/bin/sh\necho 2.0.0\n", { mode: 0o755 });
  const daemon = await scene.daemon({ env: { PATH: `${process.env.PATH}:${folder}` } });
  for (let round = 0; round < 2; ++round) await daemon.installed("tin", { reinstall: true });
  const link = path.join(scene.ours, "bin", "tin-cli");
  assert.ok(existsSync(link) || !lstatSync(link, { throwIfNoEntry: false }), "it is gone, or leads to a tool");
});

test("a tool that cannot be had is a failure with the manifest's sentence, before anything is installed", async (t) => {
  const scene = await npmScene(t, { ...tin, native: { ...cli, npm: undefined } });
  scene.npm.publish(tinPackage("1.0.0"));
  const daemon = await scene.daemon();
  assert.match((await daemon.fails("tin")).cause, /tin-cli.*Ask the tin people/s);
  assert.equal(scene.npm.count(), 0);
});

test("a tool that fails its verification is refused", async (t) => {
  const scene = await npmScene(t, { ...tin, native: cli });
  scene.npm.publish(tinPackage("1.0.0"));
  scene.npm.publish(tool("3.0.0", "#!/bin/sh\necho no good >&2\nexit 4\n"));
  const daemon = await scene.daemon();
  const before = scene.shot();
  const problem = await daemon.fails("tin");
  assert.match(problem.stderr, /no good/);
  assert.deepEqual(scene.shot(), before);
});

test("a package that wants a newer Node.js gets one beside it", async (t) => {
  const scene = await npmScene(t, { ...tin, process: { npm: { ...source, node: "99" } } });
  scene.npm.publish(tinPackage("1.0.0"));
  const fake = `#!/bin/sh\nOWN_NODE=yes exec '${process.execPath}' "$@"\n`;
  const parts = { version: "22.0.0", bin: { node: "bin/node" }, files: { "bin/node": fake } };
  const versions = Array.from({ length: 1000 }, (_, at) => `22.${Math.floor(at / 10)}.${at % 10}`); // whichever the daemon takes
  for (const name of ["node", `node-linux-${process.arch}`]) scene.npm.publish({ name, ...parts }, { versions });
  const daemon = await scene.daemon();
  await daemon.installed("tin");
  const { env } = await daemon.acp("tin", "_test/surroundings");
  assert.equal(env.OWN_NODE, "yes");
});
