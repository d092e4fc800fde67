// Daemon: what a daemon offers besides conversations. An entry of its own, for programs that speak with agents in another way, such
// as the daemon's own web page; it brings nothing of the protocol along.
import { Agents } from "./agents.js";
import { Files } from "./files.js";
import type { components } from "./generated/api.js";
import { Caller } from "./http/caller.js";
import type { CallOptions, DaemonOptions } from "./http/options.js";
import { McpServers } from "./mcp.js";
import type { DaemonStatus, Health } from "./sandbox_agent_options.js";
import { Skills } from "./skills.js";

/** One agent's process, as the daemon lists it. */
export type Instance = components["schemas"]["Server"];

export class Daemon {
  /** Where it is. */
  readonly baseUrl: string;
  /** Its token. */
  readonly token: string | undefined;
  /** Which agents there are; installing them. */
  readonly agents: Agents;
  /** The files where the daemon runs. */
  readonly fs: Files;
  /** MCP servers configured for a directory. */
  readonly mcp: McpServers;
  /** Skills configured for a directory. */
  readonly skills: Skills;
  /** @internal */
  protected readonly caller: Caller;

  constructor(options: DaemonOptions) {
    this.caller = new Caller(options);
    this.baseUrl = this.caller.baseUrl;
    this.token = options.token;
    this.agents = new Agents(this.caller);
    this.fs = new Files(this.caller);
    this.mcp = new McpServers(this.caller);
    this.skills = new Skills(this.caller);
  }

  /** Whether it is well, its version, how long it runs. */
  async health(options: CallOptions = {}): Promise<Health> {
    return this.caller.json("get", "/v1/health", options);
  }

  /** What it has done, what it holds, and what it allows. */
  async status(options: CallOptions = {}): Promise<DaemonStatus> {
    return this.caller.json("get", "/v1/status", options);
  }

  /** The agents' processes it has, whoever started them. */
  async instances(options: CallOptions = {}): Promise<Instance[]> {
    return (await this.caller.json("get", "/v1/acp", options)).servers;
  }

  /** The last lines a process wrote to its error output. */
  async stderr(serverId: string, options: CallOptions = {}): Promise<string> {
    return (
      await this.caller.open("get", "/v1/acp/{server_id}/stderr", { ...options, params: { server_id: serverId } })
    ).text();
  }

  /** Ends a process and all that belongs to it; always works. Resolves when nothing of it is left. */
  async stop(serverId: string, options: CallOptions = {}): Promise<void> {
    await this.caller.json("delete", "/v1/acp/{server_id}", { ...options, params: { server_id: serverId } });
  }
}

export type { AgentInfo, InstallProgress } from "./agents.js";
export type { Health } from "./sandbox_agent_options.js";
export { SessionFilter, type Owner } from "./stored/session_filter.js";
export * from "./error_classes.js";
export { version } from "./version.js";
