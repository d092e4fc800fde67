// What a conversation shows: markdown, a diff, a stream that is followed, a plan, pickers.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { eventually } from "./events.mjs";
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
    const copied = () => ui.raw.evaluate(() => navigator.clipboard.readText());
    await eventually(async () => assert.equal((await copied()).replace(/\n$/, ""), code));
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
    await eventually(bothSides); // what compares them is loaded with the first one
    for (const name of ["Split", "Unified"]) {
      await diff.getByRole("button", { name }).click();
      await diff.getByRole("button", { name, pressed: true }).waitFor();
      await bothSides();
    }
    await ui.openDetails("Changes");
    await ui.details.filter({ hasText: /greeting\.py.*\+\s*2.*[-−–]\s*2/s }).waitFor();
  });

  check("B8 the page follows the stream, stays where somebody scrolled to, and jumps back", low, async ({ ui }) => {
    await ui.begin();
    await ui.ask("/flood 3000");
    await ui.say("/slow 1000"); // it goes on as long as this takes
    await ui.hears("step 2 of 1000");
    await isAtEnd(ui, true, "it follows");

    const mark = ui.raw.getByRole("article", { name: "You" }).last();
    const box = await ui.conversation.boundingBox();
    await ui.raw.mouse.move(box.x + box.width / 2, box.y + 200);
    await ui.raw.mouse.wheel(0, -300);
    await ui.button(/^Jump to latest/).waitFor();
    const y = await restingPlace(mark);
    await ui.hears("step 10 of 1000");
    await ui.button("Jump to latest (more)").waitFor(); // nothing new, but what was there grows
    assert.ok(Math.abs((await mark.boundingBox()).y - y) <= 1, "it stays");
    await isAtEnd(ui, false, "it stays");

    await ui.button(/^Jump to latest/).click();
    await ui.hears("step 13 of 1000");
    await isAtEnd(ui, true, "it follows again");
    await ui.button("Stop").click();
    await ui.ended("cancelled");
    await isAtEnd(ui, true, "it is there");
    await ui.button(/^Jump to latest/).waitFor({ state: "detached" });
  });

  check("B8b a height that falls for a moment and rises again is no wish to leave the end", low, async ({ ui }) => {
    await ui.begin();
    await ui.ask("/flood 3000");
    await isAtEnd(ui, true, "it follows");
    await ui.raw.locator(".column-scroller").evaluate((scroller) => {
      const place = scroller.scrollTop;
      const first = scroller.firstElementChild;
      first.style.display = "none";
      if (scroller.scrollTop >= place) throw new Error("the browser did not scroll up");
      first.style.display = "";
      first.style.paddingBottom = "100px";
    });
    await isAtEnd(ui, true, "it stays at the end");
    await ui.button(/^Jump to latest/).waitFor({ state: "detached" });
    await isAtEnd(ui, true, "it still does");
  });

  check("B8c what falls and rises by as much within a frame is no wish to leave the end", low, async ({ ui }) => {
    await ui.begin();
    await ui.ask("/flood 3000");
    const column = ui.raw.locator(".column-scroller");
    await column.evaluate((scroller) => {
      const blocks = scroller.querySelectorAll(".column-block");
      for (const [id, block] of [["falls", blocks[0]], ["rises", blocks[blocks.length - 1]]])
        block.append(Object.assign(document.createElement("div"), { id }));
      scroller.querySelector("#falls").style.height = "300px";
    });
    await isAtEnd(ui, true, "it follows");
    await column.evaluate(
      (scroller) =>
        new Promise((resolve, reject) => {
          // Before the layout of a frame, behind its scroll events.
          requestAnimationFrame(() => {
            const place = scroller.scrollTop;
            scroller.querySelector("#falls").style.height = "";
            if (scroller.scrollTop > place - 299) reject(new Error("the browser did not scroll up by that much"));
            scroller.querySelector("#rises").style.height = "300px";
            requestAnimationFrame(resolve);
          });
        }),
    );
    await isAtEnd(ui, true, "it stays at the end");
    await ui.button(/^Jump to latest/).waitFor({ state: "detached" });
  });

  check("B8d a jump far up is heard, though a height changes in the same moment", low, async ({ ui }) => {
    await ui.begin();
    await ui.ask("/flood 60000");
    await isAtEnd(ui, true, "it follows");
    await ui.raw.locator(".column-scroller").evaluate((scroller) => {
      scroller.scrollTop -= 2 * scroller.clientHeight;
      scroller.lastElementChild.style.paddingBottom = "100px";
    });
    await ui.button(/^Jump to latest/).waitFor();
    await isAtEnd(ui, false, "it stays there");
  });

  check("B8e zooming, and scrolling in a box or sideways, is no wish to leave the end", low, async ({ ui }) => {
    await ui.begin();
    await ui.ask("/flood 3000");
    await isAtEnd(ui, true, "it follows");
    const box = ui.raw.locator("#box");
    await ui.raw.locator(".column-scroller").evaluate((scroller) => {
      const box = Object.assign(document.createElement("div"), { id: "box" });
      Object.assign(box.style, { height: "100px", overflow: "auto" });
      box.append(document.createElement("div"));
      box.firstElementChild.style.height = "5000px";
      scroller.lastElementChild.append(box);
      box.scrollTop = 100;
    });
    // The end moves away in the same moment: who follows is there again, who has left is not.
    const doAndGrow = ({ where, kind, ...init }) =>
      box.evaluate(
        (box, { where, kind, init }) => {
          const Kind = kind === "wheel" ? WheelEvent : KeyboardEvent;
          box.closest(where).dispatchEvent(new Kind(kind, { bubbles: true, cancelable: true, ...init }));
          box.style.height = `${box.clientHeight + 100}px`;
        },
        { where, kind, init },
      );
    for (const what of [
      { where: ".column-scroller", kind: "wheel", deltaY: -100, ctrlKey: true },
      { where: ".column-scroller", kind: "wheel", deltaY: -3, deltaX: 40 },
      { where: ".column-scroller", kind: "keydown", key: "ArrowUp", altKey: true },
      { where: "#box", kind: "wheel", deltaY: -100 },
      { where: "#box", kind: "keydown", key: "PageUp" },
    ]) {
      await doAndGrow(what);
      await isAtEnd(ui, true, JSON.stringify(what));
    }
    await box.evaluate((box) => (box.scrollTop = 0));
    await doAndGrow({ where: "#box", kind: "wheel", deltaY: -100 });
    await ui.button(/^Jump to latest/).waitFor();
  });

  check("B9 a plan moves from 0/3 to 3/3", async ({ ui }) => {
    await showEveryPlan(ui.raw);
    await ui.begin();
    await collectTexts(ui.raw, String.raw`\b\d/3\b`);
    await ui.ask("/plan");
    await ui.plan.filter({ hasText: "3/3" }).filter({ hasText: "Think of an answer" }).waitFor();
    assert.deepEqual(await ui.raw.evaluate(() => globalThis.collected), ["0/3", "1/3", "2/3", "3/3"]);
  });

  check("B10 pickers offer exactly what the session offered, and a change is sent and confirmed", async ({ ui, daemon }) => {
    await ui.begin();
    const messages = await daemon.messages(ui.serverId);
    const offer = messages.find(({ from, message }) => from === "agent" && message.result?.sessionId);
    const options = offer.message.result.configOptions;
    assert.ok(options.length >= 2);
    const picker = (name) => ui.raw.getByRole("combobox", { name, exact: true });
    const picked = (name, value) => eventually(async () => assert.equal(await picker(name).inputValue(), value));
    for (const { name, currentValue, options: values } of options) {
      const offers = (select) => [...select.options].map(({ text, value }) => ({ name: text.trim(), value }));
      const wanted = values.map(({ name, value }) => ({ name, value }));
      await eventually(async () => assert.deepEqual(await picker(name).evaluate(offers), wanted));
      await picked(name, currentValue);
    }

    await picker("Model").selectOption("demo-large");
    const isSent = ({ from, message }) => from === "client" && message.method === "session/set_config_option";
    const sent = await ui.untilSaid(isSent);
    assert.equal(sent.message.params.value, "demo-large");
    const isConfirmed = ({ from, message }) => from === "agent" && message.id === sent.message.id;
    const { message } = await ui.untilSaid(isConfirmed);
    assert.equal(message.result.configOptions.find(({ id }) => id === "model").currentValue, "demo-large");
    await picker("Model").and(ui.raw.locator('[aria-busy="false"]')).waitFor();
    await picked("Model", "demo-large");

    await picker("Mode").selectOption("plan");
    await ui.untilSaid(({ from, message }) => from === "client" && message.params?.value === "plan");
    await ui.message.focus();
    await ui.ask("/permission");
    await ui.hears("In plan mode I run nothing.");
    await ui.reload();
    await ui.blocks("turn").last().waitFor();
    await picked("Mode", "plan");
    await picked("Model", "demo-large");
  });
});

