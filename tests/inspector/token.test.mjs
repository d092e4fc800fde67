// A daemon that wants a token: asked for, given by a link, changed.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { check, useBrowser } from "./stage.mjs";

useBrowser();

const token = "a-token-of-the-checks-0123456789";
const talkative = { token, logLevel: "debug" };
const field = (ui) => ui.tokenNeeded.getByLabel("Token", { exact: true });

// Where the page keeps it.
const kept = (ui) =>
  ui.raw.evaluate((token) => {
    const holds = (store) => Object.values({ ...store }).some((value) => value.includes(token));
    return { session: holds(sessionStorage), local: holds(localStorage), cookie: document.cookie.includes(token) };
  }, token);

describe("token", { concurrency: 2 }, () => {
  check("B20 a plain address asks for the token and shows nothing else; a wrong one is called wrong", { token }, async (stage) => {
    const { ui, complaints, origin } = stage;
    complaints.allow(/401/);
    await ui.raw.goto(`${origin}/ui/`);
    await field(ui).and(ui.raw.locator(":focus")).waitFor();
    assert.equal(await field(ui).getAttribute("type"), "password");
    for (const part of [ui.sessions, ui.conversation, ui.message]) assert.equal(await part.isVisible(), false);
    await ui.keyboard.type("not the token");
    await ui.keyboard.press("Enter");
    await ui.raw.getByRole("alert").filter({ hasText: /wrong token/i }).waitFor();
    await field(ui).fill(token);
    await ui.keyboard.press("Enter");
    await ui.daemonState.filter({ hasText: /^\W*healthy/ }).waitFor();
    await ui.tokenNeeded.waitFor({ state: "hidden" });
    assert.deepEqual(await kept(ui), { session: true, local: false, cookie: false });
    await ui.startSession();
    await ui.ask("hello");
  });

  check("B20b a token that is remembered opens the page of the next day", { token }, async (stage) => {
    const { ui, complaints, origin } = stage;
    complaints.allow(/401/);
    await ui.raw.goto(`${origin}/ui/`);
    await field(ui).fill(token);
    await ui.tokenNeeded.getByRole("checkbox", { name: "Remember on this device" }).check();
    await ui.tokenNeeded.getByRole("button", { name: "Open" }).click();
    await ui.daemonState.filter({ hasText: /^\W*healthy/ }).waitFor();
    assert.equal((await kept(ui)).local, true);
    const next = await stage.newTab();
    await next.open();
  });

  check("B21 a link with the token leads straight in; the token is in no address and no log", talkative, async (stage) => {
    const { ui, context, daemon } = stage;
    const urls = [];
    context.on("request", (request) => urls.push(request.url(), request.headers().referer ?? ""));
    await ui.raw.goto(`${stage.origin}/ui/#token=${token}`);
    await ui.daemonState.filter({ hasText: /^\W*healthy/ }).waitFor();
    assert.equal(await ui.tokenNeeded.isVisible(), false);
    assert.equal(ui.raw.url(), `${stage.origin}/ui/`);
    await ui.startSession();
    await ui.ask("hello");
    assert.deepEqual(await kept(ui), { session: true, local: false, cookie: false });
    await ui.reload();
    await ui.hears('You said: "hello"');
    await ui.raw.goBack();
    assert.ok(!ui.raw.url().includes(token));
    await ui.raw.goForward();
    await ui.hears('You said: "hello"');
    assert.deepEqual(urls.slice(2).filter((url) => url.includes(token)), [], "after the link itself");
    assert.ok(!daemon.log().includes(token));
    assert.ok(daemon.log().length > 0, "the daemon logs");
  });

  check("B22 when the token was changed the page asks again and keeps what it shows", { token }, async (stage) => {
    const { ui, daemon, complaints } = stage;
    await ui.raw.goto(`${stage.origin}/ui/#token=${token}`);
    await ui.daemonState.filter({ hasText: /^\W*healthy/ }).waitFor();
    await ui.startSession();
    await ui.ask("before the change");
    const said = await ui.said();
    await ui.raw.evaluate(() => (globalThis.isSamePage = true));
    complaints.allow(/401|404|ERR_|Failed to (load|fetch)|network error/i);
    await daemon.halt();
    await daemon.startAgain({ token: "another-token" });
    await field(ui).waitFor();
    await field(ui).fill("another-token");
    await ui.keyboard.press("Enter");
    await ui.tokenNeeded.waitFor({ state: "hidden" });
    await ui.daemonState.filter({ hasText: /^\W*(healthy|restarted)/ }).waitFor();
    await ui.saysTheSame(said);
    assert.equal(await ui.raw.evaluate(() => globalThis.isSamePage), true);
  });
});
