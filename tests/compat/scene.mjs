// One test's world for the published clients: a home, a project folder, a daemon if wanted, and every client made for it.
// At the end of the test all of it is gone, no promise was rejected behind anybody's back, and the clients had no complaint
// that the test did not announce.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { AcpHttpClient } from "published-acp-http-client";
import { SandboxAgent } from "published-sandbox-agent";
import { binary, launchDaemon } from "../contract/daemon.mjs";
import { processesWith } from "../install/disk.mjs";
import { until } from "../install/waiting.mjs";

export const token = "compat-token";

const strays = [];
process.on("unhandledRejection", (reason) => strays.push(reason));

// `daemon: false`: the test starts one through the client. `complaint`: what the client says on the console in this test.
export async function makeScene(t, { daemon: wanted = true, complaint } = {}) {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), "compat-")));
  const scene = new Scene(root);
  const complaints = [];
  const complain = (...said) => complaints.push(said.map(String).join(" "));
  for (const voice of ["error", "warn"]) t.mock.method(console, voice, complain);
  t.after(async () => {
    try {
      const endings = await Promise.allSettled(scene.clients.map((client) => client.dispose()));
      for (const ending of endings) if (ending.status === "rejected") throw ending.reason;
      await scene.daemon?.stop();
      await until("nothing of the scene runs", () => scene.processes().length === 0);
    } catch (error) {
      const left = scene.processes();
      for (const { pid } of left) process.kill(pid, "SIGKILL");
      throw new Error(`${error.message}: ${JSON.stringify(left)}`);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
    assert.deepEqual(strays.splice(0), [], "no rejection was left unhandled");
    const unexpected = complaints.filter((said) => !complaint?.test(said));
    assert.deepEqual(unexpected, [], "the clients had nothing to complain about");
  });
  const flags = ["--log-level", "error", "--no-telemetry"]; // scripts written for the published daemon pass the latter
  if (wanted) scene.daemon = await launchDaemon(flags, { cwd: scene.home, env: scene.environment });
  return scene;
}

class Scene {
  clients = [];

  constructor(root) {
    mkdirSync((this.home = path.join(root, "home")));
    mkdirSync((this.project = path.join(root, "project")));
    this.mark = `COMPAT_SCENE=${root}`;
    this.added = {
      HOME: this.home,
      XDG_DATA_HOME: path.join(root, "data"),
      XDG_CONFIG_HOME: path.join(root, "config"),
      COMPAT_SCENE: root,
    };
    this.environment = {
      PATH: process.env.PATH,
      ASAN_OPTIONS: process.env.ASAN_OPTIONS ?? "",
      SANDBOX_AGENT_TOKEN: token,
      ...this.added,
    };
  }

  get baseUrl() {
    return `http://127.0.0.1:${this.daemon.port}`;
  }

  async connect({ baseUrl = this.baseUrl, ...options } = {}) {
    return this.keep(await SandboxAgent.connect({ baseUrl, token, ...options }));
  }

  // The client under the client: one ACP connection, nothing of Sandbox Agent in it.
  acp(serverId, options = {}) {
    const transport = { path: `/v1/acp/${serverId}`, bootstrapQuery: { agent: "mock" } };
    const client = new AcpHttpClient({ baseUrl: this.baseUrl, token, transport, ...options });
    this.keep({ dispose: () => client.disconnect() });
    return client;
  }

  keep(client) {
    this.clients.push(client);
    return client;
  }

  // All that runs for this scene: daemons, supervisors, agents, programs.
  processes() {
    return processesWith(this.mark);
  }

  // The demo agents among them, without the supervisors they run under.
  agents() {
    return this.processes().filter(({ command }) => / mock-agent$/.test(command) && !/ supervise /.test(command));
  }

  // Runs a program of this folder to its end: {code, output, errors}. It finds the daemon, if there is one, in its environment.
  async run(program) {
    const env = {
      ...this.environment,
      SANDBOX_AGENT_BIN: binary,
      COMPAT_PROJECT: this.project,
      ...(this.daemon ? { COMPAT_URL: this.baseUrl } : {}),
    };
    const child = spawn(process.execPath, [fileURLToPath(new URL(`programs/${program}`, import.meta.url))], { env });
    const said = { output: "", errors: "" };
    child.stdout.setEncoding("utf8").on("data", (text) => (said.output += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (said.errors += text));
    const code = await new Promise((resolve) => child.once("close", resolve));
    return { code, ...said };
  }
}

export const words = (text) => [{ type: "text", text }];

// Collects what a client hears of one session, by the SDK's event API. Events may come after the answer they belong before.
export function listen(session) {
  const events = [];
  session.onEvent((event) => events.push(event));
  return heardIn(() => events.map((event) => event.payload.params?.update).filter(Boolean), { events });
}

// The same for a list of updates that somebody else fills.
export function heardIn(updates, more = {}) {
  const kind = (name) => updates().filter((update) => update.sessionUpdate === name);
  const text = () => kind("agent_message_chunk").map((update) => update.content.text).join("");
  const hears = (part) => until(`${JSON.stringify(part)} is heard`, () => text().includes(part));
  return { ...more, kind, text, hears };
}