// What the agent says comes in as before, but after each step of a plan nothing more until the page shows it: no step is missed
// because the machine is slow.
function showEveryPlan(page) {
  return page.addInitScript(() => {
    const { fetch } = globalThis;
    const nextFrame = () => new Promise(requestAnimationFrame);
    const isShown = (event) => {
      const done = event.split('"status":"completed"').length - 1;
      return document.body.innerText.includes(`${done}/3`);
    };
    const oneByOne = () => {
      let text = "";
      const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
      return new TransformStream({
        async transform(piece, stream) {
          const events = (text + decoder.decode(piece, { stream: true })).split(/(?<=\n\n)/);
          text = events.at(-1).endsWith("\n\n") ? "" : events.pop();
          for (const event of events) {
            stream.enqueue(encoder.encode(event));
            if (event.includes('"sessionUpdate":"plan"')) while (!isShown(event)) await nextFrame();
          }
        },
      });
    };
    globalThis.fetch = async (...request) => {
      const answer = await fetch(...request);
      const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream");
      return isStream ? new Response(answer.body.pipeThrough(oneByOne()), answer) : answer;
    };
  });
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

// Whether the end of what is said is in sight and stays there for some frames, when it is as expected.
function isAtEnd(ui, expected, what) {
  const look = async (log) => {
    let pane = log;
    const scrolls = (node) => /auto|scroll/.test(getComputedStyle(node).overflowY) && node.scrollHeight > node.clientHeight;
    while (pane.parentElement && !scrolls(pane)) pane = pane.parentElement;
    for (let frames = 0; frames < 5; ++frames) {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))); // when all of the frame is done
      if (pane.scrollTop + pane.clientHeight < pane.scrollHeight - 8) return false;
    }
    return true;
  };
  return eventually(async () => assert.equal(await ui.conversation.evaluate(look), expected, what));
}

// Where it is once scrolling is over: frames that move nothing. Each frame moves what is still scrolled, however late it comes.
function restingPlace(locator) {
  return locator.evaluate(async (node) => {
    let [y, still] = [NaN, 0];
    while (still < 10) {
      await new Promise(requestAnimationFrame);
      const now = node.getBoundingClientRect().y;
      still = now === y ? still + 1 : 0;
      y = now;
    }
    return y;
  });
}
