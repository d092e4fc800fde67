// Which agents can be chosen, in a word each, and which one is chosen before the user has chosen.
import type { AgentInfo } from "sandbox-agent/daemon";

export function agentWord({ installed, credentials, install }: AgentInfo): string {
  if (install?.source === "builtin") return "built in";
  if (!installed) return "not installed";
  return credentials === "missing" ? "needs key" : "ready";
}

/** Those that can be used at once first. */
export function agentsInOrder(agents: readonly AgentInfo[]): AgentInfo[] {
  return [...agents.filter(({ installed }) => installed), ...agents.filter(({ installed }) => !installed)];
}

/**
 * The last choice; else the first that is installed and has its key, or needs none; else the first that has its key; else the
 * built-in one.
 */
export function defaultAgent(agents: readonly AgentInfo[], last: string | undefined): string | undefined {
  const isUsable = (agent: AgentInfo) => agent.credentials === "found" && agent.install?.source !== "builtin";
  const found =
    agents.find(({ id }) => id === last) ??
    agents.find((agent) => isUsable(agent) && agent.installed) ??
    agents.find((agent) => agent.installed && agent.credentials === "not_needed" && agent.install?.source !== "builtin") ??
    agents.find(isUsable) ??
    agents.find((agent) => agent.install?.source === "builtin") ??
    agents[0];
  return found?.id;
}
