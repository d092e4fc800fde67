// What the browser makes of the response headers: what may run, where requests may go, what is fetched again.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { check, useBrowser } from "./stage.mjs";

useBrowser();

describe("policy", () => {
  check("B40 whole turns of every kind break no rule of the content security policy", async (stage) => {
    const { ui } = stage;
    await ui.begin();
    for (const scene of ["/think", "/tool", "/image", "/edit", "/markdown"]) await ui.ask(scene);
    await ui.blocks("image").or(ui.conversation.locator("img")).first().waitFor();
    for (const tab of ["Trace", "Changes", "Stderr"]) await ui.openDetails(tab);
    assert.deepEqual(stage.complaints.matching(/policy|Content Security Policy/), []);
  });

  check("B40b the policy holds: no inline script, no other origin, no frame", async (stage) => {
    const { ui, complaints, patience } = stage;
    complaints.allow(/policy|Content Security Policy|violates/i, /foreign:|failed:/);
    await ui.open();
    const ran = await ui.raw.evaluate(async (patience) => {
      const broken = new Set();
      const enforced = new Promise((resolve) => {
        document.addEventListener("securitypolicyviolation", ({ violatedDirective }) => {
          broken.add(violatedDirective.replace(/-src.*/, "").replace(/^(frame|child)$/, "default"));
          if (["script", "connect", "default"].every((rule) => broken.has(rule))) resolve();
        });
      });
      const script = document.createElement("script");
      script.textContent = "globalThis.ranInline = true";
      document.body.append(script);
      const place = document.createElement("div");
      place.innerHTML = '<img src="/ui/no-such-picture" onerror="globalThis.ranHandler = true">';
      const failed = new Promise((resolve) => place.firstChild.addEventListener("error", resolve));
      document.body.append(place);
      const frame = document.createElement("iframe");
      frame.src = "https://example.com/";
      document.body.append(frame);
      const fetched = await fetch("http://127.0.0.1:9/").then(() => true, () => false);
      const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      await Promise.race([Promise.all([failed, enforced]), wait(patience)]);
      await wait(300); // what must not run has its chance
      for (const node of [script, place, frame]) node.remove();
      return { inline: globalThis.ranInline === true, handler: globalThis.ranHandler === true, fetched };
    }, patience);
    assert.deepEqual(ran, { inline: false, handler: false, fetched: false });
    for (const rule of [/script-src/, /connect-src/, /(frame|child|default)-src/])
      assert.ok(complaints.matching(/^policy/).some((text) => rule.test(text)), `${rule} was enforced`);
  });

  check("B40c what has a hash in its name is fetched once, and the page itself only asked for news", async ({ ui }) => {
    await ui.open();
    const names = () => performance.getEntriesByType("resource").map(({ name }) => name);
    const before = await ui.raw.evaluate(names); // what is fetched later is not kept yet
    await ui.open();
    const loads = await ui.raw.evaluate(() => {
      const [page] = performance.getEntriesByType("navigation");
      const files = performance.getEntriesByType("resource").filter(({ name }) => new URL(name).pathname.startsWith("/ui/"));
      const sizes = ({ name, transferSize, encodedBodySize }) => ({ name, transferSize, encodedBodySize });
      return { page: sizes(page), files: files.map(sizes) };
    });
    const hashed = loads.files.filter(({ name }) => before.includes(name) && /[-.][\w-]{8,}\.(js|css)$/.test(name));
    assert.ok(hashed.length > 0, JSON.stringify(loads.files));
    assert.deepEqual(hashed.filter(({ transferSize }) => transferSize > 0), []);
    assert.ok(loads.page.transferSize < loads.page.encodedBodySize, JSON.stringify(loads.page));
  });
});
