// One daemon under test: started on a free port, stopped with SIGTERM. For the contract it has a token and small limits.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { fileURLToPath } from "node:url";

export const binary = process.env.SANDBOX_AGENT_UNDER_TEST ?? fileURLToPath(new URL("../../build/release/sandbox-agent", import.meta.url));
export const token = "contract-token";
const smallLimits = [
  ["--max-json-bytes", "2000"],
  ["--max-envelope-bytes", "3000"],
  ["--max-file-bytes", "4000"],
  ["--max-archive-bytes", "5000"],
].flat();

// Any daemon: the environment is complete. `stop` fails when it did not end well. It ends with us, also when we are killed.
export async function launchDaemon(flags, { cwd, env }) {
  const command = ["--pdeathsig", "TERM", binary, "server", "--port", "0", "--json", ...flags];
  const child = spawn("setpriv", command, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  const exited = new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal)));
  const [line] = await Promise.race([
    readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]().next().then((next) => [next.value]),
    exited.then((how) => Promise.reject(new Error(`the daemon ended at once: ${how}`))),
  ]);
  const { port } = new URL(JSON.parse(line).url);
  return {
    port: Number(port),
    child,
    async stop() {
      child.kill("SIGTERM");
      const how = await exited;
      if (how !== 0) throw new Error(`the daemon ended with ${how}`);
    },
  };
}

export async function startDaemon(...flags) {
  const home = await mkdtemp(path.join(os.tmpdir(), "contract-"));
  const env = { PATH: process.env.PATH, HOME: home, SANDBOX_AGENT_TOKEN: token, ASAN_OPTIONS: process.env.ASAN_OPTIONS ?? "" };
  const daemon = await launchDaemon(["--log-level", "off", ...smallLimits, ...flags], { cwd: home, env });
  return {
    port: daemon.port,
    stop: () => daemon.stop().finally(() => rm(home, { recursive: true })),
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
