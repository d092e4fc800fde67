// agents: which agents there are, what they offer, and installing them.
import { fromProblem, SandboxAgentError } from "./errors.js";
import type { components } from "./generated/api.js";
import { readable } from "./http/bodies.js";
import type { Caller } from "./http/caller.js";
import { parseJson } from "./http/json.js";
import type { CallOptions } from "./http/options.js";

export type AgentInfo = components["schemas"]["AgentInfo"];
export type AgentArtifact = components["schemas"]["Artifact"];

export interface AgentQuery extends CallOptions {
  /** Ask installed agents what they offer: models, modes and other options. Each is started for a moment. */
  config?: boolean | undefined;
  /** Ask again what was asked before. */
  fresh?: boolean | undefined;
}

export interface InstallProgress {
  /** What is being done, such as "downloading". */
  phase: string;
  bytes?: number;
  total?: number;
}

export interface InstallOptions extends CallOptions {
  /** Install again what is installed. */
  reinstall?: boolean | undefined;
  /** The version of the tool itself. */
  agentVersion?: string | undefined;
  /** The version of the program between the tool and the daemon. */
  agentProcessVersion?: string | undefined;
  onProgress?: ((progress: InstallProgress) => void) | undefined;
}

export interface InstallResult {
  /** There was nothing to do. */
  alreadyInstalled: boolean;
  artifacts: AgentArtifact[];
}

const probeTimeoutMs = 120_000;

export class Agents {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** All agents, those most likely wanted first. */
  async list(options: AgentQuery = {}): Promise<AgentInfo[]> {
    return (await this.#caller.json("get", "/v1/agents", question(options))).agents;
  }

  /** One agent, by its id or an alias. Rejects with AgentNotFoundError, which names the nearest ones. */
  async get(agent: string, options: AgentQuery = {}): Promise<AgentInfo> {
    return this.#caller.json("get", "/v1/agents/{agent}", { ...question(options), params: { agent } });
  }

  /** Installs an agent where the daemon runs. Aborting stops the waiting, not the install, which others may wait for too. */
  async install(agent: string, options: InstallOptions = {}): Promise<InstallResult> {
    const { onProgress, signal, ...wishes } = options;
    const response = await this.#caller.open("post", "/v1/agents/{agent}/install", {
      params: { agent },
      json: wishes,
      headers: { accept: "text/event-stream" },
      signal,
    });
    const { serverSentEvents } = await import("./http/sse.js"); // most never need it
    const body = readable(response, { url: this.#caller.baseUrl, answered: true, signal });
    for await (const { event, data } of serverSentEvents(body)) {
      const news = parseJson(data);
      if (event === "progress") onProgress?.(news as InstallProgress);
      if (event === "problem") throw fromProblem((news as { status: number }).status, news);
      if (event === "done") {
        const { already_installed, artifacts } = news as components["schemas"]["AgentInstalled"];
        return { alreadyInstalled: already_installed, artifacts };
      }
    }
    throw new SandboxAgentError("The connection was cut before the install was over.", { code: "connection_lost" });
  }

  /** Removes what the daemon installed of it. */
  async uninstall(agent: string, options: CallOptions = {}): Promise<void> {
    await this.#caller.json("delete", "/v1/agents/{agent}/install", { ...options, params: { agent }, timeoutMs: 0 });
  }
}

function question({ config, fresh, signal }: AgentQuery) {
  return {
    query: { config, no_cache: fresh },
    timeoutMs: config ? probeTimeoutMs : undefined,
    signal,
  };
}
