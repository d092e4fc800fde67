// Stored sessions in a page: it is loaded anew, or a second tab opens, in the middle of a turn.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startDaemon, token } from "./daemon.mjs";
import { startBrowser } from "./page.mjs";
import { startSite } from "./site.mjs";

let site, daemon, browser;

before(async () => {
  [site, browser] = await Promise.all([startSite("pages/sessions.ts"), startBrowser()]);
  daemon = await startDaemon(site.origin);
});
after(() => Promise.all([browser?.stop(), daemon?.stop(), site?.stop()]));

const steps = (count) => Array.from({ length: count }, (_, at) => `step ${at + 1} of ${count}\n`);

async function reload(page) {
  page.allow(/ERR_/); // requests that were under way
  await page.raw.reload();
  await page.raw.waitForFunction("globalThis.program");
}

describe("sessions in a page", () => {
  test("go on when the page is loaded anew, again and again, and nothing is lost or doubled", async () => {
    const page = await browser.open(site);
    assert.equal(await page.call("open", daemon.url, token), undefined);
    await page.call("begin", "/slow 40"); // longer than it takes to load the page three times
    for (let loads = 0; loads < 3; ++loads) {
      await reload(page);
      assert.equal(await page.call("open", daemon.url, token), "attached");
    }
    assert.deepEqual(await page.call("goOn"), { texts: steps(40), stopReason: "end_turn" });
    const { places, said } = await page.call("history");
    assert.equal(new Set(places).size, places.length);
    assert.equal(said, steps(40).join(""));
    assert.match(await page.call("ask", "hello"), /hello/);
    await page.call("dispose");
    await page.close();
  });

  test("let what the agent asked be answered by the page that was loaded anew", async () => {
    const page = await browser.open(site);
    await page.call("open", daemon.url, token);
    await page.call("begin", "/permission");
    await reload(page);
    assert.equal(await page.call("open", daemon.url, token), "attached");
    assert.equal((await page.call("goOn")).stopReason, "end_turn");
    await page.call("dispose");
    await page.close();
  });
});
