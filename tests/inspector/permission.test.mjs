// An agent asks before it does something: the card, its keys, other tabs, and cards that nobody can answer any more.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { check, useBrowser } from "./stage.mjs";

useBrowser();

const guard = 400; // ms in which a card takes no key

// The clients' answers to the permission request of the agent.
async function answers({ daemon, ui }) {
  const messages = await daemon.messages(ui.serverId);
  const { message } = messages.find(({ from, message }) => from === "agent" && message.method === "session/request_permission");
  return messages.filter((one) => one.from === "client" && one.message.method === undefined && one.message.id === message.id);
}

// Keeps when there was certainly no card yet, when one was seen first, and when each key had been heard, by the page's own clock.
const watchCards = (ui) =>
  ui.raw.evaluate(() => {
    const cards = (globalThis.cards = { noneAt: performance.now(), seenAt: undefined });
    globalThis.keys = [];
    const look = () => {
      if (cards.seenAt !== undefined) return;
      if (document.querySelector("[role=alertdialog]")) cards.seenAt = performance.now();
      else cards.noneAt = performance.now();
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    setInterval(look, 5);
    addEventListener("keydown", ({ key }) => globalThis.keys.push({ key, at: performance.now() })); // behind the page's own
  });

// Presses the digit as soon as there is a card. Answers how old the card was at most.
async function pressAtOnce(ui, digit) {
  await ui.raw.waitForFunction(() => globalThis.cards.seenAt !== undefined, undefined, { polling: "raf" });
  await ui.keyboard.press(digit);
  return ui.raw.evaluate(() => globalThis.keys.at(-1).at - globalThis.cards.noneAt);
}

describe("permission", { concurrency: 2 }, () => {
  check("B23 a digit answers the card, but not while a text is typed, nor in its first 400 ms", async (stage) => {
    const { ui, daemon } = stage;
    let age;
    // A key that came too late may have been an answer: another session is asked then.
    for (let tries = 0; tries < 10 && !(age < guard); ++tries) {
      if (age !== undefined) {
        await ui.keyboard.press("Escape");
        await ui.blocks("turn").waitFor();
      }
      await ui.begin();
      await watchCards(ui);
      await ui.say("/permission");
      age = await pressAtOnce(ui, "1");
    }
    assert.ok(age < guard, `the machine is too slow for this check: the key came ${age} ms after the card`);
    await ui.raw.waitForFunction((guard) => performance.now() > globalThis.cards.seenAt + guard + 100, guard);
    await ui.permission.waitFor();
    assert.deepEqual(await answers(stage), [], "the key came too early");
    assert.equal(await ui.draft(), "", "nor is it typed, where it would keep the next one from answering");
    await ui.listening();
    await ui.raw.getByRole("alertdialog", { name: /^Permission: .*make clean/ }).waitFor();
    const options = ui.permission.getByRole("button", { name: /^\d/ });
    for (const [at, name] of [/^1\s+Allow once$/, /^2\s+Always allow$/, /^3\s+Reject$/].entries())
      await options.nth(at).and(ui.button(name)).waitFor();
    await ui.raw.waitForFunction(() => document.title.includes("(1)"));

    await ui.message.fill("");
    await ui.message.pressSequentially("take 1");
    assert.equal(await ui.draft(), "take 1");
    assert.equal(await ui.permission.isVisible(), true);
    assert.deepEqual(await answers(stage), [], "somebody was typing");

    await ui.message.fill("");
    await ui.message.press("1");
    await ui.hears("You chose: Allow once.");
    await ui.ended("done");
    await ui.permission.waitFor({ state: "hidden" });
    assert.equal(await ui.draft(), "");
    await ui.blocks("permission").last().filter({ hasText: /approved/i }).filter({ hasText: /answered here/i }).waitFor();

    const [answer, ...others] = await answers(stage);
    assert.deepEqual(others, []);
    assert.deepEqual(answer.message.result, { outcome: { outcome: "selected", optionId: "allow-once" } });
    await ui.openDetails("Trace");
    await ui.trace.locator(`[data-seq="${answer.seq}"]`).click();
    await ui.raw.getByRole("region", { name: "Envelope" }).filter({ hasText: "allow-once" }).waitFor();
    assert.equal((await daemon.instance(ui.serverId)).openAgentRequests, 0);
  });

  check("B23b the card names its agent, and buttons answer with the agent's own options", async (stage) => {
    const { ui } = stage;
    await ui.begin();
    await ui.say("/permission");
    await ui.permission.filter({ hasText: "Demo agent · execute in " }).waitFor();
    await ui.permission.getByRole("button", { name: /Reject/ }).click();
    await ui.hears("You chose: Reject.");
    const [answer] = await answers(stage);
    assert.equal(answer.message.result.outcome.optionId, "reject-once");
    await ui.blocks("permission").last().filter({ hasText: /denied/i }).waitFor();
  });

  check("B24 of two tabs one answers; the other closes its card and says so; the agent gets one answer", async (stage) => {
    const { ui } = stage;
    await ui.begin();
    const tab = await stage.newTab();
    await tab.open(ui.place);
    await ui.raw.bringToFront();
    await ui.say("/permission");
    await Promise.all([ui.permission.waitFor(), tab.permission.waitFor()]);
    await tab.permission.getByRole("button", { name: /Allow once/ }).click();
    await Promise.all([ui, tab].map((one) => one.permission.waitFor({ state: "hidden" })));
    await ui.hears("You chose: Allow once.");
    await ui.blocks("permission").filter({ hasText: /answered elsewhere/i }).waitFor();
    await tab.blocks("permission").filter({ hasText: /answered here/i }).waitFor();
    assert.equal((await answers(stage)).length, 1);
  });

  check("B24b a card comes back after a reload and can still be answered", async (stage) => {
    const { ui } = stage;
    await ui.begin();
    await ui.say("/permission");
    await ui.permission.waitFor();
    await ui.reload();
    await ui.permission.getByRole("button", { name: /Always allow/ }).click();
    await ui.hears("You chose: Always allow.");
    assert.equal((await answers(stage)).length, 1);
  });

  check("B24c a card whose agent dies is closed and says why", async ({ ui, daemon }) => {
    await ui.begin();
    await ui.say("/permission");
    await ui.permission.waitFor();
    process.kill((await daemon.instance(ui.serverId)).pid, "SIGKILL");
    await ui.permission.waitFor({ state: "hidden" });
    await ui.blocks("permission").filter({ hasText: /agent exited/i }).waitFor();
    await ui.raw.getByRole("article", { name: "Agent exited" }).filter({ hasText: "SIGKILL" }).waitFor();
  });

  check("B24d Esc answers the card with cancelled", async (stage) => {
    const { ui } = stage;
    await ui.begin();
    await ui.say("/permission");
    await ui.permission.waitFor();
    await ui.keyboard.press("Escape");
    await ui.ended("cancelled");
    await ui.permission.waitFor({ state: "hidden" });
    const [answer, ...others] = await answers(stage);
    assert.deepEqual([answer?.message.result, others.length], [{ outcome: { outcome: "cancelled" } }, 0]);
  });
});
