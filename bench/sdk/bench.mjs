// What a turn costs in a program that uses an SDK: CPU time per update and peak memory, for a turn of many updates that is read to its
// end, and what it takes to begin. Ours, our transport alone, and the published SDK take turns against one daemon; each run is a
// process of its own. Prints a Markdown table. usage: node bench/sdk/bench.mjs [updates, default 20000] [rounds, default 5]
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { launchDaemon } from "../../tests/contract/daemon.mjs";

const [updates = 20_000, rounds = 5] = process.argv.slice(2).map(Number);
const kinds = {
  "sandbox-agent": "sandbox_agent",
  "sandbox-agent with a store (SQLite)": "stored",
  "acp-http-client": "acp_http_client",
  "the published sandbox-agent 0.4.2": "published",
};
const token = "bench";
const daemon = await launchDaemon(["--log-level", "off"], { cwd: "/", env: { ...process.env, SANDBOX_AGENT_TOKEN: token } });
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const results = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
for (let round = 0; round < rounds; ++round)
  for (const [kind, name] of Object.entries(kinds)) {
    const program = fileURLToPath(new URL(`${name}.mjs`, import.meta.url));
    const words = [program, `http://127.0.0.1:${daemon.port}`, token, String(updates)];
    results[kind].push(JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8" })));
  }
await daemon.stop();

console.log(`Medians of ${rounds}; a turn of ${updates} updates.\n`);
console.log("| Client | CPU per update | first answer of a new session | peak memory |\n|---|---|---|---|");
for (const [kind, runs] of Object.entries(results)) {
  const of = (field) => median(runs.map((run) => run[field]));
  console.log(`| ${kind} | ${of("cpu").toFixed(1)} µs | ${of("firstMs").toFixed(1)} ms | ${Math.round(of("peakMiB"))} MiB |`);
}
