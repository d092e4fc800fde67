// Cards of what an agent asks, however it asks: all it would do can be read, the answers are in sight, and what was filled in stays.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { fileURLToPath } from "node:url";
import { eventually } from "./events.mjs";
import { check, useBrowser } from "./stage.mjs";

useBrowser();

const agent = fileURLToPath(new URL("asking_agent.mjs", import.meta.url));
const asking = { flags: ["--agent", `asking=${process.execPath} ${agent}`] };
const sized = (width, height) => ({ ...asking, viewport: { width, height } });
const some = [
  { optionId: "yes", name: "Allow once", kind: "allow_once" },
  { optionId: "always", name: "Always allow", kind: "allow_always" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];
const permission = (toolCall, options = some) => ({
  method: "session/request_permission",
  params: { toolCall: { toolCallId: "call", title: "Run a command", kind: "execute", ...toolCall }, options },
});
const form = (properties, required = []) => ({
  method: "elicitation/create",
  params: { mode: "form", message: "Tell me", requestedSchema: { type: "object", properties, required } },
});
const plan = (count, current) => ({
  method: "session/update",
  params: {
    update: {
      sessionUpdate: "plan",
      entries: Array.from({ length: count }, (_, at) => ({
        content: `Step ${at + 1}`,
        priority: "medium",
        status: at < current ? "completed" : at === current ? "in_progress" : "pending",
      })),
    },
  },
});

async function begin(ui) {
  await ui.open();
  await ui.keyboard.press("n");
  await ui.newSession.getByRole("radio", { checked: true }).and(ui.raw.locator(":focus")).waitFor();
  await ui.choose(/asking/);
  await ui.newSession.getByRole("button", { name: "Start", disabled: false }).waitFor();
  await ui.keyboard.press("Enter");
  await ui.composing();
}

// The agent says all of it.
async function tell(ui, ...told) {
  await ui.message.fill(JSON.stringify(told));
  await ui.keyboard.press("Enter");
}

// What it kept for later.
async function goOn({ serverId }, daemon) {
  const message = { headers: { "content-type": "application/json" }, body: '{"jsonrpc":"2.0","method":"go"}' };
  assert.equal((await daemon.ask("POST", `/v1/acp/${serverId}`, message)).status, 202);
}

const question = (ui) => ui.raw.getByRole("alertdialog", { name: /^Question: / });
const shown = (card) => card.evaluate((node) => node.innerText);

// What of these cannot be seen and pressed where it stands.
const outOfSight = (all) =>
  all.evaluateAll((nodes) =>
    nodes
      .filter((node) => {
        const { left, right, top, bottom } = node.getBoundingClientRect();
        const at = (x, y) => node.contains(document.elementFromPoint(x, y));
        return !(at(left + 3, (top + bottom) / 2) && at(right - 3, (top + bottom) / 2));
      })
      .map((node) => node.textContent),
  );

const inSight = (all) => eventually(async () => assert.deepEqual(await outOfSight(all), []));

// The card is no wider than its room, and its answers are in sight.
async function fits(ui) {
  await ui.permission.waitFor();
  const [width, room, body] = await ui.permission.evaluate((card) => [card.scrollWidth, card.clientWidth, document.body.scrollWidth]);
  assert.ok(width <= room, `${width} pixels in ${room}`);
  assert.ok(body <= ui.raw.viewportSize().width);
  await inSight(ui.permission.getByRole("button"));
}

async function answers({ daemon, ui }) {
  const messages = await daemon.messages(ui.serverId);
  return messages.filter(({ from, message }) => from === "client" && message.method === undefined).map(({ message }) => message.result);
}

describe("asks", { concurrency: 2 }, () => {
  check("K1 the command of a card is the one that runs, with every sign of it", asking, async ({ ui }) => {
    await begin(ui);
    const command = "rm -rf / --no-preserve-root\recho harmless; curl evil\x1b[2Kecho\u202etxt.exe\ttab\nnext line";
    await tell(ui, permission({ title: "Read \u202efdp.txt", rawInput: { command, cwd: "/etc\u2066" } }));
    const words = ui.permission.getByRole("group", { name: "Command" });
    await words.waitFor();
    assert.equal(
      await words.textContent(),
      "rm -rf / --no-preserve-root\\recho harmless; curl evil\\x1b[2Kecho\\u202Etxt.exe\ttab\nnext line",
    );
    assert.match(await shown(ui.permission), /Read \\u202Efdp\.txt/);
    assert.match(await shown(ui.permission), /"cwd": "\/etc\\u2066"/);
    assert.match(await ui.permission.getAttribute("aria-label"), /\\u202E/);
    assert.doesNotMatch(await ui.permission.textContent(), /[\u202e\u2066\r\x1b]/);
  });

  check("K1b a long command is there from its first word to its last, and the answers stay in sight", asking, async ({ ui }) => {
    await begin(ui);
    const command = `first\n${"echo x\n".repeat(5_000)}last`;
    await tell(ui, permission({ rawInput: { command } }));
    assert.equal(await ui.permission.getByRole("group", { name: "Command" }).textContent(), command);
    await inSight(ui.permission.getByRole("button"));
  });

  check("K2 a card without any input shows the places and the words of the request", asking, async ({ ui }) => {
    await begin(ui);
    const content = [{ type: "content", content: { type: "text", text: "It will be\u202e deleted." } }];
    await tell(ui, permission({ title: "Delete", kind: "delete", locations: [{ path: "/srv/data.db", line: 7 }], content }));
    await ui.permission.getByText("/srv/data.db:7").waitFor();
    await ui.permission.getByText("It will be\\u202E deleted.").waitFor();
  });

  check("K3 on a phone long words make no card wider than the window, and hide nothing", sized(375, 667), async ({ ui }) => {
    await begin(ui);
    const long = "x".repeat(300);
    const content = [{ type: "content", content: { type: "text", text: long } }];
    await tell(ui, permission({ title: `Fetch /a/${long}`, kind: `fetch${long}`, rawInput: { url: `https://a.example/${long}` }, content }));
    await fits(ui);
    const begins = await ui.permission.getByRole("group", { name: "Input" }).evaluate((pre) => {
      const { left, top } = pre.getBoundingClientRect();
      return pre.contains(document.elementFromPoint(left + 20, top + 10));
    });
    assert.ok(begins, "a title is no place to hide what follows");
  });

  check("K3b on a phone long answers can be read and pressed", sized(375, 667), async ({ ui }) => {
    await begin(ui);
    const options = some.map((option) => ({ ...option, name: `${option.name} ${"y".repeat(50)}` }));
    await tell(ui, permission({ rawInput: { command: "make clean" } }, options));
    await fits(ui);
  });

  check("K3c on a phone a form with long words fits", sized(375, 667), async ({ ui }) => {
    await begin(ui);
    const long = "x".repeat(100);
    const words = { title: `Title ${long}`, description: `About ${long}` };
    const properties = {
      name: { type: "string", ...words },
      one: { type: "string", enum: [long, "b"], ...words },
      some: { type: "array", items: { enum: [long, "b"] }, ...words },
      sure: { type: "boolean", ...words },
    };
    await tell(ui, { ...form(properties), params: { ...form(properties).params, message: `Tell ${long}`, url: `https://a.example/${long}` } });
    await question(ui).waitFor();
    const [width, room] = await question(ui).evaluate((card) => [card.scrollWidth, card.clientWidth]);
    assert.ok(width <= room, `${width} pixels in ${room}`);
  });

  for (const [width, height] of [[640, 400], [720, 450]])
    check(`K4 in a window of ${width} × ${height} a card comes into sight, and takes digits only there`, sized(width, height), async (stage) => {
      const { ui } = stage;
      await begin(ui);
      await tell(ui, permission({ rawInput: { command: "make clean" } }));
      await ui.listening();
      await inSight(ui.permission.locator("b, pre, button"));
      await ui.permission.evaluate((card) => (card.closest("main").scrollTop = 0));
      assert.notDeepEqual(await outOfSight(ui.permission.getByRole("button", { name: /Allow once/ })), []);
      await ui.keyboard.press("1");
      assert.equal(await ui.draft(), "1", "it was typed, and answered nothing");
      assert.deepEqual(await answers(stage), []);
      await ui.message.fill("");
      await ui.permission.evaluate((card) => card.scrollIntoView({ block: "nearest" }));
      await ui.keyboard.press("1");
      await ui.ended("done");
      assert.deepEqual(await answers(stage), [{ outcome: { outcome: "selected", optionId: "yes" } }]);
    });

  check("K4b a click or an Enter that was meant for the card before answers none that has just come", asking, async (stage) => {
    const { ui } = stage;
    await begin(ui);
    await tell(ui, ...["make", "make clean", "make install"].map((command) => permission({ rawInput: { command } })));
    await ui.listening();
    await ui.raw.evaluate(() => {
      const met = new Set([document.querySelector("[role=alertdialog]")]);
      const hurry = () => {
        const card = document.querySelector("[role=alertdialog]");
        if (card === null || met.has(card)) return;
        met.add(card);
        card.querySelector(".buttons button").click();
        card.querySelector(".buttons input").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
      };
      new MutationObserver(hurry).observe(document.body, { subtree: true, childList: true });
    });
    await ui.permission.getByRole("button", { name: /Allow once/ }).click();
    await ui.permission.filter({ hasText: "1 of 2" }).getByRole("button", { name: /Always allow/ }).click();
    await ui.permission.filter({ hasText: "make install" }).getByRole("button", { name: /Always allow/ }).click();
    await ui.ended("done");
    const chosen = (await answers(stage)).map(({ outcome }) => outcome.optionId);
    assert.deepEqual(chosen, ["yes", "always", "always"]);
  });

  check("K4c a digit that is held answers one card, and is typed nowhere", asking, async (stage) => {
    const { ui } = stage;
    await begin(ui);
    await tell(ui, ...["make", "make clean"].map((command) => permission({ rawInput: { command } })));
    await ui.listening();
    await ui.keyboard.down("1");
    await ui.permission.filter({ hasText: "make clean" }).waitFor();
    await ui.keyboard.down("1"); // once more while it is held: the keyboard repeats it
    await ui.listening();
    await ui.keyboard.down("1");
    await ui.keyboard.up("1");
    assert.equal(await ui.draft(), "");
    await ui.keyboard.press("2");
    await ui.ended("done");
    const chosen = (await answers(stage)).map(({ outcome }) => outcome.optionId);
    assert.deepEqual(chosen, ["yes", "always"]);
  });

  check("K4d an Enter that is held answers a card, and does not send what is being written", asking, async (stage) => {
    const { ui, daemon } = stage;
    await begin(ui);
    await tell(ui, permission({ rawInput: { command: "make" } }));
    await ui.listening();
    await ui.message.fill("[]"); // this agent takes nothing but lists
    await ui.permission.getByRole("button", { name: /Allow once/ }).focus();
    await ui.keyboard.down("Enter");
    await ui.composing();
    for (let times = 0; times < 2; ++times) await ui.keyboard.down("Enter"); // the keyboard repeats it
    await ui.keyboard.up("Enter");
    await ui.ended("done");
    assert.equal(await ui.draft(), "[]");
    await ui.keyboard.press("Enter");
    await ui.ended("done", 2);
    const sent = (await daemon.messages(ui.serverId)).filter(({ message }) => message.method === "session/prompt");
    assert.deepEqual(sent.slice(1).map(({ message }) => message.params.prompt[0].text), ["[]"]);
  });

  for (const [width, height, steps] of [[375, 667, 12], [1440, 900, 40]])
    check(`K5 a plan of ${steps} steps leaves room at ${width} × ${height}, and shows the one that is done now`, sized(width, height), async ({ ui, daemon }) => {
      await begin(ui);
      await tell(ui, plan(steps, steps - 3), { method: "later" }, permission({ rawInput: { command: "make clean" } }));
      const now = ui.plan.getByText(`Step ${steps - 2}`, { exact: true });
      await now.waitFor();
      await inSight(now);
      await goOn(ui, daemon);
      await ui.permission.waitFor();
      const all = ui.permission.getByRole("button").or(ui.button("Stop")).or(now);
      assert.equal(await all.count(), 5);
      await inSight(all);
      await ui.plan.getByRole("list", { name: "Steps" }).focus();
      await ui.keyboard.press("Home");
      await ui.raw.waitForFunction(() => document.querySelector(".plan ul").scrollTop === 0);
    });

  check("K6 of many options those have a digit that a key can choose", asking, async (stage) => {
    const { ui } = stage;
    await begin(ui);
    const many = Array.from({ length: 11 }, (_, at) => ({ optionId: `o${at}`, name: `Option ${at}`, kind: "allow_once" }));
    await tell(ui, permission({ rawInput: { command: "make" } }, many));
    await ui.permission.waitFor();
    assert.deepEqual(await ui.permission.locator("kbd").allTextContents(), [..."123456789"]);
    await ui.permission.getByRole("button", { name: "Option 10", exact: true }).click();
    await ui.ended("done");
    assert.deepEqual(await answers(stage), [{ outcome: { outcome: "selected", optionId: "o10" } }]);
  });

  check("K7 what is filled in on a card is there again after a look elsewhere", asking, async (stage) => {
    const { ui } = stage;
    await begin(ui);
    const { place } = ui;
    const away = async () => {
      await ui.raw.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Trace" }).click();
      await ui.trace.waitFor();
      await ui.raw.goBack();
      await ui.raw.waitForURL((url) => url.pathname === place);
    };
    const properties = { name: { type: "string" }, sure: { type: "boolean" } };
    await tell(ui, form(properties), permission({ rawInput: { command: "make" } }));
    await question(ui).getByLabel("name").fill("half a na");
    await question(ui).getByLabel("sure").check();
    await away();
    assert.equal(await question(ui).getByLabel("name").inputValue(), "half a na");
    await ui.startSessionByButton();
    await ui.raw.goBack();
    await ui.shows(place);
    assert.equal(await question(ui).getByLabel("name").inputValue(), "half a na");
    assert.equal(await question(ui).getByLabel("sure").isChecked(), true);
    await question(ui).getByRole("button", { name: "Answer" }).click();
    await ui.permission.getByLabel("Note with a rejection").fill("rather n");
    await away();
    assert.equal(await ui.permission.getByLabel("Note with a rejection").inputValue(), "rather n");
    assert.deepEqual(await answers(stage), [{ action: "accept", content: { name: "half a na", sure: true } }]);
  });

  check("K8 a form says at the field what is wrong, and is sent when nothing is", asking, async (stage) => {
    const { ui } = stage;
    await begin(ui);
    const properties = {
      size: { type: "number", minimum: 0, maximum: 1, default: 1e-7 },
      count: { type: "integer", maximum: 9 },
      days: { type: "array", items: { enum: ["mo", "tu"] }, minItems: 2, description: "Two of them" },
      sure: { type: "boolean", description: "There is no way back" },
    };
    await tell(ui, form(properties, ["days"]));
    const card = question(ui);
    for (const words of ["Two of them", "There is no way back"]) await card.getByText(words).waitFor();
    await card.getByLabel("count").fill("9.5");
    await card.getByLabel("mo").check();
    await card.getByRole("button", { name: "Answer" }).click();
    await card.getByText("A whole number is needed.").waitFor();
    await card.getByText("Choose at least 2.").waitFor();
    await card.getByLabel("count").and(ui.raw.locator(":focus")).waitFor();
    assert.equal(await card.getByRole("alert").count(), 2);
    assert.deepEqual(await answers(stage), []);
    await card.getByLabel("count").fill("9");
    await card.getByLabel("tu").check();
    await card.getByLabel("sure").check();
    assert.equal(await card.getByRole("alert").count(), 0);
    await card.getByRole("button", { name: "Answer" }).click();
    await ui.ended("done");
    const content = { size: 1e-7, count: 9, days: ["mo", "tu"], sure: true };
    assert.deepEqual(await answers(stage), [{ action: "accept", content }]);
  });

  check("K9 an address that leads to no page is shown, and cannot be followed", asking, async ({ ui }) => {
    await begin(ui);
    const url = "javascript:alert(1)";
    await tell(ui, { method: "elicitation/create", params: { mode: "url", message: "Sign in", elicitationId: "e", url } });
    await question(ui).getByText(url).waitFor();
    assert.equal(await question(ui).getByRole("link").count(), 0);
  });
});
