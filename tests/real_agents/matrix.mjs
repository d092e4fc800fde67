// usage: node matrix.mjs
// Prints docs/reference/agent-matrix.md from the reports of the agents' last runs.
import { readFileSync } from "node:fs";
import os from "node:os";
import { recipes } from "./recipes.mjs";

const reports = Object.keys(recipes)
  .map((agent) => JSON.parse(readFileSync(new URL(`../../build/real-agents/${agent}/report.json`, import.meta.url), "utf8")));

const row = (cells) => `| ${cells.join(" | ")} |`;
const table = (head, rows) => [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
const perAgent = (cell) => reports.map(cell);
const agents = perAgent(({ agent }) => agent);

const scenarios = Object.keys(reports[0].outcomes);
const marks = scenarios.map((name) => [name, ...perAgent(({ outcomes }) => outcomes[name]?.mark ?? "✗")]);

const noteOf = (name) => ({ outcomes }) => outcomes[name]?.why ?? "";
const notes = scenarios.filter((name) => reports.some(noteOf(name))).map((name) => [name, ...perAgent(noteOf(name))]);
const start = ["start to the answer of initialize", ...perAgent(({ initializeMs }) => `${Math.round(initializeMs)} ms`)];

const listed = perAgent(({ agent, deviations }) =>
  [`**${agent}**${deviations.length ? "" : ": none"}`, ...deviations.map((deviation) => `- ${deviation}`)].join("\n"));

const versions = ({ agent, package: spec, artifacts }) => {
  const native = artifacts.find(({ kind }) => kind === "native_agent");
  return `- ${agent}: \`${spec}\`${native ? `, with its native tool ${native.version}` : ""}`;
};

process.stdout.write(`# Agent matrix

Written by \`make real-agents\`: real agents, installed from their packages, play whole turns through the daemon over HTTP, against
a stub model on loopback. The scenarios are in [tests/real_agents](../../tests/real_agents/README.md).
✓ works, – does not apply, ✗ does not work.

${table(["", ...agents], marks)}

## Versions

${perAgent(versions).join("\n")}

## What was seen and measured

One run, with the agents installed before, on ${os.cpus().length} cores.

${table(["", ...agents], [start, ...notes])}

## Deviations from the published ACP schema

What these agents say that the stable schema of \`@agentclientprotocol/sdk\` does not know. All of it passes through unchanged.

${listed.join("\n\n")}
`);
