// One test's world: a home of its own, manifests, a registry, servers, and any number of daemons on the same data folder.
// At the end of the test everything is stopped, and nothing may be left running.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { ask, launchDaemon, token } from "../contract/daemon.mjs";
import { namesIn, processesWith, treeShot } from "./disk.mjs";
import { startNpmRegistry } from "./npm_registry.mjs";
import { json, makeCertificate, startServer } from "./registry_server.mjs";
import { until } from "./waiting.mjs";

export const platform = `linux-${{ x64: "x86_64", arm64: "aarch64" }[process.arch]}`;
export const sha256 = (body) => createHash("sha256").update(body).digest("hex");
const typed = { "content-type": "application/json" };

// `tls`: the web server speaks https; a text is what its certificate is for.
export async function makeScene(t, { manifests = [], tls = false } = {}) {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), "install-")));
  const places = {};
  for (const name of ["home", "data", "config", "tmp", "npm-cache"]) mkdirSync((places[name] = path.join(root, name)));
  const certificate = tls ? makeCertificate(root, tls === true ? undefined : tls) : undefined;
  const web = await startServer({ certificate });
  const npm = await startNpmRegistry();
  const daemons = [];
  const scene = new Scene({ root, web, npm, daemons, ...places });
  scene.environment = {
    PATH: process.env.PATH,
    ASAN_OPTIONS: process.env.ASAN_OPTIONS ?? "",
    SANDBOX_AGENT_TOKEN: token,
    HOME: places.home,
    TMPDIR: places.tmp,
    XDG_DATA_HOME: places.data,
    XDG_CONFIG_HOME: places.config,
    SANDBOX_AGENT_ACP_REGISTRY_URL: `${web.url}/registry.json`,
    npm_config_registry: npm.url,
    npm_config_cache: places["npm-cache"],
    npm_config_fetch_retries: "0", // npm's own patience is minutes
    INSTALL_SCENE: root,
    ...(certificate ? { SSL_CERT_FILE: certificate.file } : {}),
  };
  for (const manifest of manifests) scene.manifest(manifest);
  t.after(async () => {
    await Promise.all([web.stop(), npm.stop()]);
    const endings = await Promise.allSettled(daemons.map((daemon) => daemon.ended || daemon.stop()));
    try {
      for (const ending of endings) if (ending.status === "rejected") throw ending.reason;
      await until("nothing of the scene runs", () => processesWith(scene.mark).length === 0);
    } catch (error) {
      throw new Error(`${error.message}: ${JSON.stringify(processesWith(scene.mark))}`);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
  return scene;
}

class Scene {
  constructor(parts) {
    Object.assign(this, parts);
    this.ours = path.join(this.data, "sandbox-agent");
    this.launchers = path.join(this.ours, "bin", "agent_processes");
    this.mark = `INSTALL_SCENE=${this.root}`;
  }

  launcher(id) {
    return path.join(this.launchers, `${id}-acp`);
  }

  // The names of all trees of an agent, finished or not.
  trees(id) {
    return namesIn(this.launchers).filter((name) => name.split(".")[0] === id).flatMap((name) => namesIn(path.join(this.launchers, name)));
  }

  // All that installs left on disk: launchers, trees, tools, and what lies in the temporary folder. The registry's copy and
  // the daemon's own state are no part of it.
  shot() {
    const frame = /^agent_processes([/][^/]+)?$/; // folders that stay, for the next install
    const counts = ([name, what]) => !(what.startsWith("directory") && frame.test(name));
    return {
      bin: Object.fromEntries(Object.entries(treeShot(path.join(this.ours, "bin"))).filter(counts)),
      beside: namesIn(this.ours).filter((name) => !["bin", "daemon", "registry.json"].includes(name)),
      temporary: namesIn(this.tmp),
    };
  }

  // Writes a manifest into the user's agents folder; `text` may be no JSON at all.
  manifest(value, name = `${value.id}.json`) {
    const folder = path.join(this.config, "sandbox-agent", "agents");
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, name), typeof value === "string" ? value : JSON.stringify(value));
    return path.join(folder, name);
  }

  // What the registry says from now on. A daemon that has a copy does not look again for an hour.
  announce(...agents) {
    this.web.put("/registry.json", json({ version: "1.0.0", agents }));
  }

  // The entry of an agent that comes as an archive, which is put on the server: {id, version, archive, answer?, cmd?, …}.
  archived({ id, version = "1.0.0", answer, at = `/${id}-${version}.archive`, url, cmd = "./agent", ...more }) {
    if (answer) this.web.put(at, answer);
    return { id, name: id, version, distribution: { binary: { [platform]: { archive: url ?? this.web.url + at, cmd, ...more } } } };
  }

  async daemon({ flags = [], env = {}, ...more } = {}) {
    const daemon = new Daemon(
      await launchDaemon(["--log-level", "error", ...flags], {
        env: { ...this.environment, ...env },
        cwd: this.home,
        stderr: "pipe",
        ...more,
      }),
    );
    this.daemons.push(daemon);
    return daemon;
  }
}

let instances = 0;

class Daemon {
  ended = false;

  constructor(started) {
    Object.assign(this, started);
    this.pid = this.child.pid;
    this.exited.then(() => (this.ended = true));
  }

  ask(method, target, options) {
    return ask(this, method, target, options);
  }

  async get(target) {
    const response = await this.ask("GET", target);
    assert.equal(response.status, 200, response.body);
    return JSON.parse(response.body);
  }

  install(id, body = {}, headers = {}) {
    return this.ask("POST", `/v1/agents/${id}/install`, { headers: { ...typed, ...headers }, body: JSON.stringify(body) });
  }

  // An install that must succeed; returns its answer.
  async installed(id, body = {}) {
    const response = await this.install(id, body);
    assert.equal(response.status, 200, response.body);
    return JSON.parse(response.body);
  }

  // An install that must fail; returns the problem.
  async fails(id, body = {}, { status = 500, code = "install_failed" } = {}) {
    return problemOf(await this.install(id, body), status, code);
  }

  // One ACP request to a server id; a new id needs the agent's.
  post(server, method, params = {}, agent) {
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++instances, method, params });
    return this.ask("POST", `/v1/acp/${server}${agent ? `?agent=${agent}` : ""}`, { headers: typed, body });
  }

  // Starts the agent, asks these methods of it in turn, ends it. Returns the last answer's result.
  async acp(agent, ...methods) {
    const server = `talk-${++instances}`;
    let result;
    for (const method of ["initialize", ...methods]) {
      const response = await this.post(server, method, method === "initialize" ? { protocolVersion: 1 } : {}, agent);
      assert.equal(response.status, 200, response.body);
      result = JSON.parse(response.body).result;
    }
    await this.ask("DELETE", `/v1/acp/${server}`);
    return result;
  }

  // Which version of the agent answers.
  async version(agent) {
    return (await this.acp(agent)).agentInfo.version;
  }

  kill(signal) {
    this.child.kill(signal);
  }

  async kill9() {
    this.kill("SIGKILL");
    await this.exited;
  }
}

// Checks a problem's form; returns it.
export function problemOf(response, status, code) {
  assert.equal(response.status, status, response.body);
  assert.equal(response.headers["content-type"], "application/problem+json");
  const problem = JSON.parse(response.body);
  assert.equal(problem.type, `urn:sandbox-agent:error:${code}`);
  assert.match(problem.detail, /^[A-Z'].*[.]$/s, "the detail is a sentence");
  assert.ok(!response.body.includes(token), "the token is never shown");
  return problem;
}
