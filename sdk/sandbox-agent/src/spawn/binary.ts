// Finds the daemon's program (Node).
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { SandboxAgentError } from "../errors.js";

type Environment = Record<string, string | undefined>;

/** An absolute path. What was named but cannot be run is an error; what was not named is looked for. */
export async function findBinary(binaryPath: string | undefined, env: Environment): Promise<string> {
  if (binaryPath) return named(binaryPath, "binaryPath");
  if (env.SANDBOX_AGENT_BIN) return named(env.SANDBOX_AGENT_BIN, "SANDBOX_AGENT_BIN");
  const packageName = `@sandbox-agent/cli-${process.platform}-${process.arch}`;
  const candidates = [inPackage(packageName), ...onPath(env.PATH)];
  for (const candidate of candidates) if (candidate !== undefined && (await isProgram(candidate))) return candidate;
  throw new SandboxAgentError("The program sandbox-agent was not found.", {
    code: "binary_not_found",
    hint:
      "Install it, or say where. Looked at: binaryPath and SANDBOX_AGENT_BIN (not set), " +
      `${packageName} (not installed), PATH (${env.PATH || "empty"}).`,
  });
}

async function named(file: string, source: string): Promise<string> {
  const absolute = path.resolve(file);
  if (await isProgram(absolute)) return absolute;
  throw new SandboxAgentError(`${source} names ${absolute}, which is not a program.`, {
    code: "binary_not_found",
    hint: "Mend it, or leave it out.",
  });
}

// The launcher depends on the package, not we; some package managers show a package only to those who depend on it.
function inPackage(name: string): string | undefined {
  const here = createRequire(import.meta.url);
  const launcher = resolved(here, "@sandbox-agent/cli/package.json");
  const program = `${name}/bin/sandbox-agent`;
  return (launcher && resolved(createRequire(launcher), program)) ?? resolved(here, program);
}

function resolved(from: NodeJS.Require, name: string): string | undefined {
  try {
    return from.resolve(name);
  } catch {
    return undefined; // not installed, which is normal
  }
}

function onPath(directories = ""): string[] {
  return directories
    .split(path.delimiter)
    .filter(Boolean)
    .map((directory) => path.resolve(directory, "sandbox-agent"));
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
