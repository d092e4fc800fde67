// Does a binary do what it is for? It says its version, serves health and the inspector, runs a turn of the demo agent and ends in order.
// The daemon runs in the foreground: an emulator tells a process another start time than it tells others, so that one in the background
// would not be recognised.
// usage: node scripts/dist-smoke.mjs [--alone] <version> <command …>     --alone: nothing that starts a second process
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { promisify } from "node:util";

const words = process.argv.slice(2);
const alone = words[0] === "--alone" && Boolean(words.shift());
const [version, program, ...rest] = words;
const token = "smoke";
const home = mkdtempSync(path.join(os.tmpdir(), "smoke-"));
const options = { cwd: home, env: { PATH: process.env.PATH, HOME: home, SANDBOX_AGENT_TOKEN: token }, timeout: 30_000 };
const run = (...more) => promisify(execFile)(program, [...rest, ...more], options);

const { stdout: told } = await run("version", "--json");
assert.equal(JSON.parse(told).version, version, "the binary says another version than CMakeLists.txt");

const daemon = spawn(program, [...rest, "server", "--port", "0", "--json"], { ...options, stdio: ["ignore", "pipe", "pipe"] });
let log = "";
daemon.stderr.on("data", (text) => (log += text));
const ended = once(daemon, "exit");
try {
  const lines = readline.createInterface({ input: daemon.stdout })[Symbol.asyncIterator]();
  const { value: line } = await Promise.race([lines.next(), ended.then(() => Promise.reject(new Error(`it ended at once\n${log}`)))]);
  const { url } = JSON.parse(line);
  const get = (target) => fetch(url + target, { headers: { authorization: `Bearer ${token}` } });
  const health = await (await get("/v1/health")).json();
  assert.deepEqual([health.status, health.version], ["ok", version]);
  const page = await get("/ui/");
  assert.match(await page.text(), /^<!doctype html>/i, "the inspector is not in the binary");
  if (!alone) assert.match((await run("run", "--endpoint", url, "hello")).stdout, /You said: "hello"/);
} finally {
  daemon.kill("SIGTERM");
  assert.deepEqual(await ended, [0, null], log);
  rmSync(home, { recursive: true });
}
console.log(`${words.at(-1)}: version, health, inspector${alone ? "" : ", a turn"}: ok`);
