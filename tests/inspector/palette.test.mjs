// Everything by one field: actions, sessions, sections, agents, files; and stopping what runs, from anywhere.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe } from "node:test";
import { PalettePage } from "./palette_page.mjs";
import { check, useBrowser } from "./stage.mjs";

useBrowser();

describe("palette", { concurrency: 2 }, () => {
  check("P1 the palette finds actions, sessions, agents, files and sections, and gives the focus back", async ({ ui, daemon }) => {
    await mkdir(path.join(daemon.work, "notes"));
    await writeFile(path.join(daemon.work, "notes", "harvest.md"), "wheat\n");
    await ui.begin();
    await ui.ask("plough the field");
    const palette = new PalettePage(ui);

    await palette.open();
    for (const group of ["Actions", "Sessions", "Go to", "Agents", "Files"]) await palette.group(group).waitFor();
    const names = await palette.group("Go to").getByRole("option").allInnerTexts();
    assert.equal(names.length, 6, names.join());
    await ui.keyboard.press("Escape");
    await palette.dialog.waitFor({ state: "detached" });
    await ui.message.and(ui.raw.locator(":focus")).waitFor();

    await palette.open();
    await palette.chosen.filter({ hasText: "New session" }).waitFor();
    const isTold = (field) => document.getElementById(field.getAttribute("aria-activedescendant"))?.ariaSelected;
    assert.equal(await palette.field.evaluate(isTold), "true");
    await ui.keyboard.press("ArrowDown");
    await palette.chosen.filter({ hasNotText: "New session" }).waitFor();
    await ui.keyboard.press("ArrowUp");
    await palette.chosen.filter({ hasText: "New session" }).waitFor();
    await ui.keyboard.type("qqzzxx");
    await palette.dialog.getByText("Nothing matches.").waitFor();
    await palette.dialog.getByRole("button", { name: "Clear filter" }).click();
    await palette.chosen.waitFor();
    await palette.dialog.getByRole("button", { name: "Close" }).click();
    await palette.dialog.waitFor({ state: "detached" });

    await palette.run("harv", "notes/harvest.md");
    await ui.raw.waitForURL(/\/ui\/files\?path=.*notes\/harvest\.md$/);
    await palette.run("plough", "plough the field");
    await ui.composing();
    await palette.run("demo agent", "Demo agent");
    await ui.raw.waitForURL(/\/ui\/agents\/mock$/);
    await palette.run("go log", "Go to Log");
    await ui.raw.waitForURL(/\/ui\/log$/);
    await palette.run("theme dark", "Theme: dark");
    await ui.raw.locator('html[data-theme="dark"]').waitFor();
    await palette.run("new ses", "New session");
    await ui.newSession.waitFor();
    await ui.keyboard.press("Escape");
  });

  check("P2 every key of the list does what it says, none is named twice, and letters can be switched off", async ({ ui }) => {
    await ui.begin();
    await ui.ask("one");
    const keys = ui.raw.getByRole("dialog", { name: "Keys" });
    const leave = () => ui.conversation.focus();
    const press = async (...some) => {
      for (const key of some) await ui.keyboard.press(key);
    };
    await press("Escape"); // leaves the empty composer
    await ui.conversation.and(ui.raw.locator(":focus")).waitFor();
    await press("?");
    await keys.locator("kbd").first().waitFor();
    const named = await keys.locator("kbd").allInnerTexts();
    assert.deepEqual(named.filter((key, at) => named.indexOf(key) !== at), []);
    assert.ok(["Ctrl K", "N", "/", "Esc", ".", "[", "]", "R", "G then C", "G then A", "?"].every((key) => named.includes(key)));
    await press("Escape");
    await keys.waitFor({ state: "detached" });

    for (const [letter, place] of Object.entries({ a: /agents$/, f: /files$/, m: /config$/, l: /log$/, t: /trace\/.+/, c: /\/s\/.+/ })) {
      if (letter === "a") await leave();
      await Promise.all(["g", letter].map((key) => press(key))); // the first counts for a moment only
      await ui.raw.waitForURL(place);
    }
    await ui.composing();
    await leave();
    await press(".");
    await ui.details.waitFor();
    await press(".");
    await ui.details.waitFor({ state: "detached" });
    await press("/");
    await ui.message.and(ui.raw.locator(":focus")).waitFor();
    await leave();
    await press("[");
    await ui.raw.locator(".row:focus").waitFor();
    await press("r");
    await ui.details.getByRole("tab", { name: "Trace", selected: true }).waitFor();
    await press("j");
    await ui.sessions.getByRole("link").first().and(ui.raw.locator(":focus")).waitFor();

    await new PalettePage(ui).run("write a m", "Write a message");
    await ui.message.and(ui.raw.locator(":focus")).waitFor();
    await leave();

    await press("?");
    await keys.getByRole("checkbox", { name: /^Single letters/ }).uncheck();
    await press("Escape");
    await keys.waitFor({ state: "detached" });
    await leave();
    await press("n");
    await press("Control+k");
    await new PalettePage(ui).field.waitFor();
    assert.equal(await ui.newSession.count(), 0, "a letter does nothing");
    await press("Escape");
  });

  check("P2b J and K move in the list of the screen that is shown, whatever had the focus", async ({ ui, daemon }) => {
    const config = path.join(daemon.work, ".sandbox-agent/config");
    await mkdir(config, { recursive: true });
    await writeFile(path.join(config, "mcp.json"), JSON.stringify({ tools: { command: "/bin/true" } }));
    await ui.begin();
    await ui.ask("one");
    const at = (locator) => locator.and(ui.raw.locator(":focus")).waitFor();
    const focused = ui.raw.locator("#main");
    await ui.raw.getByRole("link", { name: "Trace", exact: true }).click();
    await ui.trace.waitFor();
    await focused.focus();
    await ui.keyboard.press("k");
    await at(ui.trace);
    await ui.trace.getByRole("row", { selected: true }).waitFor();
    const { pathname } = new URL(ui.raw.url());
    await ui.keyboard.press("Enter");
    await ui.raw.getByRole("tree").first().waitFor(); // the message is opened
    assert.equal(new URL(ui.raw.url()).pathname, pathname);

    for (const [name, list] of Object.entries({
      Agents: ui.raw.getByRole("navigation", { name: "Agents" }).getByRole("link").first(),
      Files: ui.raw.getByRole("tree", { name: "Files" }),
    })) {
      await ui.raw.getByRole("link", { name, exact: true }).click();
      await list.waitFor();
      await focused.focus();
      await ui.keyboard.press("j");
      await at(list);
    }
    await ui.open(`/ui/config?directory=${encodeURIComponent(daemon.work)}`);
    const entry = ui.raw.getByRole("button", { name: /^tools/ });
    await entry.waitFor();
    await focused.focus();
    await ui.keyboard.press("j");
    await at(entry);
  });

  check("P3 what runs is stopped from any screen, and all of it at once", async ({ ui, daemon, patience }) => {
    const palette = new PalettePage(ui);
    await ui.begin();
    const first = ui.serverId;
    await ui.say("/slow 500");
    await ui.hears("step 2 of 500");
    await ui.startSessionByButton();
    const second = ui.serverId;
    await ui.say("/slow 400");
    await ui.hears("step 2 of 400");
    await ui.raw.getByRole("link", { name: "Log", exact: true }).click();
    const chip = ui.raw.getByRole("region", { name: "Running" });
    await chip.getByRole("link", { name: "/slow 400" }).waitFor();
    await chip.getByRole("button", { name: "Stop" }).waitFor();

    await palette.run("stop all", "Stop all running turns");
    const said = ui.raw.getByRole("region", { name: "Notices" }).getByRole("status");
    await said.filter({ hasText: "Stopping 2 turns: " }).waitFor();
    assert.match(await said.innerText(), /\/slow 500/);
    assert.match(await said.innerText(), /\/slow 400/);
    await chip.waitFor({ state: "detached" });
    for (const serverId of [first, second]) {
      const isCancelled = ({ message }) => message.result?.stopReason === "cancelled";
      for (const end = performance.now() + patience; !(await daemon.messages(serverId)).some(isCancelled); )
        if (performance.now() > end) assert.fail(`${serverId} goes on`);
      assert.equal((await daemon.instance(serverId)).status, "running", "the process lives");
    }
    await ui.button("Understood").click();
    await said.waitFor({ state: "detached" });

    await ui.raw.getByRole("link", { name: "Chat", exact: true }).click();
    await ui.composing();
    await ui.say("/slow 300");
    await ui.hears("step 2 of 300");
    await ui.raw.getByRole("link", { name: "Agents", exact: true }).click();
    await chip.getByRole("button", { name: "Stop" }).click();
    await chip.waitFor({ state: "detached" });
  });
});
