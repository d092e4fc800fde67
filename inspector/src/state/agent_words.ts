// What the daemon says of an agent, in the words of the page. Nothing is added: what it does not know is said to be unknown.
import type { AgentInfo } from "sandbox-agent/daemon";
import { agentWord } from "./agent_choice.js";
import { installWord, type Install } from "./agent_install.js";

type Source = NonNullable<AgentInfo["install"]["source"]>;
type RegistryState = AgentInfo["install"]["registry"];

const sources: Record<Source, string> = {
  registry: "registry",
  fallback: "fallback",
  local_path: "custom",
  builtin: "built in",
};

const aboutSources: Record<Source, string> = {
  registry: "as the agent registry lists it",
  fallback: "the package that this daemon pins",
  local_path: "a program that was put there by somebody else",
  builtin: "part of the daemon’s own program",
};

const registries: Record<RegistryState, string> = {
  listed: "listed",
  non_registry: "not listed",
  unreachable: "unreachable",
};

export const sourceWord = (source: Source | undefined): string =>
  source === undefined ? "unknown" : (sources[source] ?? source);
export const aboutSource = (source: Source): string => aboutSources[source] ?? "";
export const registryWord = (state: RegistryState): string => registries[state] ?? state;

/** One word for the list: what is being done with it, else what it is. */
export function stateWord(agent: AgentInfo, install: Install | undefined): string {
  const word = install && installWord(install);
  if (word === undefined) return agentWord(agent);
  return agent.installed && install?.state === "failed" ? `${agentWord(agent)}, install ${word}` : word; // the old one works on
}

/** What was found, and where; never more. */
export function credentialsWord({ credentials, credentialsPlace }: AgentInfo): string {
  switch (credentials) {
    case "found":
      return credentialsPlace === undefined ? "found" : `found in ${credentialsPlace}`;
    case "missing":
      return "not found";
    case "not_needed":
      return "not needed";
    default:
      return "unknown";
  }
}

/** The sentence of the instructions that says how to add credentials. */
export function credentialsHint({ instructions }: AgentInfo): string | undefined {
  return instructions.split("\n").findLast((line) => /^(Set |For credentials)/.test(line));
}

/** The other sentences of the instructions. */
export function setUpLines(agent: AgentInfo): string[] {
  const hint = credentialsHint(agent);
  return agent.instructions.split("\n").filter((line) => line !== "" && line !== hint);
}

/** What the daemon starts, with its arguments where it told them. */
export function commandLine({ path, instructions }: AgentInfo): string | undefined {
  if (path === undefined) return undefined;
  const told = /^Nothing to install: it is started as `(.+)`\.$/m.exec(instructions)?.[1];
  const rest = told === undefined ? undefined : /^\S+(.*)$/s.exec(told)?.[1];
  return path + (rest ?? "");
}

export const installCommand = (id: string) => `sandbox-agent agents install ${id}`;

/** How it gets here without a network: what to do where there is one, then here. */
export function bundleCommands(id: string): readonly [there: string, here: string] {
  const file = `${id}.tar.zst`;
  return [`sandbox-agent agents bundle ${id} -o ${file}`, `sandbox-agent agents install --bundle ${file}`];
}

/** Whether the daemon keeps files of it that it can remove. */
export const isOurs = ({ installed, install }: AgentInfo) =>
  installed && install.source !== "local_path" && install.source !== "builtin";

/** Whether the daemon can put it here at all. */
export const isInstallable = ({ install }: AgentInfo) => install.source !== "local_path" && install.source !== "builtin";

/** "sessionLifecycle" as people read it. */
export function capabilityWord(name: string): string {
  const words = name
    .replaceAll(/[_.]/g, " ")
    .replaceAll(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);
  return words
    .replaceAll(/\bmcp\b/gi, "MCP")
    .replaceAll(/\bsse\b/g, "SSE")
    .replaceAll(/\bhttp\b/g, "HTTP");
}
