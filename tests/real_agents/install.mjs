// Puts an agent where the daemon finds it, by the daemon's own installer, from a registry that is a file. The data folder is
// kept between runs: only the first one downloads.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { ask, launchDaemon } from "../contract/daemon.mjs";
import { within } from "./waiting.mjs";

const longest = 200_000;  // ms; a hundred megabytes from the package registry

const versionOf = (spec) => spec.slice(spec.lastIndexOf("@") + 1);

function registryOf(agent, { package: spec, args, registryId = agent }) {
  const npx = { package: spec, args };
  return { version: "1.0.0", agents: [{ id: registryId, name: agent, version: versionOf(spec), distribution: { npx } }] };
}

// npm is to find its own settings and its cache: this daemon, and only this one, has the environment we have.
function ownEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("SANDBOX_AGENT_")));
}

// Answers the artifacts that are there now: { kind, path, source, version }. `onStart` is told the daemon that does it.
export async function install(agent, recipe, root, dataFolder, onStart) {
  const registry = path.join(root, "registry.json");
  await writeFile(registry, JSON.stringify(registryOf(agent, recipe), undefined, 2) + "\n");
  const env = { ...ownEnvironment(), XDG_DATA_HOME: dataFolder, SANDBOX_AGENT_ACP_REGISTRY_URL: registry };
  const daemon = await launchDaemon(["--no-token", "--log-level", "warn"], { cwd: root, env });
  onStart(daemon);
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ agentProcessVersion: versionOf(recipe.package) });
  const posted = ask(daemon, "POST", `/v1/agents/${agent}/install`, { headers, body, withToken: false });
  const answer = await within(posted, "the install", longest);
  assert.equal(answer.status, 200, answer.body);
  return JSON.parse(answer.body).artifacts;
}
