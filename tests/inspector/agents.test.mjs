// The Agents screen: what it says is what the daemon says; installs with progress, failures that stay, removal, tests.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { fileURLToPath } from "node:url";
import { bytes } from "../install/registry_server.mjs";
import { agentOf, agentsOf, AgentsPage, halting, packed, sha256, untilProcesses, useShelf } from "./agents_page.mjs";
import { eventually } from "./events.mjs";
import { check, useBrowser } from "./stage.mjs";

useBrowser();
const big = packed("1.0.0", 2_000_000);
const small = packed("1.0.0");
const shelf = useShelf({ tin: big, lead: small, zinc: big });

const nonsense = fileURLToPath(new URL("./nonsense_agent.mjs", import.meta.url));
const strange = [
  ["--agent", `broken=${process.execPath} ${nonsense} prose`],
  ["--agent", `shape=${process.execPath} ${nonsense} shape`],
  ["--agent", "mute=/usr/bin/tail -f /dev/null"],
].flat();
const withShelf = { env: shelf.env };
const nowhere = { SANDBOX_AGENT_ACP_REGISTRY_URL: "http://127.0.0.1:9/registry.json" };

const hello = {
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } }),
};

const sources = { registry: "registry", fallback: "fallback", local_path: "custom", builtin: "built in" };
const registries = { listed: "listed", non_registry: "not listed", unreachable: "unreachable" };
const credentials = { found: "found", missing: "not found", not_needed: "not needed", unknown: "unknown" };

function stateOf({ install, installed, credentials: key }) {
  if (install.source === "builtin") return "built in";
  if (!installed) return "not installed";
  return key === "missing" ? "needs key" : "ready";
}

const placeOf = ({ credentials: key, credentialsPlace: place }) => credentials[key] + (place ? ` in ${place}` : "");

async function saysWhatTheDaemonSays({ ui, daemon }, expected) {
  const page = new AgentsPage(ui);
  await page.open();
  const agents = await agentsOf(daemon);
  await eventually(() => rowsSay(page, agents));
  for (const agent of agents) {
    await page.choose(agent.name);
    await eventually(() => factsSay(page, agent));
  }
  for (const [id, word] of Object.entries(expected)) assert.equal(placeOf(agents.find((agent) => agent.id === id)), word);
}

async function rowsSay(page, agents) {
  const rows = await page.list.getByRole("link").allInnerTexts();
  assert.equal(rows.length, agents.length);
  for (const [at, agent] of agents.entries()) {
    const words = [agent.name, agent.id, stateOf(agent), `Credentials ${placeOf(agent)}`];
    for (const word of words) assert.ok(rows[at].includes(word), `${word} is not in: ${rows[at]}`);
  }
}

async function factsSay(page, agent) {
  const facts = await page.facts();
  assert.equal(facts.Version, agent.installed ? (agent.version ?? "unknown") : "–", agent.id);
  const source = facts[agent.installed ? "Source" : "Would come from"].split(" – ")[0];
  assert.equal(source, sources[agent.install.source] ?? "unknown", agent.id);
  if (agent.install.source !== "builtin") assert.equal(facts.Registry.split(" – ")[0], registries[agent.install.registry], agent.id);
  assert.equal(facts.Credentials.split(/ – |\n/)[0], placeOf(agent), agent.id);
  const can = Object.values(agent.capabilities).filter(Boolean).length;
  assert.equal((await page.items("Expected capabilities")).length, can, agent.id);
  assert.equal(await page.raw.getByRole("list", { name: "Answered capabilities" }).count(), 0, "nobody was asked");
  if (agent.path) assert.ok(facts["Started as"].startsWith(agent.path));
  const text = await page.text();
  assert.ok(text.includes(agent.install.problem ?? ""), agent.id);
  assert.doesNotMatch(text, /authenticated|logged in|signed in/i);
}

