// The driver for IndexedDB in Chromium: what all drivers promise; several tabs at once; newer pages; what fails.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startBrowser } from "./page.mjs";
import { startSite } from "./site.mjs";

let site, browser;

before(async () => {
  [site, browser] = await Promise.all([startSite("pages/persist.ts"), startBrowser()]);
});
after(() => Promise.all([browser?.stop(), site?.stop()]));

/** Another tab with the storage of a page. Its own complaints are not watched. */
async function openTab(page) {
  const raw = await page.raw.context().newPage();
  await raw.goto(site.origin);
  await raw.waitForFunction("globalThis.program");
  return { call: (name, ...words) => raw.evaluate(([name, words]) => globalThis.program[name](...words), [name, words]) };
}

describe("sessions in IndexedDB", () => {
  test("are as in every store", async (t) => {
    const page = await browser.open(site);
    const names = await page.call("names");
    assert.ok(names.length > 10);
    for (const name of names) await t.test(name, () => page.call("runCase", name));
    await page.close();
  });

  test("have one log without holes when several tabs record the same stream", async () => {
    const page = await browser.open(site);
    const tabs = [page, await openTab(page), await openTab(page)];
    await page.call("makeShared");
    await Promise.all(tabs.map((tab) => tab.call("recordShared", 1000)));
    for (const tab of tabs) await tab.call("checkShared", 1000);
    await page.close();
  });

  test("are moved by one of many that try at the same moment in several tabs", async () => {
    const page = await browser.open(site);
    const tabs = [page, await openTab(page)];
    await page.call("makeShared");
    for (let epoch = 1; epoch < 5; ++epoch) {
      const won = await Promise.all(tabs.map((tab) => tab.call("contend", epoch)));
      assert.equal(won[0] + won[1], 1);
    }
    await page.close();
  });

  test("stay when the page is loaded anew", async () => {
    const page = await browser.open(site);
    await page.call("makeKept", "a");
    await page.raw.reload();
    await page.raw.waitForFunction("globalThis.program");
    assert.equal(await page.call("keepOpen"), 1);
    await page.close();
  });

  test("give way to a newer page, and then say that they are too old", async () => {
    const page = await browser.open(site);
    const tab = await openTab(page);
    await page.call("makeKept", "a");
    await tab.call("upgradeTo", 7);
    const { code, message, hint } = await page.call("failureOfKept");
    assert.equal(code, "persist_too_new");
    assert.equal(message, 'The database "moved" was written by a newer sandbox-agent; this one knows version 1.');
    assert.match(hint, /reload the page/);
    await page.close();
  });

  test("give way to whoever deletes the database, and go on with a new one", async () => {
    const page = await browser.open(site);
    const tab = await openTab(page);
    await page.call("makeKept", "a");
    await tab.call("deleteKept");
    assert.equal(await page.call("keepOpen"), 0);
    await page.call("makeKept", "b");
    assert.equal(await page.call("keepOpen"), 1);
    await page.close();
  });

  test("are opened again when the browser took them away; what was under way then may fail", async () => {
    const page = await browser.open(site);
    await page.call("makeKept", "a");
    const inspector = await page.raw.context().newCDPSession(page.raw);
    await inspector.send("Storage.clearDataForOrigin", { origin: site.origin, storageTypes: "indexeddb" });
    await page.call("tryMaking", "b");
    assert.equal(await page.call("keepOpen"), 1);
    await page.close();
  });

  test("wait for no page that keeps an older database open, and say so", async () => {
    const page = await browser.open(site);
    const { code, message, sessions } = await page.call("meetStubborn");
    assert.deepEqual([code, sessions], ["persist_blocked", 1]);
    assert.equal(message, 'Another page keeps an older database "stubborn" open.');
    await page.close();
  });

  test("keep nothing of a write that fails; a driver that was closed refuses", async () => {
    const page = await browser.open(site);
    assert.deepEqual(await page.call("failInTheMiddle"), ["DataCloneError", "persist_closed", "persist_unsupported"]);
    await page.close();
  });

  test("take and give 20,000 events in pages", async (t) => {
    const page = await browser.open(site);
    const { append, list } = await page.call("rates", 20_000);
    t.diagnostic(`${Math.round(append)} events appended, ${Math.round(list)} read in a second`);
    assert.ok(append > 500 && list > 2000);
    await page.close();
  });
});
