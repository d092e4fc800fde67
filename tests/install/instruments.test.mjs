// The instruments themselves, against programs that are known to be right: tar, npm, node's own client.
import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import https from "node:https";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { test } from "node:test";
import { promisify } from "node:util";
import { tarBz2, tarGz, zip } from "./archives.mjs";
import { treeShot } from "./disk.mjs";
import { startNpmRegistry } from "./npm_registry.mjs";
import { bytes, endless, makeCertificate, redirect, stalling, startServer, status, truncated } from "./registry_server.mjs";
import { nodeAgent, shellAgent } from "./test_agents.mjs";

function scratch(t) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "instruments-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function serving(t, options) {
  const server = await startServer(options);
  t.after(() => server.stop());
  return server;
}

const entries = [
  { name: "bin/" },
  { name: "bin/agent", body: "#!/bin/sh\n", mode: 0o755 },
  { name: "long", body: "x".repeat(3000) },
  { name: "link", link: "bin/agent" },
];

for (const [kind, pack] of Object.entries({ tarGz, tarBz2 }))
  test(`an archive of ${kind} is read by tar`, (t) => {
    const folder = scratch(t);
    execFileSync("tar", ["-x", kind === "tarGz" ? "-z" : "-j", "-C", folder], { input: pack(entries) });
    assert.equal(readFileSync(path.join(folder, "link"), "utf8"), "#!/bin/sh\n");
    const shot = treeShot(folder);
    assert.match(shot["bin/agent"], /^file 755 /);
    assert.equal(shot.link, "link bin/agent");
  });

test("a zip has the signatures, sums and places a reader looks for", () => {
  const file = zip(entries);
  const end = file.lastIndexOf("PK\x05\x06");
  assert.equal(file.readUInt16LE(end + 10), entries.length);
  let at = file.readUInt32LE(end + 16);
  for (const entry of entries) {
    assert.equal(file.toString("latin1", at, at + 4), "PK\x01\x02");
    assert.equal(file.toString("latin1", at + 46, at + 46 + file.readUInt16LE(at + 28)), entry.name);
    const local = file.readUInt32LE(at + 42);
    assert.equal(file.toString("latin1", local, local + 4), "PK\x03\x04");
    assert.deepEqual(file.subarray(local + 4, local + 30), file.subarray(at + 6, at + 32));
    at += 46 + entry.name.length;
  }
});

test("the server counts requests, redirects, refuses, cuts short and never ends", async (t) => {
  const server = await serving(t);
  const good = server.put("/good", bytes("good"));
  server.put("/moved", redirect("/good"));
  server.put("/cut", truncated(Buffer.from("half")));
  server.put("/broken", status(500));
  server.put("/endless", endless());
  assert.equal(await (await fetch(good)).text(), "good");
  assert.equal(await (await fetch(`${server.url}/moved`)).text(), "good");
  assert.equal(server.count("/good"), 2);
  assert.equal((await fetch(`${server.url}/broken`)).status, 500);
  assert.equal((await fetch(`${server.url}/nothing`)).status, 404);
  await assert.rejects((await fetch(`${server.url}/cut`)).text());
  let taken = 0;
  for await (const piece of (await fetch(`${server.url}/endless`)).body) if ((taken += piece.length) > 1 << 20) break;
  assert.ok(taken > 1 << 20);
});

for (const at of [-1, 0, 3])
  test(`a stalling answer stops at byte ${at} until it is released`, async (t) => {
    const server = await serving(t);
    const answer = stalling(Buffer.from("all of it"), at);
    const reading = fetch(server.put("/slow", answer)).then((response) => response.text());
    await answer.reached;
    answer.release();
    assert.equal(await reading, "all of it");
  });

test("https is served with a certificate that its own authority confirms", async (t) => {
  const certificate = makeCertificate(scratch(t));
  const server = await serving(t, { certificate });
  const url = server.put("/good", bytes("good"));
  const code = await new Promise((resolve, reject) =>
    https.get(url, { ca: certificate.cert, agent: false }, (answer) => resolve(answer.resume().statusCode)).on("error", reject),
  );
  assert.equal(code, 200);
  await assert.rejects(fetch(url));
});

test("the real npm installs from our registry, with dependencies, and refuses a wrong hash", async (t) => {
  const folder = scratch(t);
  const registry = await startNpmRegistry();
  t.after(() => registry.stop());
  registry.publish({ name: "tin-words", version: "1.0.0", files: { "index.js": "" } });
  const bin = { "tin-agent": "agent.js" };
  const files = { "agent.js": nodeAgent("1.0.0") };
  registry.publish({ name: "@tin/agent", version: "1.0.0", bin, files, dependencies: { "tin-words": "^1.0.0" } });
  registry.publish({ name: "bad-hash", version: "1.0.0" }, { integrity: `sha512-${Buffer.alloc(64).toString("base64")}` });
  const env = { ...process.env, npm_config_registry: registry.url, npm_config_cache: path.join(folder, "cache") };
  const npm = (name) => promisify(execFile)("npm", ["install", "--no-audit", "--fetch-retries=0", "--prefix", folder, name], { env });
  await npm("@tin/agent@1.0.0");
  assert.deepEqual(readdirSync(path.join(folder, "node_modules", ".bin")), ["tin-agent"]);
  assert.ok(readdirSync(path.join(folder, "node_modules")).includes("tin-words"));
  await assert.rejects(npm("bad-hash"), /EINTEGRITY/);
});

for (const [name, source] of Object.entries({ shell: shellAgent("1.2.3"), node: nodeAgent("1.2.3") }))
  test(`the ${name} agent says its version`, async (t) => {
    const file = path.join(scratch(t), "agent");
    writeFileSync(file, source, { mode: 0o755 });
    const child = spawn(file, { stdio: ["pipe", "pipe", "inherit"] });
    child.stdin.end('{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":1}}\n');
    const lines = [];
    for await (const line of readline.createInterface({ input: child.stdout })) lines.push(JSON.parse(line));
    assert.equal(lines.length, 1);
    assert.equal(lines[0].id, 7);
    assert.equal(lines[0].result.agentInfo.version, "1.2.3");
  });