describe("agents", { concurrency: 2 }, () => {
  check("B30 every agent is what the daemon says, field by field, without a key", { flags: strange, env: nowhere }, async (stage) => {
    await saysWhatTheDaemonSays(stage, { claude: "not found", mock: "not needed", broken: "unknown" });
    const page = new AgentsPage(stage.ui);
    await page.choose("Claude Code");
    assert.match((await page.facts()).Credentials, /To add: Set ANTHROPIC_API_KEY or /);
    await stage.ui.open("/ui/agents/nobody");
    await stage.ui.raw.getByRole("heading", { level: 1, name: "There is no agent “nobody”" }).waitFor();
    await stage.ui.open("/ui/agents");
  });

  const keyed = { env: { ...nowhere, ANTHROPIC_API_KEY: "a-key-that-nobody-took" }, viewport: { width: 390, height: 844 } };
  check("B30b a key that is there is named by its place, and no more is claimed", keyed, async (stage) => {
    const page = new AgentsPage(stage.ui);
    await page.open("claude");
    assert.match((await page.facts()).Credentials, /^found in ANTHROPIC_API_KEY – whether they are accepted shows only/);
    assert.ok(!(await page.text()).includes("a-key-that-nobody-took"));
    await stage.ui.raw.getByRole("link", { name: "All agents" }).click();
    await page.rowSays("Claude Code", "Credentials found in ANTHROPIC_API_KEY");
    const overflow = (main) => main.scrollWidth - main.clientWidth;
    assert.equal(await stage.ui.raw.getByRole("main").evaluate(overflow), 0);
  });

  check("B31 an install shows how far it is, also after a walk, and ends with the version and where it came from", withShelf, async (stage) => {
    const { ui, daemon } = stage;
    const stall = halting(big);
    shelf.put("tin", stall);
    const page = new AgentsPage(ui);
    await page.start("tin", "Install");
    await page.install.getByText(/^50 % · 1\.0 MB of 2\.0 MB · [\d.]+ k?B\/s$/).waitFor();
    await page.progress.and(ui.raw.locator('[value="50"]')).waitFor();
    await page.rowSays("Agent tin", "downloading 50 %");
    await ui.raw.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Chat" }).click();
    await ui.raw.goBack();
    await page.install.getByText("50 %").waitFor();

    const second = new AgentsPage(await stage.newTab());
    await second.open();
    await second.rowSays("Agent tin", "not installed");
    stall.release();
    await page.install.getByText("Installed version 1.0.0").waitFor();
    await second.rowSays("Agent tin", "ready");
    await second.raw.close();

    const { version, install } = await agentOf(daemon, "tin");
    const facts = await page.facts();
    assert.deepEqual([facts.Version, facts.Source.split(" – ")[0], facts.Registry], [version, "registry", "listed"]);
    assert.deepEqual([facts["SHA-256"], facts.Archive], [sha256(big), install.artifacts[0].url]);
    assert.match(facts["Last check"], /^tried out/);

    await page.do("Test");
    await page.test.getByText("It calls itself shell, version 1.0.0").waitFor();
    await page.test.filter({ hasText: /It answered initialize after \d/ }).waitFor();
    assert.deepEqual(await daemon.instances(), []);

    await page.do("Version …");
    await page.dialog.getByRole("textbox", { name: "Version" }).fill("7.7.7");
    await ui.keyboard.press("Enter");
    await page.alert.filter({ hasText: /7\.7\.7/ }).waitFor();
    await page.rowSays("Agent tin", "ready, install failed");
    await page.alert.getByRole("button", { name: "Dismiss" }).click();
    await page.alert.waitFor({ state: "detached" });
    assert.equal((await page.facts()).Version, "1.0.0");

    await page.do("Remove …");
    await page.dialog.getByText(install.artifacts[0].path).waitFor();
    await page.dialog.getByRole("button", { name: "Keep it" }).click();
    assert.equal((await agentOf(daemon, "tin")).installed, true);
    await daemon.ask("POST", "/v1/acp/busy?agent=tin", hello);
    await page.do("Remove …");
    await page.dialog.getByText(/One process of it runs now: busy\. What runs is not ended/).waitFor();
    await page.dialog.getByRole("button", { name: "Remove", exact: true }).click();
    await page.rowSays("Agent tin", "not installed");
    assert.equal((await agentOf(daemon, "tin")).installed, false);
  });

  check("B31b an install that fails says why until it is solved, and Retry succeeds when the cause is gone", withShelf, async ({ ui, daemon }) => {
    shelf.put("lead", bytes(packed("6.6.6")));
    const page = new AgentsPage(ui);
    await page.start("lead", "Install");
    const cause = page.alert.filter({ hasText: /could not be installed.*SHA-256.*, and the registry says/s });
    await cause.waitFor();
    await page.rowSays("Agent lead", "failed");
    await page.choose("Demo agent");
    await page.choose("Agent lead");
    await cause.waitFor();
    shelf.put("lead", bytes(small));
    await page.alert.getByRole("button", { name: "Retry" }).click();
    await page.install.getByText("Installed version 1.0.0").waitFor();
    await page.alert.waitFor({ state: "detached" });
    await page.rowSays("Agent lead", "ready");
    assert.equal((await agentOf(daemon, "lead")).installed, true);
  });

  check("B31c an install is cancelled on request and leaves nothing; of an agent that is there only after a question", withShelf, async (stage) => {
    const { ui, daemon } = stage;
    const first = halting(big);
    stage.atEnd(() => first.release());
    shelf.put("zinc", first);
    const page = new AgentsPage(ui);
    await page.start("zinc", "Install");
    await page.install.getByText(/1\.0 MB of/).waitFor();
    await page.install.getByRole("button", { name: "Cancel" }).click();
    await page.install.getByText("The install was cancelled. Nothing of it was left behind.").waitFor();
    await page.rowSays("Agent zinc", "not installed");

    shelf.put("zinc", bytes(big));
    await page.do("Install");
    await page.install.getByText("Installed version 1.0.0").waitFor();
    const stall = halting(big);
    shelf.put("zinc", stall);
    await page.do("Reinstall");
    await page.install.getByText(/1\.0 MB of/).waitFor();
    await page.install.getByRole("button", { name: "Cancel …" }).click();
    await page.dialog.getByText(/also the version that works now/).waitFor();
    await page.dialog.getByRole("button", { name: "Keep it" }).click();
    stall.release();
    await page.install.getByText("Installed version 1.0.0").waitFor();
    assert.equal((await agentOf(daemon, "zinc")).installed, true);
  });

  check("B31d without a network it says where a bundle can be taken from", { env: nowhere }, async ({ ui }) => {
    const page = new AgentsPage(ui);
    await page.start("amp", "Install");
    await page.alert.filter({ hasText: "the registry could not be reached" }).waitFor();
    await page.rowSays("Amp", "failed, offline");
    const offline = ui.raw.getByRole("region", { name: "Without a network" });
    await offline.getByText("sandbox-agent agents bundle amp -o amp.tar.zst").waitFor();
    await offline.getByText("sandbox-agent agents install --bundle amp.tar.zst").waitFor();
  });

  check("B31e a test asks the agent, shows time and answer or the cause, and leaves no process", { flags: strange }, async (stage) => {
    const { ui, daemon } = stage;
    const page = new AgentsPage(ui);
    await page.start("mock", "Test");
    await page.test.getByText(/It answered initialize after [\d.]+ m?s; the process was ended/).waitFor();
    await eventually(async () => assert.match((await page.items("Answered capabilities")).join("\n"), /load session/));
    assert.deepEqual(await daemon.instances(), []);

    await page.choose("shape");
    await page.do("Test");
    await page.alert.filter({ hasText: /Test failed.*banana/s }).waitFor();
    assert.deepEqual(await daemon.instances(), []);

    stage.complaints.allow(/\/v1\/acp\/ui-test-(broken|mute)/, /status of (404|500|502)/);
    await page.choose("mute");
    await page.do("Test");
    await untilProcesses(daemon, 1);
    await ui.raw.goto("about:blank");
    await untilProcesses(daemon, 0);

    await page.start("mute", "Test");
    await untilProcesses(daemon, 1);
    await page.test.getByRole("button", { name: "Cancel test" }).click();
    await page.test.getByText("The test was cancelled, and its process ended.").waitFor();
    assert.deepEqual(await daemon.instances(), []);

    await page.start("broken", "Test");
    await page.alert.filter({ hasText: /Test failed.*nonsense: no terminal, giving up/s }).waitFor();
    assert.deepEqual(await daemon.instances(), []);

    await page.do("Start a session"); // with the agent that is shown
    await ui.newSession.getByRole("radio", { name: "broken", checked: true }).waitFor();
    await ui.keyboard.press("Escape");
    await ui.newSession.waitFor({ state: "detached" });
  });
});
