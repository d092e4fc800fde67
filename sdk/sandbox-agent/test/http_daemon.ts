// A real daemon with a home of its own, and a caller for it.
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Caller } from "../src/http/caller.js";
import type { DaemonOptions } from "../src/http/options.js";
import { spawnSandboxAgent, type SandboxAgentSpawnOptions } from "../src/spawn/node.js";

export const binary =
  process.env.SANDBOX_AGENT_UNDER_TEST ?? fileURLToPath(new URL("../../../build/release/sandbox-agent", import.meta.url));

export async function startDaemon(options: SandboxAgentSpawnOptions = {}) {
  const home = await mkdtemp(path.join(os.tmpdir(), "sdk-http-"));
  const env = { HOME: home, XDG_DATA_HOME: undefined, XDG_CONFIG_HOME: undefined };
  const daemon = await spawnSandboxAgent({ binaryPath: binary, env, cwd: home, ...options });
  const { baseUrl, token } = daemon;
  return {
    baseUrl,
    token,
    home,
    caller: (changes: Partial<DaemonOptions> = {}) => new Caller({ baseUrl, token, ...changes }),
    async stop() {
      await daemon.dispose();
      await rm(home, { recursive: true });
    },
  };
}

/** What a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (cause) {
    return cause;
  }
  throw new Error("it did not fail");
}
