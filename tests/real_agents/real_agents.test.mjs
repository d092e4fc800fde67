// usage: node real_agents.test.mjs <agent> [--accept]
// Plays every scenario with one agent. --accept: what deviates from the schema now is listed in deviations.json.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import nodeTest, { after } from "node:test";
import { fileURLToPath } from "node:url";
import { Deviations } from "./deviations.mjs";
import { NotApplicable } from "./not_applicable.mjs";
import { recipes } from "./recipes.mjs";
import { basics, credentials } from "./scenarios/basics.mjs";
import { commandLine } from "./scenarios/command_line.mjs";
import { cancelling, deleting } from "./scenarios/endings.mjs";
import { parallel } from "./scenarios/parallel.mjs";
import { sdk, sdkCredentials } from "./scenarios/sdk.mjs";
import { sessions } from "./scenarios/sessions.mjs";
import { streams } from "./scenarios/streams.mjs";
import { tools } from "./scenarios/tools.mjs";
import { Scene } from "./scene.mjs";

const [agent, ...flags] = process.argv.slice(2);
const recipe = recipes[agent];
assert.ok(recipe, `usage: node real_agents.test.mjs ${Object.keys(recipes).join("|")} [--accept]`);

const root = fileURLToPath(new URL(`../../build/real-agents/${agent}`, import.meta.url));
const deviations = new Deviations(agent);
const scene = new Scene(agent, recipe, root, deviations);
const outcomes = {};

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));

after(async () => {
  await scene.end();
  const { artifacts, initializeMs } = scene;
  const report = { agent, package: recipe.package, artifacts, initializeMs, outcomes, deviations: deviations.seen() };
  await mkdir(root, { recursive: true });
  await writeFile(path.join(root, "report.json"), JSON.stringify(report, undefined, 2) + "\n");
}, { timeout: 60_000 });

// DELETE comes when no other instance is left, the daemon without keys after it.
const install = { install: () => scene.begin() };
const scenarios = {
  ...install, ...basics, ...tools, ...cancelling, ...parallel, ...streams, ...commandLine, ...sdk,
  ...sessions,
  ...deleting,
  ...credentials, ...sdkCredentials,
};
for (const [name, play] of Object.entries(scenarios)) {
  nodeTest(`${agent}: ${name}`, { timeout: 220_000 }, async (t) => {
    const started = performance.now();
    const keep = (mark, why) => {
      outcomes[name] = { mark, why, ms: Math.round(performance.now() - started) };
    };
    try {
      const note = await play(scene);
      keep("✓", note);
      if (note) t.diagnostic(note);
    } catch (error) {
      if (error instanceof NotApplicable) {
        keep("–", error.message);
        return t.skip(error.message);
      }
      keep("✗", error.message);
      await scene.removeAll().catch((failure) => t.diagnostic(failure.message));
      throw error;
    }
  });
}

nodeTest(`${agent}: every deviation from the ACP schema is listed`, async () => {
  if (flags.includes("--accept")) await deviations.accept();
  assert.deepEqual(await deviations.unlisted(), [], "a deviation that is not listed (README.md says how to accept it)");
});
