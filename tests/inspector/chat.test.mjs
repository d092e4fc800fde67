// What a conversation shows: markdown, a diff, a stream that is followed, a plan, pickers.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { check, useBrowser } from "./stage.mjs";

useBrowser();

const low = { viewport: { width: 1000, height: 600 } };
const code = 'def greet(name: str) -> str:\n    return f"Hello, {name}!"';

describe("chat", { concurrency: 2 }, () => {
  check("B6 markdown is shown as what it says, what could run is inert, and code is copied exactly", async (stage) => {
    const { ui, context, origin } = stage;
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
    await ui.begin();
    await ui.ask("/markdown");
    const answer = ui.blocks("message").last();

    await answer.getByRole("heading", { name: "Heading one" }).waitFor();
    const table = answer.locator("table");
    const cells = (rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText.trim()));
    const rows = await table.locator("tr").evaluateAll(cells);
    assert.deepEqual(rows, [["Scene", "Shows", "Updates"], ["/plan", "a plan", "5"], ["/edit", "a diff", "3"]]);
    assert.equal(await table.locator("th").count(), 3);

    assert.equal((await answer.locator("pre code").textContent()).replace(/\n$/, ""), code);
    assert.equal(await answer.locator("strong", { hasText: "bold" }).count(), 1);
    assert.equal(await answer.locator("em", { hasText: "italic" }).count(), 1);
    assert.equal(await answer.locator("del, s", { hasText: "struck" }).count(), 1);
    assert.equal(await answer.locator("ol > li").count(), 2);
    assert.equal(await answer.locator("ol ul > li").count(), 2);
    const tasks = answer.getByRole("checkbox");
    assert.deepEqual([await tasks.count(), await tasks.nth(0).isChecked(), await tasks.nth(1).isChecked()], [2, true, false]);
    assert.match(await answer.locator("blockquote").innerText(), /A quotation\s+of two lines\./);
    const link = answer.getByRole("link", { name: "link", exact: true });
    assert.match(await link.getAttribute("href"), /^https:\/\/agentclientprotocol\.com\/?$/);
    assert.equal(await link.getAttribute("target"), "_blank");
    assert.match(await link.getAttribute("rel"), /noreferrer/);

    const bad = await answer.evaluate((node) => {
      const all = (selector) => [...node.querySelectorAll(selector)];
      return {
        scripts: all("script, iframe, object, embed").length,
        handlers: all("*").flatMap((one) => one.getAttributeNames()).filter((name) => name.startsWith("on")),
        pictures: all("img").map(({ src }) => src),
        targets: all("[href]").map((one) => one.href).filter((href) => !/^(https?|mailto):/.test(href)),
      };
    });
    assert.deepEqual(bad, { scripts: 0, handlers: [], pictures: [], targets: [] });
    assert.match(await answer.innerText(), /alert\("script"\)/, "it is shown as the text it is");
    assert.match(await answer.innerText(), /a bad link/);

    await ui.raw.evaluate(() => navigator.clipboard.writeText(""));
    await answer.getByRole("button", { name: "Copy code" }).click();
    assert.equal((await copied(ui.raw)).replace(/\n$/, ""), code);
    assert.deepEqual(stage.complaints.matching(/dialog/), []);
  });

  check("B7 an edit shows both sides, and Changes lists the file", async ({ ui }) => {
    await ui.begin();
    await ui.ask("/edit");
    await ui.raw.getByRole("article", { name: /^Tool: Edit greeting\.py/ }).waitFor();
    const named = { name: /^Changes in .*greeting\.py$/ };
    const diff = ui.conversation.getByRole("figure", named).or(ui.conversation.getByRole("group", named)).first();
    await diff.waitFor();
    const side = async (tag) => (await diff.locator(tag).allTextContents()).join("\n");
    const bothSides = async () => {
      assert.match(await side("del"), /def greet\(name\):/);
      assert.match(await side("del"), /print\("Hello " \+ name\)/);
      assert.match(await side("ins"), /def greet\(name: str\) -> None:/);
      assert.match(await side("ins"), /print\(f"Hello, \{name\}!"\)/);
    };
    await bothSides();
    await diff.getByRole("button", { name: "Split" }).click();
    await bothSides();
    await diff.getByRole("button", { name: "Unified" }).click();
    await bothSides();
    await ui.openDetails("Changes");
    await ui.details.filter({ hasText: /greeting\.py.*\+\s*2.*[-−–]\s*2/s }).waitFor();
  });

  check("B8 the page follows the stream, stays where somebody scrolled to, and jumps back", low, async ({ ui }) => {
    await ui.begin();
    await ui.ask("/flood 3000");
    await ui.say("/slow 24");
    await ui.hears("step 2 of 24");
    assert.ok(await isAtEnd(ui), "it follows");

    const mark = ui.raw.getByRole("article", { name: "You" }).last();
    const box = await ui.conversation.boundingBox();
    await ui.raw.mouse.move(box.x + box.width / 2, box.y + 200);
    await ui.raw.mouse.wheel(0, -300);
    await ui.button(/^Jump to latest/).waitFor();
    const y = await restingPlace(mark);
    await ui.hears("step 10 of 24");
    assert.ok(Math.abs((await mark.boundingBox()).y - y) <= 1, "it stays");
    assert.ok(!(await isAtEnd(ui)));

    await ui.button(/^Jump to latest/).click();
    await ui.hears("step 13 of 24");
    assert.ok(await isAtEnd(ui), "it follows again");
    await ui.ended("done", 2);
    assert.ok(await isAtEnd(ui));
    assert.equal(await ui.button(/^Jump to latest/).isVisible(), false);
  });

  check("B9 a plan moves from 0/3 to 3/3", async ({ ui }) => {
    await ui.begin();
    await collectTexts(ui.raw, String.raw`\b\d/3\b`);
    await ui.ask("/plan");
    await ui.plan.filter({ hasText: "3/3" }).waitFor();
    const counts = await ui.raw.evaluate(() => globalThis.collected);
    assert.deepEqual([counts[0], counts.at(-1)], ["0/3", "3/3"]);
    assert.ok(counts.length > 2, "it moves"); // a slow machine may miss a step
    assert.deepEqual(counts, [...counts].sort());
    assert.match(await ui.plan.textContent(), /Think of an answer/);
  });

  check("B10 pickers offer exactly what the session offered, and a change is sent and confirmed", async ({ ui, daemon }) => {
    await ui.begin();
    const messages = await daemon.messages(ui.serverId);
    const offer = messages.find(({ from, message }) => from === "agent" && message.result?.sessionId);
    const options = offer.message.result.configOptions;
    assert.ok(options.length >= 2);
    const picker = (name) => ui.raw.getByRole("combobox", { name, exact: true });
    for (const { name, currentValue, options: values } of options) {
      const offers = (select) => [...select.options].map(({ text, value }) => ({ name: text.trim(), value }));
      const shown = await picker(name).evaluate(offers);
      assert.deepEqual(shown, values.map(({ name, value }) => ({ name, value })));
      assert.equal(await picker(name).inputValue(), currentValue);
    }

    await picker("Model").selectOption("demo-large");
    const isSent = ({ from, message }) => from === "client" && message.method === "session/set_config_option";
    const sent = await ui.untilSaid(isSent);
    assert.equal(sent.message.params.value, "demo-large");
    const isConfirmed = ({ from, message }) => from === "agent" && message.id === sent.message.id;
    const { message } = await ui.untilSaid(isConfirmed);
    assert.equal(message.result.configOptions.find(({ id }) => id === "model").currentValue, "demo-large");
    assert.equal(await picker("Model").inputValue(), "demo-large");

    await picker("Mode").selectOption("plan");
    await ui.untilSaid(({ from, message }) => from === "client" && message.params?.value === "plan");
    await ui.message.focus();
    await ui.ask("/permission");
    await ui.hears("In plan mode I run nothing.");
    await ui.reload();
    await ui.blocks("turn").last().waitFor();
    assert.deepEqual([await picker("Mode").inputValue(), await picker("Model").inputValue()], ["plan", "demo-large"]);
  });
});

