// The built SDK in Chromium: turns, a page that is loaded anew, connections that are cut.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { startDaemon, token } from "./daemon.mjs";
import { startBrowser } from "./page.mjs";
import { Relay } from "../contract/relay.mjs";
import { startSite } from "./site.mjs";

let site, workerSite, daemon, browser;

before(async () => {
  const sites = ["pages/sdk.ts", "pages/sdk_worker.ts"].map(startSite);
  [site, workerSite, browser] = await Promise.all([...sites, startBrowser()]);
  daemon = await startDaemon(site.origin, "--cors-allow-origin", workerSite.origin);
});
after(() => Promise.all([browser?.stop(), daemon?.stop(), site?.stop(), workerSite?.stop()]));

async function openApplication(url = daemon.url) {
  const page = await browser.open(site);
  await page.call("connect", url, token);
  return page;
}

const steps = (count) => Array.from({ length: count }, (_, at) => `step ${at + 1} of ${count}\n`);

// Every number once, in order: nothing is missing, nothing is doubled.
const assertComplete = (ids) => assert.deepEqual(ids, ids.map((_, at) => ids[0] + at));

describe("the SDK in a page", { concurrency: 2 }, () => {
  test("a page loaded anew in the middle of a turn gets the whole turn, each event once, and its end", async () => {
    const page = await openApplication();
    await page.call("begin", "/slow 40", 5);
    page.allow(/ERR_/);
    await page.raw.reload();
    await page.raw.waitForFunction("globalThis.program");
    assert.equal(await page.call("connect", daemon.url, token), true);
    const seen = await page.call("goOn");
    assert.deepEqual(seen.texts, steps(40));
    assert.equal(seen.text, steps(40).join(""));
    assertComplete(seen.ids);
    assert.equal(seen.stopReason, "end_turn");
    assert.match((await page.call("ask", "and now?")).text, /and now/);
    await page.close();
  });

  test("a turn whose connections are cut is whole, and settles", async () => {
    const relay = await Relay.to(daemon.url);
    const page = await openApplication(relay.url);
    page.allow(/ERR_/);
    await page.call("begin", "/slow 8", 2);
    assert.ok(relay.cut() > 0);
    const seen = await page.call("goOn");
    assert.deepEqual(seen.texts, steps(8));
    assertComplete(seen.ids);
    assert.equal(seen.stopReason, "end_turn");
    await page.call("disconnect");
    await page.close();
    await relay.stop();
  });

  test("a page reads a turn's events, answers what it is asked, and holds two connections at most", async () => {
    const relay = await Relay.to(daemon.url);
    const page = await openApplication(relay.url);
    const seen = await page.call("ask", "/permission");
    assert.deepEqual([...new Set(seen.types)], ["tool", "permission", "text", "raw", "usage"]);
    assert.match(seen.text, /^You chose: Allow once/);
    await page.call("ask", "/edit");
    assert.ok(relay.most <= 2, `${relay.most} connections were open at once`);
    await page.call("disconnect");
    await page.close();
    await relay.stop();
  });

  test("a flood of 5,000 updates arrives in order before the turn settles", async () => {
    const page = await openApplication();
    const seen = await page.call("ask", "/flood 5000");
    assert.equal(seen.texts.length, 5000);
    assert.equal(seen.texts.join(""), seen.text);
    assertComplete(seen.ids);
    await page.close();
  });

  test("a turn is cancelled from a page", async () => {
    const page = await openApplication();
    const seen = await page.call("ask", "/slow 1000", 2);
    assert.equal(seen.stopReason, "cancelled");
    assert.ok(seen.texts.length < 1000); // it did not say all; how much depends on the machine
    await page.close();
  });

  test("a page cannot start a daemon and is told what to do instead", async () => {
    const page = await browser.open(site);
    const { code, hint } = await page.call("startDaemon");
    assert.equal(code, "spawn_unsupported");
    assert.match(hint, /SandboxAgent\.connect/);
    await page.close();
  });

  test("a page sends and fetches files as streams", async () => {
    const page = await openApplication();
    const size = 3_000_000;
    assert.deepEqual(await page.call("sendAndFetch", "from/a/page", size), { written: size, same: size, part: "new" });
    assert.equal(await readFile(path.join(daemon.home, "from/a/page"), "utf8"), "all new");
    await page.close();
  });

  test("a worker takes a turn", async () => {
    const page = await browser.open(workerSite);
    assert.match(await page.call("askInWorker", daemon.url, token), /^Hello/);
    await page.close();
  });
});
