// Starting and ending a daemon (Node). It picks its port and says so in its first line; its token travels by environment.
// A running daemon does not keep Node alive: when the application has nothing left to do it ends. However it ends, also by SIGKILL, the pipe
// that is the daemon's standard input closes, and the daemon ends with its agents.
import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { AcpHttpError } from "acp-http-client";
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
  const over = new AbortController();
  setMaxListeners(0, over.signal); // every connection listens
  daemon.once("exit", (code, signal) => over.abort(ended(code ?? signal)));
  daemon.stdin.on("error", () => {}); // it is written to by nobody; that it closes is the message
  const { pid, stdin, stdout, stderr } = daemon;
  const { signal } = over;
  const baseUrl = await ready(daemon, stdout, errors, timeoutMs).catch(async (cause: unknown) => {
    await end(daemon, 0, signal);
    throw cause;
  });
  for (const part of [daemon, stdin, stdout, stderr]) (part as Partial<ChildProcess>).unref?.(); // pipes of children are sockets
  let gone: Promise<void> | undefined;
  const dispose = () => (gone ??= end(daemon, killAfterMs, signal));
  return { baseUrl, token, pid: pid!, signal, dispose, [Symbol.asyncDispose]: dispose };
}

// The address in the daemon's first line.
function ready(daemon: ChildProcess, stdout: Readable, errors: ErrorOutput, timeoutMs: number): Promise<string> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return new Promise<string>((listening, reject) => {
    forEachLine(stdout, (line) => {
      const [, url] = /^\{"event":"ready","url":"([^"]+)/.exec(line) ?? [];
      if (url) listening(url);
    });
    daemon.on("error", (cause) => reject(couldNotRun(daemon, cause)));
    daemon.once("close", (code, signal) => reject(endedEarly(errors, code ?? signal)));
    timer = setTimeout(() => reject(tooLate(errors, timeoutMs)), timeoutMs);
  }).finally(() => clearTimeout(timer));
}

// SIGTERM, and SIGKILL when that was not heard; resolves when the process is gone. Keeps Node alive until then.
async function end(daemon: ChildProcess, patienceMs: number, over: AbortSignal): Promise<void> {
  if (daemon.pid === undefined || over.aborted) return;
  daemon.ref();
  const timer = setTimeout(() => daemon.kill("SIGKILL"), patienceMs);
  await new Promise((gone) => {
    over.addEventListener("abort", gone);
    daemon.kill();
  });
  clearTimeout(timer);
}

// What calls reject with that still wait for the daemon: the transport's error, which carries ours.
function ended(how: number | string | null): AcpHttpError {
  const cause = new SandboxAgentError(`The daemon has ended with ${how}.`, {
    code: "daemon_ended",
    hint: "Start one with SandboxAgent.start().",
  });
  return new AcpHttpError(cause.message, { code: "connection_lost", cause });
}

function couldNotRun(daemon: ChildProcess, cause: Error): SandboxAgentError {
  return new SandboxAgentError(`${daemon.spawnfile} could not be run: ${cause.message}.`, {
    code: "spawn_failed",
    hint: "Is it a program for this machine, and cwd a directory?",
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
  return new TimeoutError(`The daemon was not ready within ${timeoutMs} ms. It wrote: ${errors.tail || "nothing"}`, {
    hint: "Allow more with timeoutMs.",
    data: { stderr: errors.tail },
  });
}
