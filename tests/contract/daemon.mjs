// One daemon under test: started on a free port with a token and small limits, stopped with SIGTERM.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";

export const binary = process.env.SANDBOX_AGENT_UNDER_TEST ?? path.resolve("build/release/sandbox-agent");
export const token = "contract-token";
const smallLimits = [
  ["--max-json-bytes", "2000"],
  ["--max-envelope-bytes", "3000"],
  ["--max-file-bytes", "4000"],
  ["--max-archive-bytes", "5000"],
].flat();

export async function startDaemon(...flags) {
  const home = await mkdtemp(path.join(os.tmpdir(), "contract-"));
  const daemon = await runDaemon({ flags: ["--log-level", "off", ...smallLimits, ...flags], env: { HOME: home }, cwd: home });
  return {
    port: daemon.port,
    async stop() {
      await daemon.stop();
      await rm(home, { recursive: true });
    },
  };
}

// One daemon with this environment (besides PATH and the token) in this folder, both the caller's. `wrapper`: a command line
// that ends by executing what follows it. `errors()`: what it wrote to stderr, when "pipe" is asked for.
export async function runDaemon({ flags = [], env = {}, cwd, wrapper = [], stderr = "inherit" }) {
  const [program, ...words] = [...wrapper, binary, "server", "--port", "0", "--json", ...flags];
  const child = spawn(program, words, {
    cwd,
    env: { PATH: process.env.PATH, SANDBOX_AGENT_TOKEN: token, ASAN_OPTIONS: process.env.ASAN_OPTIONS ?? "", ...env },
    stdio: ["ignore", "pipe", stderr],
  });
  let errors = "";
  child.stderr?.setEncoding("utf8").on("data", (text) => (errors += text));
  const exited = new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal)));
  const [line] = await Promise.race([
    readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]().next().then((next) => [next.value]),
    exited.then((how) => Promise.reject(new Error(`the daemon ended at once: ${how} ${errors}`))),
  ]);
  return {
    port: Number(new URL(JSON.parse(line).url).port),
    pid: child.pid,
    exited,
    errors: () => errors,
    kill: (signal) => child.kill(signal),
    async stop() {
      child.kill("SIGTERM");
      const how = await exited;
      if (how !== 0) throw new Error(`the daemon ended with ${how} ${errors}`);
    },
  };
}

// One request on its own connection. `head: true` returns at the headers and drops the connection (for endless answers).
export function ask(daemon, method, target, { headers = {}, body, withToken = true, head = false } = {}) {
  const all = { ...(withToken ? { authorization: `Bearer ${token}` } : {}), ...headers };
  if (body !== undefined && !("transfer-encoding" in all)) all["content-length"] = Buffer.byteLength(body);
  return new Promise((resolve, reject) => {
    const request = http.request({ port: daemon.port, host: "127.0.0.1", method, path: target, headers: all, agent: false });
    request.on("error", reject);
    request.on("response", (response) => {
      const result = { status: response.statusCode, headers: response.headers, body: "" };
      if (head) {
        resolve(result);
        return response.destroy();
      }
      response.setEncoding("utf8");
      response.on("data", (piece) => (result.body += piece));
      response.on("error", reject);
      response.on("end", () => resolve(result));
    });
    request.end(body);
  });
}
