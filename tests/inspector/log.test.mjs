// Log: what the page says of the daemon is what the daemon says of itself.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { check, useBrowser } from "./stage.mjs";

useBrowser();

const token = "a-token-of-the-checks-0123456789";
const secret = "sk-this-is-nobodys-business";
const withSecret = { token, env: { ANTHROPIC_API_KEY: secret } };

const fact = (ui, name) => ui.raw.locator(`[data-fact="${name}"]`);
const number = async (ui, name) => Number((await fact(ui, name).innerText()).replaceAll(",", ""));

async function status(daemon) {
  return JSON.parse((await daemon.ask("GET", "/v1/status")).body);
}

describe("log", { concurrency: 2 }, () => {
  check("B33f the numbers are those of the status, and they move", async ({ ui, daemon }) => {
    await ui.begin();
    await ui.ask("hello there");
    const { serverId } = ui;
    await ui.raw.getByRole("link", { name: "Log", exact: true }).click();
    await ui.raw.getByRole("heading", { level: 1, name: "Log" }).waitFor();
    await fact(ui, "version").waitFor();
    const { version, pid, directory, counters, current, limits, platform } = await status(daemon);
    const shown = async (...names) => Promise.all(names.map((name) => fact(ui, name).innerText()));
    assert.deepEqual(await shown("version", "pid", "directory", "origin"), [version, String(pid), directory, daemon.origin]);
    assert.deepEqual(
      [await number(ui, "counters.instances"), await number(ui, "counters.events"), await number(ui, "current.instances")],
      [counters.instances, counters.events, current.instances],
    );
    assert.equal(counters.instances, 1);
    assert.equal(await number(ui, "limits.maxInstances"), limits.maxInstances);
    assert.deepEqual(await shown("limits.ringBytes", "limits.heartbeatMs", "limits.requestTimeoutMs"), ["34 MB", "15 s", "none"]);
    assert.equal(await number(ui, "platform.processors"), platform.processors);
    await fact(ui, "page.stream").filter({ hasText: /^live$/ }).waitFor();
    await ui.raw.getByRole("region", { name: "Processes" }).getByRole("link", { name: serverId }).waitFor();

    const before = await number(ui, "counters.requests");
    assert.ok(before > 0);
    await ui.raw.waitForFunction(
      (before) => Number(document.querySelector('[data-fact="counters.requests"]').textContent.replaceAll(",", "")) > before,
      before,
    );
    const shownLast = await number(ui, "counters.requests");
    assert.ok(shownLast <= (await status(daemon)).counters.requests);
  });

  check("B33g the report has the version and no secret", withSecret, async (stage) => {
    const { ui, context, daemon, origin } = stage;
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
    await ui.open(`/ui/log#token=${token}`);
    await ui.raw.getByText(/^\d+ checks: \d+ fine/).waitFor();
    await ui.raw.getByText(/^Not installed: .*claude/).waitFor();
    await ui.saysBriefly("Copied", () => ui.button("Copy report").click());
    const report = await ui.raw.evaluate(() => navigator.clipboard.readText());
    const { version, platform } = await status(daemon);
    assert.match(report, new RegExp(`^sandbox-agent ${version.replaceAll(".", "\\.")}, up .* at ${origin}\n`));
    const parts = [platform.kernel, "ok      daemon: ", "agent mock: ", "--ring-bytes 34 MB", "requests "];
    for (const part of parts) assert.ok(report.includes(part), part);
    for (const part of [token, secret]) {
      assert.ok(!report.includes(part), "the report tells a secret");
      assert.ok(!(await ui.raw.locator("body").innerText()).includes(part), "the page tells a secret");
    }
  });

  check("B33h a daemon that does not answer leaves the numbers, says why, and they come back", async (stage) => {
    const { ui, daemon, complaints } = stage;
    await ui.open("/ui/log");
    await fact(ui, "pid").waitFor();
    complaints.allow(/ERR_CONNECTION_REFUSED|Failed to fetch|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/);
    const first = await number(ui, "pid");
    await daemon.kill();
    const alert = ui.raw.getByRole("main").getByRole("alert");
    await alert.filter({ hasText: "These numbers are not the newest" }).waitFor();
    assert.equal(await number(ui, "pid"), first);
    const asked = ui.raw.waitForRequest(/\/v1\/status$/);
    await alert.getByRole("button", { name: "Retry" }).click();
    await asked;
    await alert.waitFor();
    await daemon.startAgain();
    await alert.waitFor({ state: "hidden" });
    assert.equal(await number(ui, "pid"), (await status(daemon)).pid);
  });
});
