// One agent's run: its folders, the stub model, the daemons, and the instance most scenarios share. All that was started is
// ended by end(), and at the latest when this process exits.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { SandboxAgent } from "sandbox-agent";
import { launchDaemon } from "../contract/daemon.mjs";
import { install } from "./install.mjs";
import { InstanceClient } from "./instance_client.mjs";
import { marked } from "./processes.mjs";
import { startStub, stubKey } from "./stub_llm.mjs";
import { until } from "./waiting.mjs";

export const grace = 1500;  // ms between SIGTERM and SIGKILL, the daemon's default

// Nothing of an earlier run is left but what was installed.
async function emptyFolders(root) {
  const data = path.join(root, "data");
  const home = path.join(root, "home");
  const keyless = path.join(root, "keyless-home");
  for (const folder of [data, home, keyless]) await mkdir(folder, { recursive: true });
  const left = (await readdir(data)).filter((name) => name !== "sandbox-agent").map((name) => path.join(data, name));
  for (const folder of [...left, home, keyless]) await rm(folder, { recursive: true });
  return { data, home, keyless };
}

export class Scene {
  #daemons = [];
  #clients = [];

  // root: a folder of our own that is kept between runs
  constructor(agent, recipe, root, deviations) {
    Object.assign(this, { agent, recipe, root, deviations });
    this.mark = `REAL_AGENTS_MARK=${randomUUID()}`;
  }

  async begin() {
    this.folders = await emptyFolders(this.root);
    this.work = await realpath(await mkdtemp(path.join(os.tmpdir(), "real-agents-")));
    process.once("exit", () => {
      for (const { child } of this.#daemons) child.kill("SIGKILL");
      rmSync(this.work, { recursive: true, force: true });
    });
    const keep = (daemon) => this.#daemons.push(daemon);
    this.artifacts = await install(this.agent, this.recipe, this.root, this.folders.data, keep);
    this.stub = await startStub();
    this.environment = await this.#furnish(this.folders.home, stubKey);
    this.daemon = await this.#startDaemon(this.environment);
  }

  // Everything is tried; the first failure is told.
  async end() {
    const ends = [() => this.removeAll(), ...this.#daemons.map((daemon) => () => daemon.stop()), () => this.stub?.stop(),
      () => until(() => !marked(this.mark).length, "the end of everything this run started"),
      () => this.work && rm(this.work, { recursive: true })];
    const failures = [];
    for (const end of ends) await Promise.resolve().then(end).catch((error) => failures.push(error));
    if (failures.length) throw failures[0];
  }

  // A daemon whose agents have no key.
  async keylessDaemon() {
    return (this.keyless ??= await this.#startDaemon(await this.#furnish(this.folders.keyless, undefined)));
  }

  // A new instance, initialized.
  async newClient(daemon = this.daemon) {
    const client = new InstanceClient(daemon, this.agent, this.deviations);
    this.#clients.push(client);
    const started = performance.now();
    const { message, body } = await client.initialize();
    this.initializeMs ??= performance.now() - started;
    assert.ok(message?.result, body);
    client.about = message.result;
    return client;
  }

  // The shared instance.
  async client() {
    assert.ok(this.daemon, "there is no daemon");
    return (this.shared ??= await this.newClient());
  }
  // The shared instance and a new ACP session in it.
  async conversation() {
    const client = await this.client();
    return { client, sessionId: await client.session(this.work) };
  }
  // The npm package with the daemon, shared too.
  async sandbox() {
    return (this.package ??= await SandboxAgent.connect({ baseUrl: `http://127.0.0.1:${this.daemon.port}` }));
  }

  async remove(client) {
    this.#clients = this.#clients.filter((other) => other !== client);
    if (this.shared === client) this.shared = undefined;
    return client.remove();
  }
  async removeSandbox() {
    const sandbox = this.package;
    this.package = undefined;
    await sandbox?.dispose();
  }
  // After a failure: the next scenario starts afresh.
  async removeAll() {
    const ends = await Promise.allSettled([...[...this.#clients].map((client) => this.remove(client)), this.removeSandbox()]);
    const failed = ends.find(({ status }) => status === "rejected");
    if (failed) throw failed.reason;
  }

  // Makes a home whose agents find the stub. Answers the environment of a daemon there.
  async #furnish(home, key) {
    const about = { home, key, stub: this.stub.url };
    const files = this.recipe.files?.(about) ?? {};
    await mkdir(home, { recursive: true });
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(home, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, typeof content === "string" ? content : JSON.stringify(content, undefined, 2));
    }
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      TERM: "dumb",
      LANG: "C.UTF-8",
      XDG_DATA_HOME: this.folders.data,
      ...this.recipe.env(about),
      ...Object.fromEntries([this.mark.split("=")]),
    };
    return JSON.parse(JSON.stringify(env));
  }

  async #startDaemon(env) {
    const flags = ["--no-token", "--require-preinstall", "--log-level", "warn", "--stop-grace-ms", String(grace)];
    const daemon = await launchDaemon(flags, { cwd: this.work, env });
    this.#daemons.push(daemon);
    return daemon;
  }
}
