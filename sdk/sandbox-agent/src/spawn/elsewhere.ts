// Where no process can be started, such as in a browser: the same exports, and a typed refusal.
import { SandboxAgentError } from "../errors.js";
import type { SandboxAgentSpawnOptions, SpawnedSandboxAgent } from "./options.js";

export type { SandboxAgentSpawnOptions, SpawnedSandboxAgent } from "./options.js";

/** Never asked: no daemon was started here. */
export function resolvePath(_base: string | undefined, path: string): string {
  return path;
}

/** Starts a daemon of its own. Only Node can; here it rejects with "spawn_unsupported". */
export async function spawnSandboxAgent(_options: SandboxAgentSpawnOptions = {}): Promise<SpawnedSandboxAgent> {
  throw new SandboxAgentError("No process can be started from here.", { code: "spawn_unsupported" });
}
