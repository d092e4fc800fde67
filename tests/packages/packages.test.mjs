// What npm carries, in the hands of somebody who has only npm.
import assert from "node:assert/strict";
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import ts from "typescript";
import { until } from "../install/waiting.mjs";
import { makeProject, repository, version } from "./project.mjs";

const mine = `@sandbox-agent/cli-linux-${process.arch}`;
const other = `@sandbox-agent/cli-linux-${process.arch === "x64" ? "arm64" : "x64"}`;
let project;

before(async () => {
  project = await makeProject();
  const { code, stderr } = await project.run("npm", "install", "sandbox-agent");
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
});
after(async () => {
  await project?.run(project.at("node_modules/.bin/sandbox-agent"), "daemon", "stop");
  await project?.end();
});

// The launcher under test, as a shell finds it: no npx in between, which has an opinion on signals of its own.
const start = (...words) => project.start(project.at("node_modules/.bin/sandbox-agent"), ...words);

// A daemon in the foreground, and the process that is really it.
async function server() {
  const running = start("server", "--port", "0", "--json");
  await until("the daemon is ready", () => running.said().includes('"ready"'));
  const { pid } = running.child;
  return { ...running, pid: Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")) };
}

const isAlive = (pid) => project.processes().some((one) => one.pid === pid);

test("every package has the one version, also of those it needs", () => {
  const manifests = project.manifests.filter(({ name }) => /sandbox-agent|acp-http-client/.test(name));
  assert.deepEqual(manifests.map(({ name }) => name).sort(), ["@sandbox-agent/cli", mine, other, "acp-http-client", "sandbox-agent"].sort());
  for (const { name, version: its, dependencies, optionalDependencies } of manifests) {
    assert.equal(its, version, name);
    for (const [needed, wanted] of Object.entries({ ...dependencies, ...optionalDependencies }))
      if (/sandbox-agent|acp-http-client/.test(needed)) assert.equal(wanted, version, `${name} needs ${needed}`);
  }
});

test("npm installs the program of this machine, and no other", () => {
  assert.ok(statSync(project.at("node_modules", mine, "bin/sandbox-agent")).mode & 0o100);
  assert.throws(() => statSync(project.at("node_modules", other)));
});

test("npx sandbox-agent run answers, on stdout, without a network", async () => {
  const { code, stdout, stderr } = await project.run("npx", "--offline", "sandbox-agent", "run", "hello");
  assert.equal(code, 0, stderr);
  assert.match(stdout, /hello/);
  assert.match(stderr, /demo agent/);
});

test("the program says the one version", async () => {
  const { stdout } = await project.run("npx", "--offline", "sandbox-agent", "version", "--json");
  assert.equal(JSON.parse(stdout).version, version);
});

test("what is piped in arrives", async () => {
  const running = start("run");
  running.child.stdin.end("a prompt through a pipe");
  assert.deepEqual(await running.end(), { code: 0, signal: null });
  assert.match(running.said(), /a prompt through a pipe/);
});

test("the exit code is the program's", async () => {
  const { code, stderr } = await project.run("npx", "--offline", "sandbox-agent", "run", "--nonsense");
  assert.equal(code, 2, stderr);
  assert.match(stderr, /--nonsense/);
});

for (const signal of ["SIGTERM", "SIGINT"])
  test(`${signal} reaches the program, which ends in order`, async () => {
    const { child, end, pid } = await server();
    child.kill(signal);
    assert.deepEqual(await end(), { code: 0, signal: null });
    assert.ok(!isAlive(pid));
  });

test("who kills the program killed the launcher", async () => {
  const { end, pid } = await server();
  process.kill(pid, "SIGKILL");
  assert.deepEqual(await end(), { code: null, signal: "SIGKILL" });
});

test("Ctrl-C on a terminal is heard once: an agent that ignores it takes a second one", async () => {
  const command = `${project.at("node_modules/.bin/sandbox-agent")} run /hang`;
  const { child, said, end } = project.start("script", "--quiet", "--return", "--command", command, "/dev/null");
  const press = () => child.stdin.write("\x03");
  await until("the agent hangs", () => said().includes("I ignore cancel"));
  press();
  await until("the first one is heard, and no second one", () => said().includes("the agent has not stopped yet"));
  press();
  assert.deepEqual(await end(), { code: 130, signal: null });
});

test("a missing platform package is named, with what to do", async () => {
  const [place, away] = [project.at("node_modules", mine), path.join(project.folder, "away")];
  renameSync(place, away);
  try {
    const { code, stdout, stderr } = await project.run("npx", "--offline", "sandbox-agent", "run", "hello");
    assert.deepEqual({ code, stdout }, { code: 1, stdout: "" });
    assert.match(stderr, new RegExp(`the package ${mine}, .* is not installed`));
    assert.ok(stderr.includes(`npm install ${mine}@${version}`), stderr);
  } finally {
    renameSync(away, place);
  }
});

test("on another platform everything is installed, and the command says what there is", async () => {
  writeFileSync(project.at("elsewhere.cjs"), 'Object.defineProperty(process, "platform", { value: "darwin" });\n');
  const launcher = project.at("node_modules/@sandbox-agent/cli/bin/sandbox-agent.js");
  const { code, stdout, stderr } = await project.run(process.execPath, "--require", project.at("elsewhere.cjs"), launcher, "run", "hello");
  assert.deepEqual({ code, stdout }, { code: 1, stdout: "" });
  assert.match(stderr, new RegExp(`not built for darwin-${process.arch}\n  there is .*${mine}`));
});

test("the ten lines of the README run with what was installed", async () => {
  const [, program] = [...readFileSync(path.join(repository, "README.md"), "utf8").matchAll(/```ts\n(.*?)```/gs)].find(([, text]) =>
    text.includes("SandboxAgent.start()"));
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }; // Node 20 does not know `await using`
  writeFileSync(project.at("program.mjs"), ts.transpileModule(program, { compilerOptions }).outputText);
  const { code, stdout, stderr } = await project.run(process.execPath, "program.mjs");
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^You chose: Allow once/);
});
