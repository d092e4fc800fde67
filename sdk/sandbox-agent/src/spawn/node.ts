// Starting and ending a daemon (Node). It picks its port and says so in its first line; its token travels by environment.
// A running daemon does not keep Node alive: when the application has nothing left to do it ends. However it ends, also by SIGKILL, the pipe
// that is the daemon's standard input closes, and the daemon ends with its agents.
import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { SandboxAgentError, TimeoutError } from "../errors.js";
import { findBinary } from "./binary.js";
import type { SandboxAgentSpawnOptions, SpawnedSandboxAgent } from "./options.js";
import { ErrorOutput, forEachLine } from "./output.js";

export type { SandboxAgentSpawnOptions, SpawnedSandboxAgent } from "./options.js";

const killAfterMs = 4000; // more than the daemon takes to end its agents

/** The path as a daemon in folder `base` (default: ours) would see it. */
export function resolvePath(base: string | undefined, path: string): string {
  return resolve(base ?? "", path);
}

/** Starts a daemon of its own and resolves when it is ready. It ends with dispose(), or with this process. */
export async function spawnSandboxAgent(options: SandboxAgentSpawnOptions = {}): Promise<SpawnedSandboxAgent> {
  const { host = "127.0.0.1", port = 0, timeoutMs = 15_000, log = "silent", args = [] } = options;
  const token = options.token || randomBytes(24).toString("hex");
  const env = { ...process.env, ...options.env, SANDBOX_AGENT_TOKEN: token };
  const binary = await findBinary(options.binaryPath, env);
  const daemon = spawn(binary, ["server", "--host", host, "--port", String(port), "--json", "--end-with-stdin", ...args], {
    cwd: options.cwd,
    env,
    detached: true, // Ctrl-C is the application's business
    stdio: ["pipe", "pipe", "pipe"],
  });
  const errors = new ErrorOutput(daemon.stderr, log);
  daemon.stdin.on("error", () => {}); // it is written to by nobody; that it closes is the message
  const baseUrl = await ready(daemon, daemon.stdout, errors, timeoutMs);
  for (const part of [daemon, daemon.stdin, daemon.stdout, daemon.stderr]) unref(part);
  let gone: Promise<void> | undefined;
  const dispose = () => (gone ??= end(daemon, killAfterMs));
  return { baseUrl, token, pid: daemon.pid as number, dispose, [Symbol.asyncDispose]: dispose };
}

// The address in the daemon's first line. When there is none in time, or it ended, nothing of it is left.
async function ready(daemon: ChildProcess, stdout: Readable, errors: ErrorOutput, timeoutMs: number): Promise<string> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<string>((listening, reject) => {
      forEachLine(stdout, (line) => {
        const url = urlOf(line);
        if (url !== undefined) listening(url);
      });
      daemon.on("error", (cause) => reject(couldNotRun(daemon, cause)));
      daemon.once("close", (code, signal) => reject(endedEarly(errors, code ?? signal)));
      timer = setTimeout(() => reject(tooLate(errors, timeoutMs)), timeoutMs);
    });
  } catch (cause) {
    await end(daemon, 0);
    throw cause;
  } finally {
    clearTimeout(timer);
  }
}

function urlOf(line: string): string | undefined {
  try {
    const { event, url } = JSON.parse(line) as { event?: unknown; url?: unknown };
    return event === "ready" && typeof url === "string" ? url : undefined;
  } catch {
    return undefined;
  }
}

// SIGTERM, and SIGKILL when that was not heard; resolves when the process is gone. Keeps Node alive until then.
async function end(daemon: ChildProcess, patienceMs: number): Promise<void> {
  if (daemon.pid === undefined || daemon.exitCode !== null || daemon.signalCode !== null) return;
  daemon.ref();
  const timer = setTimeout(() => daemon.kill("SIGKILL"), patienceMs);
  await new Promise((gone) => {
    daemon.once("exit", gone);
    daemon.kill("SIGTERM");
  });
  clearTimeout(timer);
}

function couldNotRun(daemon: ChildProcess, cause: Error): SandboxAgentError {
  return new SandboxAgentError(`${daemon.spawnfile} could not be run: ${cause.message}.`, {
    code: "spawn_failed",
    hint: "Check that it is a program for this machine, and that cwd is a directory.",
    cause,
  });
}

function endedEarly(errors: ErrorOutput, how: number | string | null): SandboxAgentError {
  const { what, remedy } = errors.words;
  return new SandboxAgentError(`The daemon did not start: ${what ?? (errors.tail || `it ended with ${how}`)}`, {
    code: "spawn_failed",
    hint: remedy,
    data: { stderr: errors.tail },
  });
}

function tooLate(errors: ErrorOutput, timeoutMs: number): TimeoutError {
  const wrote = errors.tail === "" ? "It wrote nothing." : `It wrote:\n${errors.tail}`;
  return new TimeoutError(`The daemon was not ready within ${timeoutMs} ms. ${wrote}`, {
    hint: "Allow more with timeoutMs, or run `sandbox-agent server` by hand to see what it does.",
    data: { stderr: errors.tail },
  });
}

/** Pipes of children are sockets, though their type does not say so. */
function unref(pipe: unknown): void {
  (pipe as { unref?: () => void } | null)?.unref?.();
}
