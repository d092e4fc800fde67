// The Agents screen as somebody meets it, and a shelf that agents are installed from: a registry and archives on loopback.
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { tarGz } from "../install/archives.mjs";
import { bytes, json, startServer } from "../install/registry_server.mjs";
import { shellAgent } from "../install/test_agents.mjs";
import { eventually } from "./events.mjs";

const platform = `linux-${{ x64: "x86_64", arm64: "aarch64" }[process.arch]}`;
export const sha256 = (body) => createHash("sha256").update(body).digest("hex");

// An archive with an agent that says this version; `ballast` bytes make it long.
export const packed = (version, ballast = 0) =>
  tarGz([{ name: "agent", body: shellAgent(version), mode: 0o755 }, { name: "ballast", body: randomBytes(ballast) }]);

// Sends the first half, then byte by byte until release(): the daemon tells of bytes that come, not of those that came.
export function halting(body) {
  let isReleased = false;
  const answer = async (request, response) => {
    let at = Math.ceil(body.length / 2);
    response.writeHead(200, { "content-length": body.length });
    response.write(body.subarray(0, at));
    while (!isReleased && !response.destroyed) {
      await pause(50);
      response.write(body.subarray(at, ++at));
    }
    response.end(body.subarray(at));
  };
  return Object.assign(answer, { release: () => (isReleased = true) });
}

// Once per file. `agents`: { id: archive }, listed with their hashes; what is really sent can be changed by put().
export function useShelf(agents) {
  const shelf = { env: {}, put: (id, answer) => shelf.web.put(`/${id}`, answer) };
  const config = mkdtempSync(path.join(os.tmpdir(), "shelf-"));
  before(async () => {
    shelf.web = await startServer();
    const folder = path.join(config, "sandbox-agent", "agents");
    mkdirSync(folder, { recursive: true });
    const listed = Object.entries(agents).map(([id, archive]) => {
      writeFileSync(path.join(folder, `${id}.json`), JSON.stringify({ id, name: `Agent ${id}`, registry: [id] }));
      const binary = { archive: shelf.put(id, bytes(archive)), cmd: "./agent", sha256: sha256(archive) };
      return { id, name: id, version: "1.0.0", distribution: { binary: { [platform]: binary } } };
    });
    const registry = shelf.web.put("/registry.json", json({ version: "1.0.0", agents: listed }));
    Object.assign(shelf.env, { XDG_CONFIG_HOME: config, SANDBOX_AGENT_ACP_REGISTRY_URL: registry });
  });
  after(async () => {
    await shelf.web.stop();
    rmSync(config, { recursive: true, force: true });
  });
  return shelf;
}

export class AgentsPage {
  // ui: the page it is on
  constructor(ui) {
    Object.assign(this, { ui, raw: ui.raw });
    this.list = ui.raw.getByRole("navigation", { name: "Agents" });
    this.actions = ui.raw.getByRole("group", { name: "Actions" });
    this.install = ui.raw.getByRole("region", { name: "Install" });
    this.progress = ui.raw.getByRole("progressbar");
    this.test = ui.raw.getByRole("region", { name: "Test" });
    this.alert = ui.raw.getByRole("main").getByRole("alert");
    this.dialog = ui.raw.getByRole("dialog");
  }

  async open(id) {
    await this.ui.open(id === undefined ? "/ui/agents" : `/ui/agents/${id}`);
    await this.raw.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
  }

  // By the list; `name` is the agent's.
  async choose(name) {
    await this.row(name).click();
    await this.raw.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  }

  row(name) {
    return this.list.getByRole("link", { name: new RegExp(`^${name} `) });
  }

  // The agent's row says so.
  rowSays(name, text) {
    return this.row(name).filter({ hasText: text }).waitFor();
  }

  do(action) {
    return this.actions.getByRole("button", { name: action }).click();
  }

  async start(id, action) {
    await this.open(id);
    await this.do(action);
  }

  // What is known of the agent, by name; of what is named twice the first.
  facts() {
    return this.raw.getByRole("article").evaluate((article) => {
      const rows = [...article.querySelectorAll("dl > div")].reverse();
      const text = (row, tag) => row.querySelector(tag).innerText.trim();
      return Object.fromEntries(rows.map((row) => [text(row, "dt"), text(row, "dd")]));
    });
  }

  items(list) {
    return this.raw.getByRole("list", { name: list, exact: true }).getByRole("listitem").allInnerTexts();
  }

  text() {
    return this.raw.locator("body").innerText();
  }
}

export async function agentsOf(daemon) {
  return JSON.parse((await daemon.ask("GET", "/v1/agents")).body).agents;
}

export async function agentOf(daemon, id) {
  return (await agentsOf(daemon)).find((agent) => agent.id === id);
}

// Until the daemon lists as many processes.
export function untilProcesses(daemon, count) {
  return eventually(async () => {
    const running = await daemon.instances();
    assert.equal(running.length, count, `the daemon has ${JSON.stringify(running)}, not ${count}`);
  });
}
