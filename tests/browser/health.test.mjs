// A page of another origin talks to the daemon; and what this room promises to those who write tests in it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startDaemon, token } from "./daemon.mjs";
import { startBrowser } from "./page.mjs";
import { startSite } from "./site.mjs";

let site, daemon, browser;

before(async () => {
  [site, browser] = await Promise.all([startSite("pages/health.ts"), startBrowser()]);
  daemon = await startDaemon(site.origin);
});
after(() => Promise.all([browser?.stop(), daemon?.stop(), site?.stop()]));

test("a page of an allowed origin asks the daemon with a token", async () => {
  const page = await browser.open(site);
  const { status, body } = await page.call("health", daemon.url, token);
  assert.equal(status, 200);
  assert.equal(body.status, "ok");
  await page.close();
});

test("a page of another origin gets nothing, and what the browser says about it is a failure", async () => {
  const other = await startSite("pages/health.ts");
  const page = await browser.open(other);
  await assert.rejects(page.call("health", daemon.url, token), /Failed to fetch/);
  await assert.rejects(page.close(), /blocked by CORS policy/);
  await other.stop();
});

test("without a token a page of another origin gets nothing by a picture or a frame, an allowed one by fetch", async (t) => {
  const open = await startDaemon(site.origin, "--no-token");
  t.after(() => open.stop());
  const page = await browser.open(site);
  page.allow(/403/);
  const network = await page.raw.context().newCDPSession(page.raw); // it tells the status also of what the page may not see
  await network.send("Network.enable");
  for (const tag of ["img", "iframe"]) {
    const answered = new Promise((resolve) => network.once("Network.responseReceivedExtraInfo", resolve));
    await page.raw.evaluate(
      ([tag, src]) => document.body.append(Object.assign(document.createElement(tag), { src })),
      [tag, `${open.url}/v1/health`],
    );
    assert.equal((await answered).statusCode, 403, tag);
  }
  assert.equal((await page.call("health", open.url, "")).status, 200);
  await page.close();
});

test("a rejection that nobody in the page handles is a failure", async () => {
  const page = await browser.open(site);
  await page.call("complain");
  await assert.rejects(page.close(), /uncaught: Error: nobody handles this/);
});

test("a complaint that was announced is none", async () => {
  const page = await browser.open(site);
  page.allow(/401/);
  const { status, body } = await page.call("health", daemon.url, "another token");
  assert.equal(status, 401);
  assert.match(body.type, /:token_invalid$/);
  await page.close();
});
