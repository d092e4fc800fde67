// Where stored sessions live in a test: a daemon that may be killed and started again with the same home, agents that remember, and
// one store for all clients. stop() sees to it that no process stays.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { launchDaemon } from "../../../../tests/contract/daemon.mjs";
import { SandboxAgent } from "../../src/index.js";
import type { ConnectOptions } from "../../src/index.js";
import type { SessionPersistDriver } from "../../src/persist/driver.js";
import { isAlive } from "../place.js";
import { until } from "../waiting.js";
import { openStore } from "./store.mjs";
import { Witness } from "./witness.js";

const token = "a-token-for-the-tests";
const fileBeside = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** How the agents that remember are called on the daemon, each with what it offers. */
export const offers = ["load", "tardy", "resume", "both", "halfway", "neither", "closes", "forgets"] as const;
export type Offer = (typeof offers)[number];

interface Server {
  serverId: string;
  agent: string;
  status: string;
  pendingRequests: number;
  lastEventId: number;
  readers: number;
  pid?: number;
}

interface Daemon {
  port: number;
  child: { kill(signal: "SIGKILL"): boolean };
  exited: Promise<unknown>;
  stop(): Promise<void>;
}

export interface Part {
  point: string;
  words: string;
  id: string;
  serverId?: string;
  agent?: string;
  /** The session is there already, and restored. */
  restores?: boolean;
}

export class Land {
  readonly home: string;
  readonly storeFile: string;
  readonly #args: string[];
  readonly #agents: SandboxAgent[] = [];
  readonly #stores: SessionPersistDriver[] = [];
  readonly #witnesses: Witness[] = [];
  #daemon!: Daemon;

  private constructor(home: string, args: string[]) {
    this.home = home;
    this.storeFile = path.join(home, "sessions.db");
    const agent = (offer: Offer) =>
      `${offer}=${process.execPath} ${fileBeside("remembering_agent.mjs")} ${this.memory(offer)} ${offer}`;
    this.#args = ["--log-level", "off", ...offers.flatMap((offer) => ["--agent", agent(offer)]), ...args];
  }

  static async make(args: string[] = []): Promise<Land> {
    const land = new Land(await realpath(await mkdtemp(path.join(os.tmpdir(), "sessions-"))), args);
    for (const offer of offers) await mkdir(land.memory(offer));
    await land.startDaemon();
    return land;
  }

  get access() {
    return { baseUrl: `http://127.0.0.1:${this.#daemon.port}`, token };
  }

  /** A store on the file that all share, with a connection of its own. */
  async store(): Promise<SessionPersistDriver> {
    const store = await openStore(this.storeFile);
    this.#stores.push(store);
    return store;
  }

  /** A client of its own, with the shared store unless told otherwise. */
  async open(options: Partial<ConnectOptions> = {}): Promise<SandboxAgent> {
    const agent = await SandboxAgent.connect({ ...this.access, persist: await this.store(), ...options });
    this.#agents.push(agent);
    return agent;
  }

  witness(serverId: string): Witness {
    const witness = new Witness(this.access, serverId);
    this.#witnesses.push(witness);
    return witness;
  }

  async servers(): Promise<Server[]> {
    const answer = await fetch(`${this.access.baseUrl}/v1/acp`, { headers: { authorization: `Bearer ${token}` } });
    return ((await answer.json()) as { servers: Server[] }).servers;
  }

  async server(serverId: string): Promise<Server | undefined> {
    return (await this.servers()).find((server) => server.serverId === serverId);
  }

  /** Ends the process as DELETE does: its ring goes with it. */
  async delete(serverId: string): Promise<void> {
    const url = `${this.access.baseUrl}/v1/acp/${encodeURIComponent(serverId)}`;
    await fetch(url, { method: "DELETE", headers: { authorization: `Bearer ${token}` } });
  }

  /** Kills the agent; the daemon keeps its ring. */
  async killAgent(serverId: string): Promise<void> {
    process.kill((await this.server(serverId))!.pid!, "SIGKILL");
    await until(async () => (await this.server(serverId))?.status === "exited", "the end of the agent");
  }

  /** Sends as a client of no package does. */
  async post(serverId: string, message: object): Promise<string> {
    return this.postText(serverId, JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  async postText(serverId: string, body: string): Promise<string> {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const url = `${this.access.baseUrl}/v1/acp/${encodeURIComponent(serverId)}`;
    return (await fetch(url, { method: "POST", headers, body })).text();
  }

  /** Where an agent keeps its conversations. */
  memory(offer: Offer): string {
    return path.join(this.home, offer);
  }

  /** How many processes of an agent were started so far. */
  starts(offer: Offer): number {
    const file = path.join(this.memory(offer), "starts");
    return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n").length : 0;
  }

  /** For the act "hold": its file, and what lets it go on. */
  hold(): { words: string; release(): Promise<void> } {
    const file = path.join(this.home, `go-${Math.random().toString(36).slice(2)}`);
    return { words: `hold ${file}`, release: () => writeFile(file, "") };
  }

  /** Another process plays these parts with the built package, and kills itself when all are at their points. */
  async playUntilKilled(...parts: Part[]): Promise<void> {
    const about = JSON.stringify({ access: this.access, storeFile: this.storeFile, parts });
    const child = spawn(process.execPath, [fileBeside("player.mjs"), about], { stdio: ["ignore", "ignore", "pipe"] });
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
    const how = await new Promise((resolve) => child.once("close", (code, signal) => resolve(signal ?? code)));
    if (how !== "SIGKILL") throw new Error(`it was not killed: ${how} ${errors}`);
  }

  async startDaemon(): Promise<void> {
    const env = { PATH: process.env.PATH, HOME: this.home, SANDBOX_AGENT_TOKEN: token };
    this.#daemon = (await launchDaemon(this.#args, { cwd: this.home, env })) as Daemon;
  }

  /** The daemon is lost, and its agents with it; another one begins. */
  async loseDaemon(): Promise<void> {
    const pids = (await this.servers()).flatMap(({ pid }) => pid ?? []);
    this.#daemon.child.kill("SIGKILL");
    await this.#daemon.exited;
    await until(() => !pids.some(isAlive), "the end of its agents");
    await this.startDaemon();
  }

  /** Closes the clients, and with them the processes they started or restored. */
  async closeClients(): Promise<void> {
    await Promise.all(this.#agents.splice(0).map((agent) => agent.dispose()));
  }

  /** Closes what was opened. */
  async close(): Promise<void> {
    await this.closeClients();
    await Promise.all(this.#witnesses.splice(0).map((witness) => witness.close().catch(() => {})));
    await Promise.all(this.#stores.splice(0).map((store) => store.close?.()));
  }

  async stop(): Promise<void> {
    await this.close();
    const left = (await this.servers()).filter(({ status }) => status !== "exited").map(({ serverId }) => serverId);
    await this.#daemon.stop();
    await rm(this.home, { recursive: true });
    expect(left, "processes that nobody ended").toEqual([]);
  }
}

/** One daemon for all tests of the suite. */
export function inLand(suite: (land: () => Land) => void, args: string[] = []): void {
  let land: Land;
  beforeAll(async () => {
    land = await Land.make(args);
  });
  afterEach(() => land.close());
  afterAll(() => land.stop());
  suite(() => land);
}
