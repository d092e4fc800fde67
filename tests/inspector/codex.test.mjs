// A real agent in the page: codex, whose model is the stub of tests/real_agents, from the same install.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { Deviations } from "../real_agents/deviations.mjs";
import { recipes } from "../real_agents/recipes.mjs";
import { Scene } from "../real_agents/scene.mjs";
import { InspectedDaemon } from "./daemon.mjs";
import { check, useBrowser } from "./stage.mjs";

useBrowser();

const root = fileURLToPath(new URL("../../build/real-agents/codex", import.meta.url));
const scene = new Scene("codex", recipes.codex, root, new Deviations("codex"));

before(() => scene.begin(), { timeout: 220_000 });
after(() => scene.end(), { timeout: 60_000 });

const withCodex = { daemon: () => InspectedDaemon.around(scene.daemon) };

async function begin(ui) {
  await ui.open();
  await ui.keyboard.press("n");
  await ui.newSession.getByRole("radio", { checked: true }).and(ui.raw.locator(":focus")).waitFor();
  await ui.choose(/^Codex/);
  await ui.newSession.getByRole("button", { name: "Start", disabled: false }).waitFor();
  await ui.keyboard.press("Enter");
  await ui.composing();
}

check("B1 codex: a session by keys, and an answer", withCodex, async ({ ui, daemon }) => {
  await begin(ui);
  await ui.ask("[[stub:text The stub says good morning.]]");
  await ui.hears("The stub says good morning.");
  assert.equal((await daemon.instance(ui.serverId)).agent, "codex");
});

check("B12 codex: Esc stops a turn, and the process lives on", withCodex, async ({ ui, daemon }) => {
  await begin(ui);
  const { pid } = await daemon.instance(ui.serverId);
  await ui.say("[[stub:slow 600 50 tick]]");
  await ui.hears("tick3");
  await ui.keyboard.press("Escape");
  await ui.ended("cancelled");
  const instance = await daemon.instance(ui.serverId);
  assert.deepEqual([instance.status, instance.pid], ["running", pid]);
  await ui.ask("[[stub:text Still here.]]");
  await ui.hears("Still here.");
});

check("B23 codex: a digit approves, and the command is run", withCodex, async (stage) => {
  const { ui, daemon } = stage;
  await begin(ui);
  const file = path.join(scene.work, "approved-in-the-page");
  await ui.say(`[[stub:shell touch ${file}]]`);
  await ui.permission.waitFor();
  await ui.permission.filter({ hasText: file }).waitFor();
  assert.equal(existsSync(file), false);
  const asked = await ui.untilSaid(({ from, message }) => from === "agent" && message.method === "session/request_permission");
  const [first] = asked.message.params.options;
  await ui.permission.getByRole("button", { name: `1 ${first.name}` }).waitFor();
  await ui.listening();
  await ui.keyboard.press("1");
  await ui.hears("tool said:");
  await ui.ended("done");
  const isAnswer = ({ from, message }) => from === "client" && message.result && message.id === asked.message.id;
  const answer = await ui.untilSaid(isAnswer);
  assert.equal(answer.message.result.outcome.optionId, first.optionId);
  assert.equal((await daemon.instance(ui.serverId)).openAgentRequests, 0);
  assert.equal(existsSync(file), true);
});
