// Figures, taken while nothing else runs: a flood, a stop, a crash, the bytes of the first load, its paint, its first key.
import { once } from "node:events";
import http from "node:http";
import assert from "node:assert/strict";
import { test } from "node:test";
import { check, chromium, useBrowser } from "./stage.mjs";
import { InspectedDaemon } from "./daemon.mjs";

useBrowser();

const scale = Number(process.env.SA_TIME_SCALE ?? 1);
const kilo = 1000;
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const rounded = (values) => values.map((value) => Math.round(value)).join(", ");

// From the key that sends the prompt to the frame in which the last token and the end of the turn are there, by the page's own
// clock. The prompt is typed already.
async function timeOfFlood(ui, count) {
  await ui.raw.evaluate((count) => {
    globalThis.flood = new Promise((resolve) => {
      const ends = () => document.querySelectorAll('[data-block="turn"]').length;
      const before = ends();
      const last = new RegExp(`token ${count}\\b`);
      const said = () => [...document.querySelectorAll('[data-block="message"]')].map((block) => block.textContent);
      const isOver = () => ends() > before && said().some((text) => last.test(text));
      const measure = () => {
        const started = performance.now();
        const look = () => (isOver() ? resolve(performance.now() - started) : requestAnimationFrame(look));
        requestAnimationFrame(look);
      };
      addEventListener("keydown", measure, { capture: true, once: true });
    });
  }, count);
  await ui.keyboard.press("Enter");
  return ui.raw.evaluate(() => globalThis.flood);
}

check("B25 a flood of 5,000 updates is shown whole within a second, and the Trace has them all", async ({ ui }, t) => {
  const times = [];
  for (let run = 0; run < 3; ++run) {
    if (run === 0) await ui.begin();
    else await ui.startSessionByButton();
    await ui.message.fill("/flood 5000");
    times.push(await timeOfFlood(ui, 5000));
    await ui.ended("done");
  }
  t.diagnostic(`5,000 updates: ${rounded(times)} ms, median ${Math.round(median(times))}`);
  assert.ok(Math.min(...times) <= 1000 * scale, `5,000 updates took ${rounded(times)} ms`);

  const tokens = (await ui.blocks("message").allTextContents()).join("").match(/token \d+/g);
  if (tokens.length === 5000)
    assert.deepEqual(
      tokens,
      Array.from({ length: 5000 }, (_, at) => `token ${at + 1}`),
    );
  assert.equal(tokens.at(-1), "token 5000");
  const messages = await ui.stage.daemon.messages(ui.serverId);
  const { lastEventId } = await ui.stage.daemon.instance(ui.serverId);
  assert.equal(messages.length, lastEventId + messages.filter(({ from }) => from === "client").length);
  await ui.openDetails("Trace");
  await ui.traceCounts(messages.length);
});

// The milliseconds from a deed until something is seen, three times, each in a session of its own. `play` answers both.
async function timesUntilSeen(ui, play) {
  const times = [];
  for (let run = 0; run < 3; ++run) {
    if (run === 0) await ui.begin();
    else await ui.startSessionByButton();
    const [deed, seen] = await play();
    const started = performance.now();
    await deed();
    await seen();
    times.push(performance.now() - started);
  }
  return times;
}

for (const [name, what, stop] of [
  ["B12", "Esc", (ui) => ui.keyboard.press("Escape")],
  ["B12b", "the Stop button", (ui) => ui.button("Stop").click()],
])
  check(`${name} ${what} ends a turn within a second`, async ({ ui }, t) => {
    const times = await timesUntilSeen(ui, async () => {
      await ui.say("/slow 1000");
      await ui.hears("step 2 of 1000");
      return [() => stop(ui), () => ui.ended("cancelled")];
    });
    t.diagnostic(`cancelled after ${rounded(times)} ms`);
    assert.ok(Math.min(...times) <= 1000 * scale, `cancelled after ${rounded(times)} ms`);
  });

check("B15 a crash is told within a second", async ({ ui, complaints }, t) => {
  complaints.allow(/50[24]|409/); // whoever asks an agent that is gone is told so
  const times = await timesUntilSeen(ui, async () => {
    await ui.keyboard.type("/crash");
    const card = ui.raw.getByRole("article", { name: "Agent exited" });
    return [() => ui.keyboard.press("Enter"), () => card.waitFor()];
  });
  t.diagnostic(`told after ${rounded(times)} ms`);
  assert.ok(Math.min(...times) <= 1000 * scale, `told after ${rounded(times)} ms`);
});

// The browser alone needs most of the time for its first paint, of any page with a script; and the same machine is twice as slow at
// times. So a page that misses the limit may take so many times what the browser needs for next to nothing, measured in turn.
const allowed = (limit, floor, times) => scale * Math.max(limit, times * floor);