// What the clipboard holds, once it holds something.
async function copied(page) {
  for (const end = performance.now() + 5000; performance.now() < end; ) {
    const text = await page.evaluate(() => navigator.clipboard.readText());
    if (text !== "") return text;
  }
  throw new Error("nothing was copied");
}

// Every different text that matches, in the order in which the page showed them.
function collectTexts(page, pattern) {
  return page.evaluate((pattern) => {
    globalThis.collected = [];
    const look = () => {
      const found = new RegExp(pattern).exec(document.body.innerText)?.[0];
      if (found && globalThis.collected.at(-1) !== found) globalThis.collected.push(found);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  }, pattern);
}

// The end of what is said is in sight, after the page had its next frames.
function isAtEnd(ui) {
  return ui.conversation.evaluate(async (log) => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    let pane = log;
    const scrolls = (node) => /auto|scroll/.test(getComputedStyle(node).overflowY) && node.scrollHeight > node.clientHeight;
    while (pane.parentElement && !scrolls(pane)) pane = pane.parentElement;
    return pane.scrollTop + pane.clientHeight >= pane.scrollHeight - 8;
  });
}

// Where it is once scrolling is over.
async function restingPlace(locator) {
  for (let y = NaN; ; ) {
    const now = (await locator.boundingBox()).y;
    if (now === y) return y;
    y = now;
    await locator.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  }
}
