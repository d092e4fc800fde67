// A daemon whose page is looked at: it has a home of its own, listens on a port it keeps, can be killed and started again there.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { ask, launchDaemon } from "../contract/daemon.mjs";
import { eventsIn } from "./events.mjs";

export class InspectedDaemon {
  port = 0;
  #running;
  #log = "";

  // options: token (none: everybody is let in), flags, env, logLevel
  static async start(options = {}) {
    const daemon = new InspectedDaemon(options);
    daemon.home = await mkdtemp(path.join(os.tmpdir(), "inspector-"));
    daemon.work = path.join(daemon.home, "project");
    await mkdir(daemon.work);
    await daemon.startAgain().catch(async (error) => {
      await rm(daemon.home, { recursive: true });
      throw error;
    });
    return daemon;
  }

  // One that somebody else started, without a token, and ends.
  static around({ port }) {
    return Object.assign(new InspectedDaemon({}), { port });
  }

  constructor(options) {
    this.options = options;
  }

  get origin() {
    return `http://127.0.0.1:${this.port}`;
  }

  // On the same port as before. Other options may be given, such as another token.
  async startAgain(options = {}) {
    this.options = { ...this.options, ...options };
    const { token, flags = [], env = {}, logLevel = "warn" } = this.options;
    const access = token === undefined ? ["--no-token"] : [];
    this.#running = await launchDaemon(["--port", String(this.port), ...access, "--log-level", logLevel, ...flags], {
      cwd: this.work,
      env: { PATH: process.env.PATH, HOME: this.home, ...(token === undefined ? {} : { SANDBOX_AGENT_TOKEN: token }), ...env },
      stderr: "pipe",
    });
    this.port = this.#running.port;
  }

  // Without a chance to say good-bye.
  async kill() {
    const running = this.#running;
    this.#running = undefined;
    running.child.kill("SIGKILL");
    await running.exited;
    this.#log += running.errors();
  }

  // It answers nobody, and keeps every connection open, until thaw().
  freeze() {
    this.#running.child.kill("SIGSTOP");
  }

  thaw() {
    this.#running?.child.kill("SIGCONT");
  }

  async halt() {
    const running = this.#running;
    this.#running = undefined;
    await running?.stop();
    this.#log += running?.errors() ?? "";
  }

  async stop() {
    const remove = () => rm(this.home, { recursive: true, maxRetries: 5 }); // agents of a killed daemon end by themselves
    await this.halt().finally(() => this.home && remove());
  }

  // Everything it ever wrote to its log.
  log() {
    return this.#log + (this.#running?.errors() ?? "");
  }

  // What the public interface says.
  async ask(method, target, options = {}) {
    const { token } = this.options;
    const headers = { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...options.headers };
    return ask(this, method, target, { ...options, headers, withToken: false });
  }

  async instances() {
    const { status, body } = await this.ask("GET", "/v1/acp");
    if (status !== 200) throw new Error(`GET /v1/acp: ${status} ${body}`);
    return JSON.parse(body).servers;
  }

  async instance(serverId) {
    return (await this.instances()).find((instance) => instance.serverId === serverId);
  }

  // What agent and clients said to each other until now: { from: "agent" | "client", seq, message }, in order.
  async messages(serverId) {
    const { lastEventId } = await this.instance(serverId);
    return eventsIn(this, `/v1/acp/${encodeURIComponent(serverId)}?include=client`, lastEventId);
  }
}