// A page of one word and one script that does nothing.
async function startPlainSite() {
  const server = http.createServer((request, response) => {
    const isScript = request.url === "/script.js";
    response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" });
    response.end(
      isScript ? "void 0;" : '<!doctype html><link rel="icon" href="data:,"><script src="/script.js"></script><p>word',
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { origin: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}

async function paintOfNothing(url) {
  const context = await chromium().newContext();
  const page = await context.newPage();
  await page.goto(url);
  const paint = await page.evaluate(async () => {
    const entry = () => performance.getEntriesByName("first-paint")[0];
    while (!entry() && performance.now() < 5000) await new Promise((resolve) => setTimeout(resolve, 5));
    return entry()?.startTime ?? Infinity;
  });
  await context.close();
  return paint;
}

// From key to paint, for each of so many keys typed into the composer: the milliseconds, in order of length.
async function typingTimes(ui, count) {
  await ui.message.evaluate((composer) => {
    const typed = (globalThis.typed = []); // a key from before, painted only now, counts for nobody
    composer.onkeydown = ({ timeStamp }) => {
      const painted = new MessageChannel();
      painted.port1.onmessage = () => typed.push(performance.now() - timeStamp);
      requestAnimationFrame(() => painted.port2.postMessage(0));
    };
  });
  await ui.message.focus();
  for (let key = 0; key < count; ++key) await ui.keyboard.press("a");
  await ui.raw.waitForFunction((count) => globalThis.typed.length === count, count);
  return ui.raw.evaluate(() => globalThis.typed.sort((a, b) => a - b));
}

const p95 = (sorted) => sorted[Math.floor(0.95 * sorted.length)];
const nodesOf = (ui) => ui.raw.evaluate(() => document.querySelectorAll("*").length);

// What is alive, with the texts that lie outside of the script's heap.
async function heapOf(ui) {
  const inspector = await ui.context.newCDPSession(ui.raw);
  await inspector.send("HeapProfiler.collectGarbage");
  const { usedSize, backingStorageSize = 0 } = await inspector.send("Runtime.getHeapUsage");
  return (usedSize + backingStorageSize) / kilo / kilo;
}

const history = 100_000;
const wholeRing = { flags: ["--ring-messages", "200000", "--ring-bytes", "100000000"], timeout: 120_000 * scale };

check(
  "B26 a history of 100,000 messages: typing stays quick, the page small, and it opens at once",
  wholeRing,
  async ({ ui, daemon }, t) => {
    await ui.begin();
    const before = await typingTimes(ui, 40);
    await ui.message.fill("");
    await ui.say(`/flood ${history}`);
    let during = await typingTimes(ui, 40);
    while (p95(during) > 200 * scale) {
      const again = await typingTimes(ui, 40); // the machine may have been slow for a moment
      if ((await ui.blocks("turn").count()) > 0) break; // too late for that
      during = again;
    }
    await ui.ended("done", 1, { timeout: 60_000 * scale });
    await ui.raw.locator(`[data-block="message"]`, { hasText: `token ${history}` }).waitFor();
    await ui.openDetails("Trace");
    await ui.traceCounts((await daemon.messages(ui.serverId)).length);
    let after = await typingTimes(ui, 40); // the browser may still clean up, and the machine be slow for a moment
    for (let more = 4; more > 0 && p95(after) > allowed(50, p95(before), 2); --more) after = await typingTimes(ui, 40);
    const [nodes, heap] = [await nodesOf(ui), await heapOf(ui)];
    t.diagnostic(
      `typing, p95: ${Math.round(p95(during))} ms during the flood, ${Math.round(p95(after))} ms after it, ${Math.round(p95(before))} before`,
    );
    t.diagnostic(`${nodes} nodes, ${Math.round(heap)} MB`);
    assert.ok(p95(after) <= allowed(50, p95(before), 2), `typing: ${rounded(after)}; before: ${rounded(before)}`);
    assert.ok(p95(during) <= 200 * scale, `typing during the flood: ${rounded(during)}`);
    assert.ok(nodes <= 3000, `${nodes} nodes`);
    assert.ok(heap <= 150, `${heap} MB`);

    await ui.button("Close details").click();
    const plain = await startPlainSite();
    t.after(() => plain.stop());
    const [opened, floors] = [[], []];
    for (let time = 0; time < 3; ++time) {
      floors.push(await paintOfNothing(plain.origin));
      await ui.raw.reload();
      await ui.ended("done", 1, { timeout: 60_000 * scale });
      opened.push(await ui.raw.evaluate(() => performance.now()));
    }
    t.diagnostic(`opened: ${rounded(opened)} ms, with the load of the page; paint of next to nothing: ${rounded(floors)}`);
    assert.ok(
      Math.min(...opened) <= allowed(1250, median(floors), 30),
      `opened after ${rounded(opened)} ms; floor: ${rounded(floors)}`,
    );
  },
);

check(
  "B26b what the daemon had to drop is a gap in the conversation and in the Trace, and what the session offers stays",
  async ({ ui, daemon }) => {
    await ui.begin();
    await ui.say("/flood 20000");
    await ui.ended("done", 1, { timeout: 60_000 * scale });
    const head = ui.raw.getByRole("main").locator(".head-words p");
    const [about] = (await head.innerText()).split(/ · (?=\d)/);
    await ui.reload();
    await ui.ended("done");
    await head.filter({ hasText: about }).waitFor();
    await ui.raw.getByRole("combobox", { name: "Mode", exact: true }).waitFor();
    await ui.message.fill("/pla");
    await ui.raw.getByRole("option", { name: /plan/ }).waitFor();
    await ui.message.fill("");
    await ui.conversation.press("Home");
    const text = await ui.blocks("gap").filter({ hasText: "The daemon had to drop" }).first().innerText();
    const [, count, to] = /^(\d+) events were lost: 1 to (\d+)\./.exec(text.trim()) ?? [];
    const { lastEventId } = await daemon.instance(ui.serverId);
    assert.ok(count === to && to > 1000 && to < lastEventId, `${text} (of ${lastEventId})`);
    await ui.openDetails("Trace");
    await ui.trace.press("Home");
    await ui.trace.locator('[data-from="daemon"]').first().waitFor();
    await ui.trace
      .locator(`[data-seq="${Number(to) + 1}"]`)
      .first()
      .waitFor();
  },
);

// What one fresh profile measures. Nothing is listened to but the network's own account.
async function firstLoad(url) {
  const context = await chromium().newContext();
  const page = await context.newPage();
  const wire = await context.newCDPSession(page);
  const loaded = new Map();
  await wire.send("Network.enable");
  wire.on("Network.responseReceived", ({ requestId, type, response: { url } }) =>
    loaded.set(requestId, { type, url, bytes: 0 }),
  );
  wire.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (loaded.has(requestId)) loaded.get(requestId).bytes = encodedDataLength;
  });
  await page.goto(url);
  // "interactive" is the page's own mark: from then on it takes keys.
  const [paint, text, interactive] = await page.evaluate(
    async (names) => {
      const found = async (name) => {
        const entry = () => performance.getEntriesByName(name)[0];
        while (!entry() && performance.now() < 5000) await new Promise((resolve) => setTimeout(resolve, 5));
        return entry()?.startTime ?? Infinity;
      };
      return Promise.all(names.map(found));
    },
    ["first-paint", "first-contentful-paint", "interactive"],
  );
  await page.keyboard.press("n");
  await page.getByRole("dialog", { name: "New session" }).waitFor();
  const files = [...loaded.values()].filter(({ url }) => new URL(url).pathname.startsWith("/ui/"));
  await context.close();
  const sum = (all) => all.reduce((bytes, file) => bytes + file.bytes, 0);
  const script = sum(files.filter(({ type }) => type === "Script"));
  return { paint, text, interactive, requests: loaded.size, bytes: sum(files), script };
}

test("B39 the first load is at most 90 KB, 70 of them script, painted after 100 ms and ready for keys after 250", async (t) => {
  const daemon = await InspectedDaemon.start();
  const plain = await startPlainSite();
  try {
    const loads = [];
    const floors = [];
    await firstLoad(`${daemon.origin}/ui/`); // the browser is new, too
    for (let run = 0; run < 5; ++run) {
      floors.push(await paintOfNothing(plain.origin));
      loads.push(await firstLoad(`${daemon.origin}/ui/`));
    }
    const floor = median(floors);
    const all = (what) => loads.map((load) => load[what]);
    for (const what of ["bytes", "script", "requests", "paint", "text", "interactive"])
      t.diagnostic(`${what}: ${rounded(all(what))}, median ${Math.round(median(all(what)))}`);
    t.diagnostic(`paint of a page with one word and one script: ${rounded(floors)}, median ${Math.round(median(floors))}`);
    assert.ok(Math.min(...all("bytes")) > 1000, "the page was loaded");
    assert.ok(Math.max(...all("bytes")) <= 90 * kilo, `${Math.max(...all("bytes"))} bytes, with the dialog of N`);
    assert.ok(Math.max(...all("script")) <= 70 * kilo, `${Math.max(...all("script"))} bytes of script`);
    assert.ok(median(all("paint")) <= allowed(100, floor, 2), `painted after ${rounded(all("paint"))} ms`);
    assert.ok(median(all("interactive")) <= allowed(250, floor, 4), `ready after ${rounded(all("interactive"))} ms`);
  } finally {
    plain.stop();
    await daemon.stop();
  }
});
