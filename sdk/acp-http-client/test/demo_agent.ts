// A daemon, and clients of its demo agent.
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { launchDaemon } from "../../../tests/contract/daemon.mjs";
import { AcpHttpClient, type AcpHttpClientOptions } from "../src/index.js";

const token = "transport-token";

export class Daemon {
  readonly #home: string;
  readonly #daemon: Awaited<ReturnType<typeof launchDaemon>>;

  private constructor(home: string, daemon: Awaited<ReturnType<typeof launchDaemon>>) {
    this.#home = home;
    this.#daemon = daemon;
  }

  static async start(...flags: string[]): Promise<Daemon> {
    const home = await mkdtemp(path.join(os.tmpdir(), "transport-"));
    const env = {
      PATH: process.env["PATH"],
      HOME: home,
      SANDBOX_AGENT_TOKEN: token,
      ASAN_OPTIONS: process.env["ASAN_OPTIONS"] ?? "",
    };
    return new Daemon(home, await launchDaemon(["--log-level", "off", ...flags], { cwd: home, env }));
  }

  get port(): number {
    return this.#daemon.port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** How to reach it: directly, or by another address. */
  at(url = this.url): { baseUrl: string; token: string; firstQuery: Record<string, string> } {
    return { baseUrl: url, token, firstQuery: { agent: "mock" } };
  }

  async instances(): Promise<{ serverId: string; status: string; pendingRequests: number }[]> {
    const answer = await fetch(`${this.url}/v1/acp`, { headers: { Authorization: `Bearer ${token}` } });
    return ((await answer.json()) as { servers: { serverId: string; status: string; pendingRequests: number }[] }).servers;
  }

  async stop(): Promise<void> {
    await this.#daemon.stop().finally(() => rm(this.#home, { recursive: true }));
  }
}

/** A client that has initialized. */
export async function connected(options: AcpHttpClientOptions): Promise<AcpHttpClient> {
  const it = new AcpHttpClient(options);
  await it.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  return it;
}

export async function newSession(it: AcpHttpClient): Promise<string> {
  return (await it.request("session/new", { cwd: "/", mcpServers: [] })).sessionId;
}

export async function prompt(it: AcpHttpClient, sessionId: string, text: string): Promise<string> {
  return (await it.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] })).stopReason;
}
