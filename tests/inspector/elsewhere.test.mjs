// Sessions that somebody else began, several tabs at once, and the list of them all.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { check, useBrowser } from "./stage.mjs";
import { Elsewhere, TalkPage } from "./talk_page.mjs";

useBrowser();

const answersTo = (messages, id) =>
  messages.filter(({ from, message }) => from === "client" && message.method === undefined && message.id === id);

describe("elsewhere", { concurrency: 2 }, () => {
  check("B28 a session of a program appears within 2 s, is watched, answered, stopped and ended", async (stage) => {
    const { ui, daemon } = stage;
    await ui.open();
    const talk = new TalkPage(ui);
    await ui.sessions.getByText("No sessions yet.").waitFor();
    let program;
    await stage.onceWithin(2000, "the session's way into the list", async (nth) => {
      program = await new Elsewhere(daemon, `of-a-program-${nth}`).begin();
      return () => talk.session(program.serverId).filter({ hasText: "from elsewhere" }).waitFor();
    });
    const { serverId } = program;

    await program.prompt("/slow 1000");
    await talk.group("Running").getByRole("link", { name: serverId }).click();
    await ui.hears("step 2 of 1000");
    assert.equal(await ui.blocks("turn").count(), 0, "it runs");
    await talk.session("/slow 1000").getByText("from elsewhere").waitFor();
    await ui.button("Stop").click();
    await stage.within(2000, "the end of the turn", ui.ended("cancelled"));

    await program.prompt("/permission");
    await ui.permission.getByRole("button", { name: /Allow once/ }).click();
    await ui.hears("You chose: Allow once.");
    await ui.ended("done");
    const messages = await daemon.messages(serverId);
    const request = messages.find(({ message }) => message.method === "session/request_permission");
    const answers = answersTo(messages, request.message.id);
    assert.deepEqual(answers.map(({ message }) => message.result.outcome.optionId), ["allow-once"]);

    const { pid } = await daemon.instance(serverId);
    const title = await ui.raw.getByRole("heading", { level: 1 }).innerText();
    await talk.act(title, "End process");
    await talk.confirm("End this process?", "End it");
    await talk.group("Ended").getByRole("link").waitFor();
    assert.equal(await daemon.instance(serverId), undefined);
    assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
  });

  check("B28b a rejection's note is the next message, before what is queued", async ({ ui }) => {
    await ui.begin();
    const talk = new TalkPage(ui);
    await ui.say("/permission");
    await ui.permission.waitFor();
    await ui.say("queued before");
    await ui.queue.getByText("queued before").waitFor();
    const note = ui.permission.getByRole("textbox", { name: "Note with a rejection" });
    await note.fill("use another way");
    await ui.listening();
    await note.press("Enter");
    await ui.ended("done", 3);
    const words = (await talk.prompts()).map(([block]) => block.text);
    assert.deepEqual(words, ["/permission", "use another way", "queued before"]);
  });

  check("B28c sessions are renamed, searched, archived and deleted, by keys too", async (stage) => {
    const { ui, daemon } = stage;
    await ui.begin();
    const talk = new TalkPage(ui);
    await ui.ask("the first one");
    await ui.startSessionByButton();
    await ui.ask("the second one");

    const button = ui.button("Actions for the second one");
    await talk.group("Idle").getByRole("listitem").first().filter({ hasText: "the second one" }).waitFor(); // where it stays
    await talk.session("the second one").filter({ hasText: "idle · now" }).waitFor(); // no seconds that stand still
    await button.focus();
    await ui.keyboard.press("ArrowDown");
    const item = (name) => ui.raw.getByRole("menuitem", { name, exact: true });
    await item("Rename").and(ui.raw.locator(":focus")).waitFor();
    await ui.keyboard.press("ArrowUp");
    await item("Delete").and(ui.raw.locator(":focus")).waitFor();
    await ui.keyboard.press("Escape");
    await button.and(ui.raw.locator(":focus")).waitFor();

    await ui.keyboard.press("Enter");
    await item("Rename").and(ui.raw.locator(":focus")).waitFor();
    await ui.keyboard.press("Enter");
    const name = ui.raw.getByRole("dialog", { name: "Rename session" }).getByRole("textbox", { name: "Name" });
    await name.fill("My experiment");
    await name.press("Enter");
    await ui.raw.getByRole("heading", { level: 1, name: "My experiment" }).waitFor();
    await ui.reload();
    await talk.session("My experiment").waitFor();
    await ui.raw.waitForFunction(() => document.title.startsWith("My experiment"));

    const search = ui.sessions.getByRole("searchbox", { name: "Search sessions" });
    await search.fill("experiment");
    await talk.session("the first one").waitFor({ state: "detached" });
    await search.fill("nobody has this");
    await ui.button("Clear filter").click();
    await talk.session("the first one").waitFor();

    await talk.act("the first one", "Archive");
    await ui.sessions.getByText("Archived").waitFor();
    await talk.session("the first one").waitFor({ state: "hidden" }); // it is folded
    await ui.sessions.getByText("Archived").click();
    await talk.act("the first one", "Unarchive");
    await talk.group("Idle").getByText("the first one").waitFor();

    await talk.act("My experiment", "Rename");
    await name.fill("");
    await name.press("Enter");
    await talk.session("the second one").waitFor();
    const { serverId } = ui;
    await talk.act("the second one", "Delete");
    await talk.confirm("Delete this session?", "Delete");
    await talk.session("the second one").waitFor({ state: "detached" });
    assert.equal(await daemon.instance(serverId), undefined);
    await ui.reload();
    await talk.session("the first one").waitFor();
    assert.equal(await talk.session("the second one").count(), 0);
  });

  check("B28e the menu of a session stays while its turn streams and ends, and gives the focus back", async ({ ui, daemon }) => {
    await ui.begin();
    const talk = new TalkPage(ui);
    await ui.ask("/markdown");
    await ui.say("/slow 1000");
    await ui.hears("step 2 of 1000");
    const button = ui.button("Actions for /markdown");
    const rename = ui.raw.getByRole("menuitem", { name: "Rename" });
    const column = ui.raw.locator(".transcript, .column, main").first();
    await column.waitFor();
    await ui.raw.evaluate(() => {
      globalThis.scrolls = 0;
      document.addEventListener("scroll", () => ++globalThis.scrolls, true);
    });
    await button.click();
    await rename.and(ui.raw.locator(":focus")).waitFor();
    await ui.raw.waitForFunction((before) => globalThis.scrolls > before + 3, await ui.raw.evaluate(() => globalThis.scrolls));
    await new Elsewhere(daemon, ui.serverId).cancel(decodeURIComponent(ui.place.split("/")[4]));
    await ui.ended("cancelled");
    await talk.group("Idle").getByText("/markdown").waitFor();
    await rename.and(ui.raw.locator(":focus")).waitFor();
    await ui.keyboard.press("Escape");
    await rename.waitFor({ state: "detached" });
    await button.and(ui.raw.locator(":focus")).waitFor();
    await button.click();
    await rename.waitFor();
    // The menu listens a moment after it is seen.
    await ui.raw.waitForFunction(() => {
      document.querySelector(".sessions-groups").dispatchEvent(new Event("scroll"));
      return !document.querySelector("[role=menu]");
    });
    await button.and(ui.raw.locator(":focus")).waitFor();
  });

  check("B28f what is deleted leaves no draft behind", async ({ ui }) => {
    await ui.begin();
    const talk = new TalkPage(ui);
    await ui.ask("the first one");
    await ui.keyboard.type("a secret plan");
    await talk.keeps("a secret plan");
    await talk.act("the first one", "Delete");
    await talk.confirm("Delete this session?", "Delete");
    await talk.session("the first one").waitFor({ state: "detached" });
    await talk.keeps("a secret plan", false);
  });

  check("B28g a file over the list says what it is for, and one that cannot be opened says so", async ({ ui }) => {
    await ui.open();
    const drag = (kind) =>
      ui.sessions.evaluate((list, type) => {
        const data = new DataTransfer();
        data.items.add(new File(["{}"], "talk.ndjson"));
        list.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
        return getComputedStyle(list, "::after").content;
      }, kind);
    assert.match(await drag("dragover"), /Drop a trace file to replay it/);
    assert.equal(await drag("dragleave"), "none");
    ui.complaints.allow(/trace_file|ERR_FAILED|Failed to load/);
    await ui.raw.route(/trace_file/, (route) => route.abort());
    await drag("drop");
    await ui.raw.getByText("talk.ndjson was not opened: the daemon did not answer. Try again.").waitFor();
  });

  check("B28d who wants it is notified when an agent waits and the page is hidden; nobody is asked before", async (stage) => {
    const { ui, daemon } = stage;
    await ui.raw.addInitScript(() => {
      globalThis.notices = [];
      globalThis.wasAsked = 0;
      globalThis.Notification = class {
        static permission = "default";
        static async requestPermission() {
          ++globalThis.wasAsked;
          return (this.permission = "granted");
        }
        constructor(title, { body }) {
          globalThis.notices.push(`${title}: ${body}`);
        }
        close() {}
      };
    });
    await ui.begin();
    assert.equal(await ui.raw.evaluate(() => globalThis.wasAsked), 0);
    await ui.button("Keys").click();
    const keys = ui.raw.getByRole("dialog", { name: "Keys" });
    await keys.getByRole("checkbox", { name: /^Notify me/ }).check();
    assert.equal(await ui.raw.evaluate(() => globalThis.wasAsked), 1);
    await keys.getByRole("button", { name: "Close" }).click();
    await keys.waitFor({ state: "detached" });
    await ui.message.focus();
    await ui.say("/permission");
    await ui.permission.getByRole("button", { name: /Reject/ }).click();
    await ui.ended("done");
    assert.deepEqual(await ui.raw.evaluate(() => globalThis.notices), [], "somebody looks at the page");
    await ui.raw.evaluate(() => Object.defineProperty(document, "hidden", { get: () => true }));
    const program = await new Elsewhere(daemon, "of-a-program").begin();
    await program.prompt("/permission");
    await ui.raw.waitForFunction(() => globalThis.notices.length > 0);
    assert.deepEqual(await ui.raw.evaluate(() => globalThis.notices), ["of-a-program needs you: mock waits for an answer."]);
  });

  check("B5b three tabs at once stay live, and a message can be sent from each", async (stage) => {
    const { ui } = stage;
    await ui.begin();
    const tabs = [ui, await stage.newTab(), await stage.newTab()];
    for (const tab of tabs.slice(1)) {
      await tab.open(ui.place);
      await tab.streamState.filter({ hasText: "live" }).waitFor();
    }
    for (const [at, tab] of tabs.entries()) {
      await tab.raw.bringToFront();
      await tab.message.fill(`from tab ${at + 1}`);
      await tab.message.press("Enter");
      const heard = tabs.map((one) => one.hears(`You said: "from tab ${at + 1}"`));
      await stage.within(5000, `the answer's way to all tabs from tab ${at + 1}`, Promise.all(heard));
      await Promise.all(tabs.map((one) => one.ended("done", at + 1)));
    }
    await ui.raw.bringToFront();
    await ui.message.fill("/slow 1000");
    await ui.message.press("Enter");
    await Promise.all(tabs.map((one) => one.hears("step 2 of 1000")));
    assert.equal(await tabs[2].blocks("turn").count(), 3, "it comes while the turn runs");
    await ui.button("Stop").click();
    await Promise.all(tabs.map((one) => one.ended("cancelled")));
    for (const tab of tabs.slice(1)) await tab.saysTheSame(await ui.said());
    for (const tab of tabs) await tab.daemonState.filter({ hasText: /healthy/ }).waitFor();
    for (const tab of tabs.slice(1)) await tab.raw.close(); // one is enough to look at
  });
});
