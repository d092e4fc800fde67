// By keyboard alone, and by ear: the focus is always seen, places have names, and what happens is said.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { eventually } from "./events.mjs";
import { focusIsSeen, tabTo } from "./focus.mjs";
import { aPlace, goneComplaints, heading, routes, travel } from "./routes.mjs";
import { check, useBrowser } from "./stage.mjs";

useBrowser();

const focused = (ui, locator) => locator.and(ui.raw.locator(":focus")).waitFor();

async function hasLandmarks(ui, route) {
  const roles = ["banner", "main"];
  const counts = await Promise.all(roles.map((role) => ui.raw.getByRole(role).count()));
  assert.deepEqual(counts, [1, 1], `${route.name}: ${roles}`);
  const ways = await ui.raw.getByRole("navigation").evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel).sort());
  assert.deepEqual(ways, ["Sections", "Sessions", ...(route.navigations ?? [])].sort(), `${route.name}: navigations`);
  assert.equal(await ui.raw.getByRole("heading", { level: 1 }).count(), 1, `${route.name} has one heading`);
}

describe("accessibility", { concurrency: 2 }, () => {
  check("B37 a session, a permission and a stop, by keyboard alone, with a focus that is seen", async ({ ui, daemon }) => {
    await ui.open();
    await ui.keyboard.press("Tab");
    await focused(ui, ui.raw.getByRole("link", { name: "Skip to the conversation" }));
    await focusIsSeen(ui, "the first Tab");
    await ui.keyboard.press("Enter");
    await focused(ui, ui.raw.getByRole("main"));
    await ui.keyboard.press("n");
    await ui.newSession.getByRole("radio", { checked: true }).and(ui.raw.locator(":focus")).waitFor();
    await focusIsSeen(ui, "the dialog");
    await tabTo(ui, ui.newSession.getByRole("textbox", { name: "Folder" }).or(ui.newSession.getByRole("combobox", { name: "Folder" })));
    await tabTo(ui, ui.newSession.getByRole("button", { name: "Start" }));
    await ui.keyboard.press("Enter");
    await ui.composing();
    await focusIsSeen(ui, "the composer");
    await ui.ask("hello");

    await ui.say("/permission");
    await ui.permission.waitFor();
    await focused(ui, ui.message); // nobody took it
    const allow = ui.permission.getByRole("button", { name: "1 Allow once" });
    await tabTo(ui, allow, "Shift+Tab");
    await ui.listening();
    await ui.keyboard.press("Enter");
    await ui.ended("done", 2);
    await focused(ui, ui.message);
    const answer = (await daemon.messages(ui.serverId)).find(({ from, message }) => from === "client" && message.result?.outcome);
    assert.equal(answer.message.result.outcome.outcome, "selected");

    await ui.say("/slow 1000");
    await ui.hears("step 2");
    await tabTo(ui, ui.button(/^Stop/));
    await ui.keyboard.press("Enter");
    await ui.ended("cancelled");
    await focusIsSeen(ui, "after the stop");
    await ui.say("/slow 1000");
    await ui.blocks("message").filter({ hasText: "step 2" }).nth(1).waitFor();
    await ui.keyboard.press("Escape");
    await ui.ended("cancelled", 2);

    // Around the whole page, and out again: no trap.
    await ui.message.focus();
    await tabTo(ui, ui.button("Search"), "Shift+Tab", 120);
    await tabTo(ui, ui.message, "Tab", 120);
  });

  check("B38 every address has its landmarks, one heading and a title, and takes the focus", async ({ ui, daemon, complaints }) => {
    const place = await aPlace(ui, daemon);
    complaints.allow(goneComplaints);
    for (const route of routes) {
      await travel(ui, route, place);
      await eventually(() => hasLandmarks(ui, route));
      await ui.raw.waitForFunction((title) => new RegExp(title).test(document.title), route.title.source);
    }
    await travel(ui, routes.find(({ name }) => name === "home"), place);
    for (const name of ["Agents", "Files", "Config", "Log", "Trace"]) {
      await ui.raw.getByRole("navigation", { name: "Sections" }).getByRole("link", { name }).press("Enter");
      await heading(ui, { heading: new RegExp(`^${name}`) }).waitFor();
      await ui.raw.locator("main:focus, main :focus").waitFor();
      await focusIsSeen(ui, name);
    }
    const named = await ui.raw.getByRole("main").getAttribute("aria-label");
    assert.equal(named, "Trace");
  });

  check("B38b an answer is said in sentences, and a question once", async ({ ui }) => {
    await ui.begin();
    const hear = (role, name) =>
      ui.raw.getByRole(role, { name, exact: true }).evaluate((node) => {
        const heard = ((globalThis.heard ??= {})[node.ariaLabel] = []);
        const note = () => node.textContent !== "" && heard.at(-1) !== node.textContent && heard.push(node.textContent);
        new MutationObserver(note).observe(node, { childList: true, characterData: true, subtree: true });
      });
    await hear("status", "Spoken");
    await hear("alert", "Asked");
    assert.equal(await ui.conversation.getAttribute("aria-live"), "off");
    await ui.ask("/slow 20");
    await ui.raw.waitForFunction(() => globalThis.heard.Spoken.at(-1)?.includes("Turn 1: done."));
    const spoken = await ui.raw.evaluate(() => globalThis.heard.Spoken);
    assert.ok(spoken.length < 20, `${spoken.length} times for 20 steps`);
    for (const text of spoken) assert.match(text, /^(step \d+ of 20|.*\.)$/s, "no half sentence");

    await ui.say("/permission");
    await ui.permission.waitFor();
    await ui.raw.waitForFunction(() => globalThis.heard.Asked.length > 0);
    await ui.permission.getByRole("button", { name: "1 Allow once" }).click();
    await ui.ended("done", 2);
    assert.deepEqual(await ui.raw.evaluate(() => globalThis.heard.Asked), ["Permission needed: make clean"]);
  });

  check("B38d a session that goes to another group takes the focus with it", async ({ ui }) => {
    await ui.begin();
    await ui.say("/permission");
    const row = (group) => ui.raw.locator(`.sessions-row[data-group="${group}"]`);
    await row("Needs you").getByRole("button", { name: /^Actions for/ }).focus();
    await ui.listening();
    await ui.permission.getByRole("button", { name: "1 Allow once" }).evaluate((button) => button.click());
    await ui.ended("done", 1);
    await focused(ui, row("Idle").getByRole("button", { name: /^Actions for/ }));
  });

  check("B38e an envelope that is closed leaves the focus in the Trace", async ({ ui }) => {
    await ui.begin();
    await ui.ask("hello");
    await ui.openDetails("Trace");
    const close = ui.button("Close envelope");
    for (const key of ["Enter", "Escape"]) {
      await ui.trace.press("End");
      await ui.trace.press("Enter");
      await close.press(key);
      await close.waitFor({ state: "detached" });
      await focused(ui, ui.trace);
    }
  });

  check("B38f details that are closed leave the focus on their button, or where it is", async ({ ui }) => {
    await ui.begin();
    const details = ui.button("Details");
    await ui.openDetails("Changes");
    await ui.button("Close details").press("Enter");
    await ui.details.waitFor({ state: "detached" });
    await focused(ui, details);
    await ui.openDetails("Changes");
    await ui.keyboard.press(".");
    await ui.details.waitFor({ state: "detached" });
    await focused(ui, details);
    await ui.openDetails("Changes");
    await ui.button("Search").press(".");
    await ui.details.waitFor({ state: "detached" });
    await focused(ui, ui.button("Search"));
  });

  check("B38g a session that is deleted leaves the focus on what stays", async ({ ui }) => {
    await ui.begin();
    await ui.ask("the first one");
    await ui.startSessionByButton();
    await ui.ask("the second one");
    const remove = async (title) => {
      const row = ui.sessions.getByRole("link", { name: title });
      await ui.button(`Actions for ${title}`).press("Enter");
      await ui.raw.getByRole("menuitem", { name: "Delete" }).press("Enter");
      const sure = ui.raw.getByRole("dialog", { name: "Delete this session?" });
      await sure.getByRole("button", { name: "Delete" }).press("Enter");
      await sure.waitFor({ state: "detached" });
      await row.waitFor({ state: "detached" });
    };
    const start = ui.sessions.getByRole("button", { name: "New session" });
    await remove("the first one");
    await focused(ui, start);
    await remove("the second one"); // the one that is shown: there is another screen now, which may take it
    await ui.sessions.getByText("No sessions yet.").waitFor();
    await focused(ui, start.or(ui.raw.getByRole("main")));
  });

  check("B38c Esc closes what is open, the innermost first, and only then stops the turn", async ({ ui }) => {
    await ui.begin();
    await ui.say("/slow 1000");
    await ui.hears("step 2");
    await ui.button("Theme").press("Enter");
    await ui.raw.getByRole("menu").waitFor();
    await ui.keyboard.press("Escape");
    await ui.raw.getByRole("menu").waitFor({ state: "detached" });
    await focused(ui, ui.button("Theme"));
    await ui.keyboard.press("Control+k");
    const palette = ui.raw.getByRole("dialog", { name: "Search" });
    await palette.waitFor();
    await ui.keyboard.press("Escape");
    await palette.waitFor({ state: "detached" });
    await focused(ui, ui.button("Theme"));
    await ui.raw.getByRole("button", { name: /^Stop/, disabled: false }).waitFor(); // nothing was stopped by then
    await ui.keyboard.press("Escape");
    await ui.ended("cancelled");
  });
});
