// What this room promises to those who write checks in it: whatever a page does wrong is a failure.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { axeFindings, axeInOtherThemes } from "./audit.mjs";
import { Complaints } from "./complaints.mjs";
import { InspectedDaemon } from "./daemon.mjs";
import { chromium, useBrowser } from "./stage.mjs";
import { StreamCutter } from "./stream_cutter.mjs";

useBrowser();

const patience = 5000 * Number(process.env.SA_TIME_SCALE ?? 1);
let server, origin;
const policy = "default-src 'self'; img-src 'self' data:";
const head = '<title>A page</title><link rel="icon" href="data:,">';
const good = `<!doctype html><html lang="en">${head}<main><h1>A page</h1></main></html>`;

before(async () => {
  server = http.createServer((request, response) => {
    if (request.url !== "/") return response.writeHead(404).end();
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": policy }).end(good);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  origin = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

// What is complained about after `act` ran in the page: as soon as it is as expected, or soon.
async function heardOf(act, expected, ...allowed) {
  const context = await chromium().newContext();
  const complaints = await Complaints.of(context, () => origin);
  complaints.allow(...allowed);
  const page = await context.newPage();
  await page.goto(origin);
  await page.evaluate(act);
  const heard = () => complaints.left().join("\n");
  for (const end = performance.now() + patience; ; ) {
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    if (!expected || expected.test(heard()) || performance.now() > end) break;
  }
  await context.close();
  return heard();
}

// What axe finds after `act` ran in the page.
async function foundIn(act, look = axeFindings) {
  const page = await chromium().newPage();
  await page.goto(origin);
  await page.evaluate(act);
  const findings = await look(page);
  await page.context().close();
  return findings.join("\n");
}

const addScript = () => document.body.append(Object.assign(document.createElement("script"), { textContent: "1" }));
const addButton = () => document.querySelector("main").append(document.createElement("button"));

const json = { "content-type": "application/json" };
const initialize = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } };

describe("a check", { concurrency: 2 }, () => {
  test("passes when nothing is wrong", async () => {
    assert.equal((await heardOf(() => {})) + (await foundIn(() => {})), "");
  });

  const wrongs = {
    "an error on the console": [() => console.error("oh"), /^console: oh/],
    "a warning on the console": [() => console.warn("hm"), /^console: hm/],
    "an error that nobody caught": [() => void setTimeout(() => { throw new Error("lost"); }), /uncaught: Error: lost/],
    "a rejection that nobody handled": [() => void Promise.reject(new Error("adrift")), /uncaught: Error: adrift/],
    "an answer that is an error": [() => fetch("/nothing").then(() => {}), /failed: GET .*\/nothing 404/],
    "a request to another origin": [() => fetch("http://127.0.0.1:9/x").catch(() => {}), /policy: connect-src forbids/],
    "a link followed elsewhere": [() => void open("http://127.0.0.1:9/x"), /foreign: GET http:\/\/127\.0\.0\.1:9/],
    "an inline script": [addScript, /policy: script-src-elem/],
    "a dialog": [() => void setTimeout(() => alert("hi")), /a dialog: hi/],
  };
  const barriers = {
    "a button without a name": [addButton, /axe \(light\): button-name/],
    "pale text": [() => (document.querySelector("h1").style.color = "#ccc"), /axe \(light\): color-contrast/],
  };
  for (const [what, [act, expected]] of Object.entries(wrongs))
    test(`fails for ${what}`, async () => {
      assert.match(await heardOf(act, expected), expected);
    });

  for (const [what, [act, expected]] of Object.entries(barriers))
    test(`fails for ${what}`, async () => {
      assert.match(await foundIn(act), expected);
    });

  test("fails for text that is pale only where contrast is high", async () => {
    const paleThere = () => {
      const pale = new CSSStyleSheet();
      pale.replaceSync('[data-contrast="more"][data-theme="light"] h1 { color: #666; font-size: 1rem }');
      document.adoptedStyleSheets = [pale];
    };
    assert.equal(await foundIn(paleThere), "");
    assert.match(await foundIn(paleThere, axeInOtherThemes), /^light, more contrast: color-contrast-enhanced/);
  });

  test("does not fail for what it announced", async () => {
    assert.equal(await heardOf(() => console.error("known"), undefined, /known/), "");
  });

  test("that is never over fails, says what was shown, and leaves nothing behind that keeps its process", async () => {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env; // it is a run of its own
    const program = fileURLToPath(new URL("hanging_check.mjs", import.meta.url));
    const ended = await new Promise((resolve) => {
      execFile(process.execPath, [program], { env, timeout: 6 * patience }, (error, said) => resolve({ error, said }));
    });
    assert.equal(ended.error?.code, 1, "it ended by itself, and failed");
    assert.match(ended.said, /not over after \d+ ms/);
    assert.match(ended.said, /\/ui\/ showed:/);
  });

  test("is told of a daemon's messages in order, with the clients' own between", async () => {
    const daemon = await InspectedDaemon.start();
    let id = 0;
    const say = (method, params) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params });
      return daemon.ask("POST", "/v1/acp/x?agent=mock", { headers: json, body });
    };
    await say("initialize", { protocolVersion: 1 });
    await say("session/new", { cwd: daemon.work, mcpServers: [] });
    await say("session/prompt", { sessionId: "demo-1", prompt: [{ type: "text", text: "/flood 50" }] });
    const messages = await daemon.messages("x");
    assert.deepEqual(messages.slice(0, 4).map(({ seq }) => seq), ["0.1", "1", "1.1", "2"]);
    assert.equal(messages.filter(({ from }) => from === "client").length, 3);
    assert.equal(messages.length, (await daemon.instance("x")).lastEventId + 3);
    await daemon.stop();
  });

  test("can cut a stream and nothing else", async () => {
    const daemon = await InspectedDaemon.start();
    const cutter = await StreamCutter.to(daemon.port);
    const url = `${cutter.origin}/v1/acp/x`;
    const say = async (envelope) => {
      const answer = await fetch(`${url}?agent=mock`, { method: "POST", headers: json, body: JSON.stringify(envelope) });
      await answer.text();
      return answer.status;
    };
    const stream = () => fetch(url, { headers: { accept: "text/event-stream" } });
    await say(initialize);
    const read = (await stream()).text();
    cutter.cut();
    await assert.rejects(read);
    await assert.rejects(stream());
    assert.equal(await say({ ...initialize, id: 1 }), 200);
    cutter.mend();
    const second = await stream();
    assert.equal(second.status, 200);
    await second.body.cancel();
    assert.equal(cutter.refused, 1);
    await cutter.stop();
    await daemon.stop();
  });

  test("can kill a daemon and start it again on the same port with another token", async () => {
    const daemon = await InspectedDaemon.start({ token: "one" });
    const { port } = daemon;
    await daemon.kill();
    await daemon.startAgain({ token: "two" });
    assert.equal(daemon.port, port);
    assert.equal((await daemon.ask("GET", "/v1/health")).status, 200);
    await daemon.stop();
  });
});
