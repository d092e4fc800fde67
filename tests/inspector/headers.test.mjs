// How the daemon serves the files of the page: types, caching, encodings, guards; what is a place within the page, and what is
// missing. Without a browser.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { launchDaemon } from "../contract/daemon.mjs";

const home = await mkdtemp(path.join(os.tmpdir(), "inspector-headers-"));
const env = { PATH: process.env.PATH, HOME: home, SANDBOX_AGENT_TOKEN: "a-token", ASAN_OPTIONS: process.env.ASAN_OPTIONS ?? "" };
const daemon = await launchDaemon(["--log-level", "off"], { cwd: home, env });
after(() => daemon.stop().finally(() => rm(home, { recursive: true })));

// One request without a token; the body as it came.
function ask(target, headers = {}, method = "GET") {
  return new Promise((resolve, reject) => {
    const request = http.request({ port: daemon.port, host: "127.0.0.1", method, path: target, headers, agent: false });
    request.on("error", reject);
    request.on("response", (response) => {
      const pieces = [];
      response.on("data", (piece) => pieces.push(piece));
      response.on("error", reject);
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(pieces) }));
    });
    request.end();
  });
}

const page = await ask("/ui/");
const html = page.body.toString();
const named = [...html.matchAll(/(?:src|href)="(\/ui\/[^"]+)"/g)].map(([, target]) => target);
const script = named.find((target) => target.endsWith(".js"));
const gzip = { "accept-encoding": "gzip, deflate, br, zstd" };

const guards = {
  "content-security-policy":
    "default-src 'self'; connect-src 'self'; img-src 'self' data: blob:; object-src 'none'; frame-ancestors 'none'; " +
    "base-uri 'none'; form-action 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

test("the page needs no token, is plain HTML without inline script or style, and names only files of its own", () => {
  assert.equal(page.status, 200);
  assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
  assert.match(html, /^<!doctype html>/i);
  assert.match(html, /<noscript>[^]*curl[^]*<\/noscript>/);
  assert.doesNotMatch(html, /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/i);
  assert.deepEqual(html.match(/(?:src|href)="(?!\/ui\/)[^"]*"/g), null);
  assert.ok(named.some((target) => target.endsWith(".css")) && script);
});

test("every file that the page names is there, with its type; those with a hash in their name may be kept for good", async () => {
  const types = { ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml" };
  for (const target of named) {
    const { status, headers, body } = await ask(target);
    assert.equal(status, 200, target);
    assert.equal(headers["content-type"], types[path.extname(target)], target);
    assert.ok(body.length > 0, target);
    const isHashed = target.startsWith("/ui/assets/");
    assert.equal(headers["cache-control"], isHashed ? "public, max-age=31536000, immutable" : "no-cache", target);
    if (isHashed) assert.match(target, /-[\w-]{8}\.\w+$/);
  }
});

test("all answers carry the guards", async () => {
  const answers = [
    ask("/ui"),
    ask("/ui/"),
    ask("/ui/", gzip, "HEAD"),
    ask(script, gzip),
    ask("/ui/icon.svg"),
    ask("/ui/s/a%20b/c"),
    ask("/ui/assets/none.js"),
    ask("/ui/", { "if-none-match": page.headers.etag }),
  ];
  for (const { headers } of await Promise.all(answers))
    for (const [name, value] of Object.entries(guards)) assert.equal(headers[name], value);
});

test("who takes gzip gets it, who does not gets the same bytes plain, and caches can tell them apart", async () => {
  for (const target of ["/ui/", script]) {
    const plain = await ask(target);
    const packed = await ask(target, gzip);
    assert.equal(plain.headers["content-encoding"], undefined);
    assert.equal(packed.headers["content-encoding"], "gzip");
    assert.deepEqual(gunzipSync(packed.body), plain.body);
    assert.ok(packed.body.length < plain.body.length);
    assert.notEqual(packed.headers.etag, plain.headers.etag);
    for (const { headers, body } of [plain, packed]) {
      assert.equal(headers.vary, "Accept-Encoding");
      assert.equal(headers["content-length"], String(body.length));
    }
    for (const refusal of ["gzip;q=0", "br", "identity", "gzip;q=0, *", "gzip;q=0.2, identity"])
      assert.deepEqual((await ask(target, { "accept-encoding": refusal })).body, plain.body, refusal);
    for (const consent of ["*", "br, gzip;q=0.1", "GZIP"])
      assert.deepEqual((await ask(target, { "accept-encoding": consent })).body, packed.body, consent);
  }
});

test("a copy that is still good is answered with 304, in the encoding it has", async () => {
  for (const encoding of [{}, gzip]) {
    const { etag } = (await ask("/ui/", encoding)).headers;
    for (const copies of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const same = await ask("/ui/", { ...encoding, "if-none-match": copies });
      assert.equal(same.status, 304, copies);
      assert.equal(same.body.length, 0);
      assert.equal(same.headers.etag, etag);
      assert.equal(same.headers["cache-control"], "no-cache");
      assert.equal(same.headers.vary, "Accept-Encoding");
    }
    assert.equal((await ask("/ui/", { ...encoding, "if-none-match": '"other"' })).status, 200);
  }
  assert.equal((await ask("/ui/", { ...gzip, "if-none-match": page.headers.etag })).status, 200);
});

test("a place within the page is answered with the page", async () => {
  for (const target of ["/ui/s/a%20b/c", "/ui/trace/x", "/ui/s/a%2Fb/c?turn=3", "/ui/index.html", "/ui/nothing.js", "/ui/?x=1"]) {
    const answer = await ask(target);
    assert.equal(answer.status, 200, target);
    assert.equal(answer.headers["content-type"], "text/html; charset=utf-8");
    assert.equal(answer.headers["cache-control"], "no-cache");
    assert.deepEqual(answer.body, page.body, target);
  }
});

test("a file that is not there is a problem, not the page, and nobody keeps that", async () => {
  for (const target of ["/ui/assets/none.js", "/ui/assets/", "/ui/assets/../index.html", `${script}x`]) {
    const answer = await ask(target);
    assert.equal(answer.status, 404, target);
    assert.equal(answer.headers["content-type"], "application/problem+json");
    assert.equal(answer.headers["cache-control"], "no-store");
    assert.equal(JSON.parse(answer.body).type, "urn:sandbox-agent:error:not_found");
  }
});

test("HEAD is GET without the body, and /ui leads to /ui/", async () => {
  for (const target of ["/ui/", script, "/ui/assets/none.js"]) {
    for (const encoding of [{}, gzip]) {
      const get = await ask(target, encoding);
      const head = await ask(target, encoding, "HEAD");
      assert.equal(head.status, get.status);
      assert.equal(head.body.length, 0);
      const without = ({ date, ...others }) => others;
      assert.deepEqual(without(head.headers), without(get.headers));
    }
  }
  const redirect = await ask("/ui");
  assert.equal(redirect.status, 308);
  assert.equal(redirect.headers.location, "/ui/");
});
