// A place with a daemon, in both modes of the package: one that the package starts itself, and one that runs already.
// Whatever a test opens here is closed after it; stop() sees to it that no process stays.
import { readFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { binary, launchDaemon } from "../../../tests/contract/daemon.mjs";
import { SandboxAgent, SandboxAgentClient, spawnSandboxAgent } from "../src/index.js";
import type { ConnectOptions, SandboxAgentClientOptions } from "../src/index.js";
import { until } from "./waiting.js";

export type Mode = "embedded" | "server";
export const timeScale = Number(process.env.SA_TIME_SCALE ?? 1);
const token = "a-token-for-the-tests";
process.env.SANDBOX_AGENT_BIN = binary; // how start() finds it

/** The command line of the agent in odd_agent.mjs. */
export const oddAgent = `odd=${process.execPath} ${fileURLToPath(new URL("odd_agent.mjs", import.meta.url))}`;

/** For a flood that is longer than the ring: a reader may stand still for a while and loses nothing. */
export const patientWithReaders = ["--reader-stall-ms", "15000", "--reader-hold-ms", "15000"];

interface Server {
  serverId: string;
  agent: string;
  status: string;
  readers: number;
  pendingRequests: number;
  lastEventId: number;
  pid?: number;
}

export interface Daemon {
  baseUrl: string;
  token: string;
  pid: number;
  stop(): Promise<void>;
}

export class Place {
  readonly mode: Mode;
  readonly home: string;
  readonly daemon: Daemon;
  readonly #args: string[];
  readonly #agents: SandboxAgent[] = [];
  readonly #clients: SandboxAgentClient[] = [];

  private constructor(mode: Mode, home: string, daemon: Daemon, args: string[]) {
    this.mode = mode;
    this.home = home;
    this.daemon = daemon;
    this.#args = args;
  }

  static async make(mode: Mode, args: string[] = []): Promise<Place> {
    const home = await realpath(await mkdtemp(path.join(os.tmpdir(), "sdk-")));
    return new Place(mode, home, await startDaemon(mode, home, args), args);
  }

  get access() {
    return { baseUrl: this.daemon.baseUrl, token: this.daemon.token };
  }

  /** How else to reach the daemon of an agent that was opened here. */
  accessOf({ baseUrl }: SandboxAgent) {
    return { baseUrl, token };
  }

  /** The friendly layer: in embedded mode with a daemon of its own. */
  async open(options: Partial<ConnectOptions> = {}): Promise<SandboxAgent> {
    const { home } = this;
    const agent =
      this.mode === "embedded" && options.baseUrl === undefined
        ? await SandboxAgent.start({ ...options, spawn: { token, env: environment(home), cwd: home, args: quiet(this.#args) } })
        : await SandboxAgent.connect({ ...this.access, ...options });
    this.#agents.push(agent);
    return agent;
  }

  /** The core. */
  client(options: Partial<SandboxAgentClientOptions> = {}): SandboxAgentClient {
    const client = new SandboxAgentClient({ ...this.access, agent: "mock", ...options });
    this.#clients.push(client);
    return client;
  }

  /** What the daemon runs, and what it keeps of what it ran. */
  async servers(): Promise<Server[]> {
    const answer = await fetch(`${this.daemon.baseUrl}/v1/acp`, { headers: { authorization: `Bearer ${this.daemon.token}` } });
    return ((await answer.json()) as { servers: Server[] }).servers;
  }

  /** Closes what was opened; then the daemon runs nothing. */
  async close(): Promise<void> {
    await Promise.all(this.#agents.splice(0).map((agent) => agent.dispose()));
    await Promise.all(this.#clients.splice(0).map((client) => client.disconnect().catch(() => {})));
  }

  async stop(): Promise<void> {
    await this.close();
    const children = childrenOf(this.daemon.pid);
    await this.daemon.stop();
    expect(isAlive(this.daemon.pid), "the daemon is left").toBe(false);
    await until(() => !children.some(isAlive), `the end of what the daemon started, ${children.join(" ")},`);
    await rm(this.home, { recursive: true });
  }
}

/** Both modes, each with one daemon for all tests of the suite. */
export function inBothModes(name: string, suite: (place: () => Place) => void, args: string[] = []): void {
  describe.each<Mode>(["embedded", "server"])(`${name}, %s mode:`, (mode) => inPlace(mode, suite, args));
}

export function inPlace(mode: Mode, suite: (place: () => Place) => void, args: string[] = []): void {
  let place: Place;
  beforeAll(async () => {
    place = await Place.make(mode, args);
  });
  afterEach(() => place.close());
  afterAll(() => place.stop());
  suite(() => place);
}

async function startDaemon(mode: Mode, home: string, args: string[]): Promise<Daemon> {
  if (mode === "embedded") {
    const { dispose, ...daemon } = await spawnSandboxAgent({ env: environment(home), cwd: home, args: quiet(args) });
    return { ...daemon, stop: dispose };
  }
  const env = { PATH: process.env.PATH, HOME: home, SANDBOX_AGENT_TOKEN: token };
  const { port, child, stop } = await launchDaemon(quiet(args), { cwd: home, env });
  const { pid } = child as { pid: number };
  return { baseUrl: `http://127.0.0.1:${port}`, token, pid, stop };
}

const quiet = (args: string[]) => ["--log-level", "off", ...args];
const environment = (home: string) => ({ HOME: home, XDG_DATA_HOME: undefined });

export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false; // it is gone
  }
}

function childrenOf(pid: number): number[] {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return listed === "" ? [] : listed.split(" ").map(Number);
}
