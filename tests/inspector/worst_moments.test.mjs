// What is done at the worst moment: leaving in the middle, two tabs, keys pressed twice.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { eventually } from "./events.mjs";
import { gate } from "./gate.mjs";
import { check, useBrowser } from "./stage.mjs";
import { TalkPage } from "./talk_page.mjs";

useBrowser();

const prompts = ({ from, message }) => from === "client" && message.method === "session/prompt";

// A turn that ends when it is answered, not before, and a text that waits behind it and is kept.
async function waitBehindTurn(ui, text) {
  await ui.begin();
  await ui.say("/permission");
  await ui.permission.waitFor();
  await ui.say(text);
  await ui.queue.getByRole("listitem").waitFor();
  await ui.raw.waitForFunction((kept) => localStorage.getItem("sandbox-agent.composers")?.includes(kept), text);
}

const texts = async (daemon, serverId) =>
  (await daemon.messages(serverId)).filter(prompts).map(({ message }) => message.params.prompt[0].text);

// Two sessions, of which the first is shown; away() shows the other one.
async function withAnother(ui) {
  await ui.begin();
  const { place, serverId } = ui;
  await ui.ask("hello");
  await ui.startSessionByButton();
  const other = ui.place;
  const show = async (wanted) => {
    await ui.sessions.locator(`a[href="${wanted}"]`).click();
    await ui.shows(wanted);
    await ui.streamState.filter({ hasText: "live" }).waitFor();
  };
  await show(place);
  await ui.message.focus();
  return { serverId, away: () => show(other), back: () => show(place) };
}

// Holds back the POST that says these words until `open`; `seen`: it is under way.
async function holdBack(ui, words) {
  const [seen, passed] = [gate(), gate()];
  await ui.raw.route("**/v1/acp/*", async (route, request) => {
    if (request.method() !== "POST" || !request.postData()?.includes(words)) return route.fallback();
    seen.open();
    await passed.passed;
    await route.continue();
  });
  return { seen: seen.passed, open: passed.open };
}

// Until the page was told so often which processes there are.
async function lists(ui, count) {
  for (let heard = 0; heard < count; ++heard) await ui.raw.waitForResponse((response) => response.url().endsWith("/v1/acp"));
}

