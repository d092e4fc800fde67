// Every screen with nothing to show, while it waits, and when it cannot get what it needs: each time it says so. And a daemon that hangs.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { aFolder, aPlace, goneComplaints, heading, routes, visit } from "./routes.mjs";
import { check, useBrowser } from "./stage.mjs";

useBrowser();

const why = "The disk of this daemon is full.";
const problem = {
  status: 500,
  contentType: "application/problem+json",
  body: JSON.stringify({ type: "urn:sandbox-agent:error:internal", title: "Internal error", status: 500, code: "internal", detail: why }),
};
const main = (ui) => ui.raw.getByRole("main");

// Until the page says it, or an error with what it says instead.
async function says(ui, route, state, pattern, where = "body") {
  const test = ([where, source, flags]) => new RegExp(source, flags).test(document.querySelector(where)?.innerText ?? "");
  const shown = ui.raw.waitForFunction(test, [where, pattern.source, pattern.flags]);
  await shown.catch(async () => assert.fail(`${route.name}, ${state}: it says ${await ui.raw.locator("body").innerText()}`));
  const headings = await ui.raw.getByRole("heading", { level: 1 }).count();
  assert.equal(headings, 1, `${route.name}, ${state}: ${headings} headings`);
}

// What is not a screen's own matter is said by the page: the daemon does not answer, or the stream is asked for again and again.
const byThePage = { bar: /unreachable[^]*Retry now/, stream: /reconnecting|connecting|Loading …/ };

// What it asks for is not answered, then refused, then answered.
async function waitsAndFails(ui, route, place) {
  let refuse;
  const refusing = new Promise((resolve) => (refuse = resolve));
  await ui.raw.route(route.asks, async (request) => {
    await refusing;
    const isRetried = await ui.raw.evaluate(() => globalThis.isRetried).catch(() => false);
    await (isRetried ? request.continue() : request.fulfill(problem)).catch(() => {}); // the page gave up
  });
  await ui.raw.goto(ui.stage.origin + route.path(place));
  await says(ui, route, "loading", /(Loading|Asking for .+) …|connecting/, route.refused ? "body" : "main");
  refuse();
  if (route.refused) {
    await says(ui, route, "failed", byThePage[route.refused]);
    return ui.raw.unrouteAll();
  }
  await says(ui, route, "failed", new RegExp(`${why}[^]*Retry`), "main [role=alert]");
  // Answered from the click on: a screen that asks again by itself would have no such button any more.
  await ui.raw.evaluate(() => addEventListener("click", () => (globalThis.isRetried = true), { capture: true, once: true }));
  await main(ui).getByRole("alert").getByRole("button", { name: "Retry" }).first().click();
  await route.shows(ui).waitFor();
  await main(ui).getByRole("alert").waitFor({ state: "detached" });
  await ui.raw.unrouteAll();
}

describe("states", { concurrency: 2 }, () => {
  check("B41 every screen says that there is nothing, that it waits, and what went wrong", async ({ ui, daemon, complaints }) => {
    complaints.allow(goneComplaints, /500/, /Failed to load/);
    const nowhere = await aFolder(daemon);
    const isOfASession = (route) => /undefined/.test(route.path(nowhere));
    for (const route of routes.filter((route) => !isOfASession(route))) {
      if (!route.asks) await visit(ui, route, nowhere);
      else await waitsAndFails(ui, route, nowhere);
      const ways = await main(ui).locator("button, a[href], input, select, [tabindex]").count();
      assert.ok(ways > 0, `${route.name}: there is nothing to do`);
    }
    const place = await aPlace(ui, daemon);
    for (const route of routes.filter((route) => route.asks && isOfASession(route))) await waitsAndFails(ui, route, place);

    await ui.raw.route(/\/v1\/agents(\?|$)/, (request) => request.fulfill(problem));
    await ui.open();
    await ui.keyboard.press("n");
    await ui.newSession.getByRole("alert").filter({ hasText: why }).waitFor();
    await ui.raw.unrouteAll();
    await ui.newSession.getByRole("button", { name: "Retry" }).click();
    await ui.newSession.getByRole("button", { name: "Start", disabled: false }).waitFor();
    await ui.keyboard.press("Escape");
  });

  check("B41b a screen and a dialog that cannot be loaded say so, and are loaded again", async ({ ui, complaints }) => {
    complaints.allow(/ERR_FAILED|Failed to (load|fetch)/);
    await ui.open();
    const late = /assets\/(log_screen|palette)-.*\.js/;
    await ui.raw.route(late, (request) => request.abort());
    await ui.raw.getByRole("link", { name: "Log", exact: true }).click();
    await main(ui).getByRole("alert").filter({ hasText: "could not be loaded" }).waitFor();
    await heading(ui, { heading: /^Log$/ }).waitFor();
    await ui.keyboard.press("Control+k");
    const dialog = ui.raw.getByRole("dialog", { name: "Search" });
    await dialog.getByRole("alert").filter({ hasText: "could not be loaded" }).waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await main(ui).getByRole("button", { name: "Reload the page" }).waitFor();
    await ui.raw.unrouteAll();
    await main(ui).getByRole("button", { name: "Reload the page" }).click();
    await heading(ui, { heading: /^Log/ }).waitFor();
    await main(ui).getByRole("alert").waitFor({ state: "detached" });
  });

  check("B41c when the daemon was never reached, every address has its frame and says so", async ({ ui, complaints }) => {
    complaints.allow(/ERR_|Failed to (load|fetch)/);
    await ui.raw.route(/\/v1\//, (request) => request.abort());
    for (const route of routes.filter(({ isTwin }) => !isTwin)) {
      await ui.raw.goto(ui.stage.origin + route.path({ serverId: "one", sessionId: "two", folder: "/", seq: "1" }));
      await ui.raw.getByRole("alert").filter({ hasText: "unreachable" }).waitFor();
      assert.equal(await ui.raw.getByRole("heading", { level: 1 }).count(), 1, route.name);
    }
  });

  check("B41d beside a session that is not here, no message is promised", async ({ ui }) => {
    await ui.begin();
    await ui.openDetails("Trace");
    await ui.open("/ui/s/nobody/nothing");
    await ui.details.getByText("Nothing is known of what was said: its process is not here.").waitFor();
  });

  check("B19 a daemon that hangs is slow, then unreachable, and healthy again when it goes on", async (stage) => {
    const { ui, daemon, complaints } = stage;
    complaints.allow(/ERR_|Failed to (load|fetch)/);
    await ui.begin();
    await ui.ask("before");
    await ui.keyboard.type("a draft");
    // Looked for by the page itself: "slow" is there for three seconds.
    const isSaid = (word) => document.querySelector(`[role=status][aria-label=Daemon][data-word=${word}]`) !== null;
    const word = (said) => ui.raw.waitForFunction(isSaid, said);
    try {
      daemon.freeze();
      await stage.within(5000, "being slow", word("slow"));
      await stage.within(6000, "being unreachable", word("unreachable"));
      await ui.raw.getByRole("alert").filter({ hasText: "unreachable" }).waitFor();
      assert.equal(await ui.draft(), "a draft");
    } finally {
      daemon.thaw();
    }
    await stage.within(8000, "being well again", word("healthy"));
    assert.equal(await ui.raw.getByRole("region", { name: "Daemon restarted" }).count(), 0);
    await ui.keyboard.press("Enter");
    await ui.hears('You said: "a draft"');
  });
});
