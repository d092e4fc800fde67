// The first minute with the page: a session by keys only, a reload, a link, a second tab.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { check, useBrowser } from "./stage.mjs";

useBrowser();

describe("first use", { concurrency: 2 }, () => {
  check("B1 a newcomer opens the page and gets an answer within five seconds, without a mouse", async (stage) => {
    const { ui, daemon } = stage;
    await stage.within(5000, "the first answer", (async () => {
      await ui.begin();
      await ui.say("hello there");
      await ui.hears('You said: "hello there"');
    })());
    await ui.ended("done");
    await ui.daemonState.filter({ hasText: new RegExp(`healthy.*127\\.0\\.0\\.1:${daemon.port}`, "s") }).waitFor();
    assert.equal(await ui.blocks("user").count(), 1);
    const [instance] = await daemon.instances();
    assert.deepEqual([instance.agent, instance.serverId], ["mock", ui.serverId]);
  });

  check("B1b an Enter right behind N is not lost", async ({ ui }) => {
    await ui.open();
    await ui.keyboard.press("n");
    await ui.keyboard.press("Enter");
    await ui.composing();
    await ui.ask("hello there");
  });

  check("B1c a key that is pressed before the page listens is not lost", async ({ ui, origin }) => {
    await ui.raw.goto(`${origin}/ui/`, { waitUntil: "commit" });
    await ui.raw.waitForFunction(() => document.readyState !== "loading"); // from here on keys are noted, or heard
    await ui.keyboard.press("n");
    await ui.newSession.waitFor();
  });

  check("B2 nothing is complained about, nothing fails, and nothing is asked of anybody else", async (stage) => {
    const { ui, context } = stage;
    const asked = [];
    context.on("request", (request) => asked.push(request.url()));
    await ui.begin();
    await ui.ask("hello there");
    await ui.openDetails("Trace");
    await ui.trace.waitFor();
    const isOurs = (url) => [`${stage.origin}/ui/`, `${stage.origin}/v1/`].some((place) => url.startsWith(place));
    assert.deepEqual(asked.filter((url) => !isOurs(url)), []);
    assert.deepEqual(stage.complaints.matching(/./), []);
  });

  check("B3 after a reload it is the same session with the same text, and it goes on", async ({ ui, daemon }) => {
    await ui.begin();
    await ui.ask("the first");
    await ui.ask("/edit");
    const { place } = ui;
    const said = await ui.said();
    await ui.reload();
    assert.equal(ui.place, place);
    await ui.saysTheSame(said);
    await ui.streamState.filter({ hasText: "live" }).waitFor();
    assert.equal(await ui.blocks("tool").count(), 1);
    await ui.message.focus();
    await ui.ask("the second");
    await ui.hears('You said: "the second"');
    assert.equal((await daemon.instances()).length, 1);
  });

  check("B3b a page loaded anew in the middle of a turn shows the whole turn", async ({ ui }) => {
    await ui.begin();
    await ui.message.fill("/slow 8");
    await ui.keyboard.press("Enter");
    await ui.hears("step 2 of 8");
    await ui.raw.waitForFunction(() => localStorage.getItem("sandbox-agent.composers") !== null); // what keeps drafts is loaded
    await ui.message.fill("a draft");
    await ui.reload();
    assert.equal(await ui.draft(), "a draft");
    await ui.ended("done");
    const text = (await ui.blocks("message").allInnerTexts()).join("\n");
    assert.deepEqual(text.match(/step \d+ of 8/g), Array.from({ length: 8 }, (_, at) => `step ${at + 1} of 8`));
  });

  check("B4 a link to a session opens it, for a stranger too, and Back goes back", async (stage) => {
    const { ui } = stage;
    await ui.begin();
    await ui.ask("in the first session");
    const first = { place: ui.place, said: await ui.said() };
    await ui.startSessionByButton();
    await ui.ask("in the second session");
    const second = { place: ui.place, said: await ui.said(), serverId: ui.serverId };
    assert.notEqual(second.place, first.place);

    await ui.raw.goBack();
    await ui.shows(first.place);
    await ui.saysTheSame(first.said);
    await ui.raw.goForward();
    await ui.shows(second.place);
    await ui.saysTheSame(second.said);

    const stranger = await stage.newProfile();
    await stranger.open(first.place);
    await stranger.saysTheSame(first.said);
    await stranger.sessions.locator(`a[href*="/${second.serverId}"]:not([aria-current="page"])`).first().click();
    await stranger.saysTheSame(second.said);
    await stranger.raw.goBack();
    await stranger.saysTheSame(first.said);
  });

  check("B4b an address that leads nowhere says so", async ({ ui }) => {
    await ui.open("/ui/no/such/place");
    await ui.raw.getByRole("heading", { level: 1, name: "There is nothing here" }).waitFor();
    await ui.raw.getByRole("link", { name: "Go to Chat" }).click();
    await ui.button("New session").first().waitFor();
  });

  check("B5 a second tab shows the same stream while it comes", async (stage) => {
    const { ui } = stage;
    await ui.begin();
    const tab = await stage.newTab();
    await tab.open(ui.place);
    await ui.raw.bringToFront();
    await ui.say("/slow 1000"); // it is told more of it than anybody waits for
    await tab.hears("step 2 of 1000");
    assert.equal(await tab.blocks("turn").count(), 0, "the turn still runs");
    await ui.keyboard.press("Escape");
    await Promise.all([ui.ended("cancelled"), tab.ended("cancelled")]);
    for (const page of [ui, tab]) {
      await page.raw.bringToFront();
      await page.conversation.press("Home"); // what was asked may be far above
      await page.blocks("user").waitFor();
    }
    await tab.saysTheSame(await ui.said());
    assert.equal(await tab.blocks("user").count(), 1);
  });
});