describe("worst moments", { concurrency: 2 }, () => {
  check("W1 a turn that is left while it runs goes on, and its prompt is not put back", async ({ ui, daemon }) => {
    await ui.begin();
    const { place } = ui;
    await ui.say("/slow 30");
    await ui.hears("step 1 of 30");
    await ui.startSessionByButton();
    await ui.raw.goBack();
    await ui.shows(place);
    await ui.ended("done");
    assert.equal(await ui.draft(), "");
    assert.equal(await ui.raw.getByText("Not sent").count(), 0);
    assert.equal((await daemon.messages(ui.serverId)).filter(prompts).length, 1);
  });

  check("W1b a prompt whose session is left before it was heard is sent, and not put back", async ({ ui, daemon }) => {
    const { serverId, away, back } = await withAnother(ui);
    const post = await holdBack(ui, "sent in haste");
    await ui.say("sent in haste");
    await post.seen;
    await away();
    post.open();
    await eventually(async () => assert.deepEqual(await texts(daemon, serverId), ["hello", "sent in haste"]));
    await back();
    await ui.ended("done", 2);
    assert.equal(await ui.draft(), "");
    assert.equal(await ui.raw.getByText("Not sent").count(), 0);
  });

  check("W8b a note with a rejection is sent, though one leaves before the agent has the answer", async ({ ui, daemon }) => {
    const { serverId, away } = await withAnother(ui);
    await ui.say("/permission");
    await ui.permission.getByLabel("Note with a rejection").fill("take the other one");
    const post = await holdBack(ui, "reject-once");
    await ui.permission.getByRole("button", { name: /Reject/ }).click();
    await post.seen;
    await away();
    post.open();
    await eventually(async () => assert.deepEqual(await texts(daemon, serverId), ["hello", "/permission", "take the other one"]));
  });

  check("W10c of a queue that goes on while one looks elsewhere, one message is sent at a time, also to who comes back", async (stage) => {
    const { ui, daemon } = stage;
    const { serverId, away, back } = await withAnother(ui);
    await ui.say("/permission");
    await ui.permission.waitFor();
    for (const words of ["the first", "/slow 3"]) await ui.say(words);
    await ui.queue.getByRole("listitem").nth(1).waitFor();
    await away();
    const post = await holdBack(ui, "the first");
    const { message } = (await daemon.messages(serverId)).find(({ message }) => message.method === "session/request_permission");
    const result = { outcome: { outcome: "selected", optionId: "allow-once" } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: message.id, result });
    await daemon.ask("POST", `/v1/acp/${serverId}`, { headers: { "content-type": "application/json" }, body });
    await post.seen;
    const stream = gate(); // what was heard of the session is old for a while
    await ui.raw.route("**/v1/acp/*", async (route, request) => {
      if (request.method() !== "GET") return route.fallback();
      await stream.passed;
      await route.continue();
    });
    await Promise.all([back(), lists(ui, 3).then(stream.open)]);
    await lists(ui, 3);
    assert.deepEqual(await texts(daemon, serverId), ["hello", "/permission"], "the next waits for the one that is on its way");
    post.open();
    await ui.ended("done", 4);
    const said = (await daemon.messages(serverId)).filter((one) => prompts(one) || one.message.result?.stopReason);
    const words = said.map(({ message }) => message.params?.prompt[0].text ?? "ended");
    assert.deepEqual(words, ["hello", "/permission", "the first", "/slow 3"].flatMap((text) => [text, "ended"]));
  });

  check("W10d what is queued does not overtake what is on its way when its session is left", async ({ ui, daemon }) => {
    const { serverId, away } = await withAnother(ui);
    const post = await holdBack(ui, "the first");
    await ui.say("the first");
    await post.seen;
    await ui.say("the second");
    await ui.queue.getByRole("listitem").waitFor();
    await Promise.all([away(), lists(ui, 2)]);
    assert.deepEqual(await texts(daemon, serverId), ["hello"]);
    post.open();
    await eventually(async () => assert.deepEqual(await texts(daemon, serverId), ["hello", "the first", "the second"]));
  });

  check("W2 what is queued is sent while the Trace is looked at", async ({ ui, daemon }) => {
    await ui.begin();
    const { serverId } = ui;
    await ui.say("/permission"); // it ends when it is answered, not before
    await ui.permission.waitFor();
    await ui.say("the next");
    await ui.queue.getByRole("listitem").waitFor();
    await ui.raw.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Trace" }).click();
    await ui.trace.waitFor();
    const { message } = (await daemon.messages(serverId)).find(({ message }) => message.method === "session/request_permission");
    const result = { outcome: { outcome: "selected", optionId: "allow-once" } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: message.id, result });
    await daemon.ask("POST", `/v1/acp/${serverId}`, { headers: { "content-type": "application/json" }, body });
    for (let sent = 0; sent < 2; ) sent = (await daemon.messages(serverId)).filter(prompts).length;
  });

  check("W3 the question for the token stays, however often Esc is pressed", { token: "a-token" }, async ({ ui }) => {
    ui.complaints.allow(/401/);
    await ui.raw.goto(`${ui.stage.origin}/ui/`);
    await ui.tokenNeeded.getByLabel("Token").and(ui.raw.locator(":focus")).waitFor();
    await ui.keyboard.type("half of i");
    for (let times = 0; times < 4; ++times) await ui.keyboard.press("Escape");
    await ui.raw.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    assert.equal(await ui.tokenNeeded.getByLabel("Token").inputValue(), "half of i");
    assert.equal(await ui.tokenNeeded.isVisible(), true);
  });

  check("W4 a session whose process ended is ended also when one comes back to it", async ({ ui, daemon }) => {
    await ui.begin();
    const { place, serverId } = ui;
    await ui.ask("hello");
    process.kill((await daemon.instance(serverId)).pid, "SIGKILL");
    await ui.streamState.filter({ hasText: "ended" }).waitFor();
    await ui.startSessionByButton();
    await ui.raw.goBack();
    await ui.shows(place);
    await ui.streamState.filter({ hasText: "ended" }).waitFor();
  });

  check("W5 removing a session that is over leaves alone what runs under its name now", async ({ ui, daemon }) => {
    ui.complaints.allow(/stderr/); // of a process that was deleted
    await ui.begin();
    await ui.ask("hello");
    const { serverId } = ui;
    await daemon.ask("DELETE", `/v1/acp/${serverId}`);
    await ui.streamState.filter({ hasText: /ended|gone/ }).waitFor();
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } });
    const headers = { "content-type": "application/json" };
    await daemon.ask("POST", `/v1/acp/${serverId}?agent=demo`, { headers, body });
    await ui.sessions.getByText("from elsewhere").waitFor();
    await ui.sessions.getByRole("button", { name: "Actions for hello" }).click();
    await ui.raw.getByRole("menuitem", { name: "Delete" }).click();
    await ui.raw.getByRole("dialog", { name: "Delete this session?" }).getByRole("button", { name: "Delete" }).click();
    await ui.sessions.getByText("hello").waitFor({ state: "detached" });
    assert.equal((await daemon.instance(serverId)).status, "running");
  });

  check("W6 two tabs of one browser remember the sessions of both", async (stage) => {
    const { ui } = stage;
    await ui.open();
    const tab = await stage.newTab();
    await tab.begin();
    await tab.ask("from the second tab");
    await ui.raw.bringToFront();
    await ui.startSession();
    await ui.ask("from the first tab");
    await ui.reload();
    for (const title of ["from the first tab", "from the second tab"]) await ui.sessions.getByText(title).waitFor();
  });

  check("W7 a link with the token, followed in a page that asks for it, opens it", { token: "a-token" }, async ({ ui }) => {
    ui.complaints.allow(/401/);
    await ui.raw.goto(`${ui.stage.origin}/ui/`);
    await ui.tokenNeeded.waitFor();
    await ui.raw.goto(`${ui.stage.origin}/ui/#token=a-token`);
    await ui.tokenNeeded.waitFor({ state: "hidden" });
    await ui.daemonState.filter({ hasText: "healthy" }).waitFor();
    assert.equal(new URL(ui.raw.url()).hash, "");
  });

  check("W8 a note with a rejection is sent, and what is being written stays", async ({ ui, daemon }) => {
    await ui.begin();
    await ui.say("/permission");
    await ui.permission.waitFor();
    await ui.message.fill("half a sentence");
    await ui.permission.getByLabel("Note with a rejection").fill("take the other one");
    await ui.permission.getByRole("button", { name: /Reject/ }).click();
    await ui.hears('You said: "take the other one"');
    assert.equal(await ui.draft(), "half a sentence");
    const texts = (await daemon.messages(ui.serverId)).filter(prompts).map(({ message }) => message.params.prompt[0].text);
    assert.deepEqual(texts, ["/permission", "take the other one"]);
  });

  check("W9 whoever answered a card, or stopped a turn, with a button can write on", async ({ ui }) => {
    await ui.begin();
    await ui.say("/permission");
    await ui.listening();
    await ui.permission.getByRole("button", { name: /Allow once/ }).press("Enter");
    await ui.ended("done");
    await ui.composing();
    await ui.say("/slow 1000");
    await ui.hears("step 1 of 1000");
    await ui.button("Stop").press("Enter");
    await ui.ended("cancelled");
    await ui.composing();
  });

  check("W10 what waits in one tab is not sent by another one", async (stage) => {
    const { ui, daemon } = stage;
    await waitBehindTurn(ui, "once");
    const tab = await stage.newTab();
    await tab.open(ui.place);
    await tab.permission.waitFor();
    await ui.permission.getByRole("button", { name: /Allow once/ }).click();
    await ui.ended("done", 2);
    await tab.ended("done", 2);
    assert.equal((await daemon.messages(ui.serverId)).filter(prompts).length, 2);
  });

  check("W10b what waits in a tab that is duplicated is sent once, also after a reload", async (stage) => {
    const { ui, daemon } = stage;
    await waitBehindTurn(ui, "once");
    const tab = await stage.duplicate();
    await tab.permission.waitFor();
    await new TalkPage(tab).holds("once"); // as a draft
    assert.equal(await tab.queue.getByRole("listitem").count(), 0);
    await ui.reload();
    await ui.queue.getByRole("listitem").waitFor();
    await ui.permission.getByRole("button", { name: /Allow once/ }).click();
    await ui.ended("done", 2);
    await tab.ended("done", 2);
    assert.equal((await daemon.messages(ui.serverId)).filter(prompts).length, 2);
  });

  check("W11 a session that goes on in another process has a draft of its own, though its name is the same", async ({ ui, daemon }) => {
    await ui.begin();
    await ui.ask("hello");
    const { place, serverId } = ui;
    process.kill((await daemon.instance(serverId)).pid, "SIGKILL");
    await ui.button("Restart").click();
    await ui.raw.waitForURL((url) => url.pathname !== place);
    await ui.shows();
    await ui.composing();
    await ui.keyboard.type("for the new one");
    await ui.raw.getByRole("link", { name: "What was said before" }).click();
    await ui.shows(place);
    await ui.streamState.filter({ hasText: "ended" }).waitFor();
    assert.equal(await ui.draft(), "");
    await ui.raw.goBack();
    await ui.raw.waitForURL((url) => url.pathname !== place);
    await ui.shows();
    assert.equal(await ui.draft(), "for the new one");
  });

  check("W12 two starts at once make one session", async ({ ui, daemon }) => {
    await ui.open();
    await ui.keyboard.press("n");
    await ui.newSession.getByRole("radio", { checked: true }).and(ui.raw.locator(":focus")).waitFor();
    await ui.newSession.getByRole("button", { name: "Start", disabled: false }).waitFor();
    await ui.raw.evaluate(() => {
      const form = document.querySelector("dialog form");
      form.requestSubmit();
      form.requestSubmit();
    });
    await ui.composing();
    await ui.ask("hello");
    assert.deepEqual((await daemon.instances()).map(({ serverId }) => serverId), [ui.serverId]);
  });

  check("W13 a start that is given up in the middle leaves no process and comes to no session", async ({ ui, daemon }) => {
    await ui.open();
    await ui.keyboard.press("n");
    await ui.newSession.getByRole("radio", { checked: true }).and(ui.raw.locator(":focus")).waitFor();
    await ui.newSession.getByRole("button", { name: "Start", disabled: false }).waitFor();
    // The process is made, but the page does not hear of it.
    await ui.raw.route("**/v1/acp/*", async (route, request) => {
      if (request.method() === "DELETE") return route.fallback();
      if (request.method() === "POST") await route.fetch();
    });
    await ui.keyboard.press("Enter");
    await ui.newSession.getByText("Starting").waitFor();
    await eventually(async () => assert.equal((await daemon.instances()).length, 1));
    await ui.keyboard.press("Escape");
    await ui.newSession.waitFor({ state: "hidden" });
    await eventually(async () => assert.deepEqual(await daemon.instances(), []));
    assert.equal(ui.place, "/ui/");
    await ui.raw.unroute("**/v1/acp/*");
    await ui.startSession();
    await ui.ask("hello");
  });

  check("W15 an address that names a turn which is not there says so", async ({ ui }) => {
    await ui.begin();
    await ui.ask("one");
    const { place } = ui;
    await ui.open(`${place}?turn=99`);
    await ui.raw.getByRole("status").filter({ hasText: "There is no turn 99 in this conversation." }).waitFor();
    await ui.button("Understood").click();
    await ui.open(`${place}?turn=1`);
    await ui.ended("done");
    assert.equal(await ui.raw.getByText(/There is no turn/).count(), 0);
  });

  check("W14 a page whose program cannot be loaded says so, and a reload mends it", async ({ ui, origin, complaints }) => {
    complaints.allow(/assets\/index-|ERR_FAILED|dynamically imported/);
    await ui.raw.route("**/assets/index-*.js", (route) => route.abort());
    await ui.raw.goto(`${origin}/ui/`);
    await ui.raw.getByText("This page could not be loaded").waitFor();
    await ui.raw.unroute("**/assets/index-*.js");
    await ui.raw.reload();
    await ui.raw.getByRole("heading", { level: 1 }).waitFor();
  });
});
