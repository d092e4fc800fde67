// Files and directory-scoped configuration through the published SDK.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { SandboxAgentError } from "published-sandbox-agent";
import { tar, tarGz } from "../install/archives.mjs";
import { makeScene } from "./scene.mjs";

const decoded = (bytes) => new TextDecoder().decode(bytes);

const refused = (status) => (error) => {
  assert.ok(error instanceof SandboxAgentError, String(error));
  assert.equal(error.status, status);
  assert.equal(error.problem.status, status);
  return true;
};

async function projectIn(t) {
  const scene = await makeScene(t);
  const client = await scene.connect();
  return { client, directory: scene.project, home: scene.home, at: (name) => path.join(scene.project, name) };
}

test("a file is written, read, described and listed", async (t) => {
  const { client, directory, at } = await projectIn(t);
  const file = at("notes/today.txt");
  assert.deepEqual(await client.writeFsFile({ path: file }, "Grüße\n"), { path: file, bytesWritten: 8 });
  const bytes = await client.readFsFile({ path: file });
  assert.ok(bytes instanceof Uint8Array);
  assert.equal(decoded(bytes), "Grüße\n");
  const { modified, ...stat } = await client.statFs({ path: file });
  assert.deepEqual([stat.path, stat.entryType, stat.size], [file, "file", 8]);
  assert.ok(Math.abs(Date.now() - Date.parse(modified)) < 60_000);
  const [notes, ...others] = await client.listFsEntries({ path: directory });
  assert.deepEqual([notes.name, notes.path, notes.entryType, others], ["notes", at("notes"), "directory", []]);
});

test("bytes of every kind survive, from a buffer and from a blob", async (t) => {
  const { client, at } = await projectIn(t);
  const all = Uint8Array.from({ length: 70_000 }, (_, i) => (i * 7) % 256);
  await client.writeFsFile({ path: at("buffer") }, all);
  await client.writeFsFile({ path: at("blob") }, new Blob([all]));
  await client.writeFsFile({ path: at("empty") }, new Uint8Array());
  for (const name of ["buffer", "blob"]) assert.deepEqual(await client.readFsFile({ path: at(name) }), all, name);
  assert.equal((await client.readFsFile({ path: at("empty") })).length, 0);
});

test("a relative path lies in the home folder", async (t) => {
  const { client, home } = await projectIn(t);
  assert.equal((await client.writeFsFile({ path: "a/b" }, "x")).path, path.join(home, "a/b"));
  assert.deepEqual((await client.listFsEntries()).map(({ name }) => name), ["a"]);
  await assert.rejects(client.readFsFile({ path: "../secret" }), refused(400));
});

test("folders are made, things move, and what is removed is gone", async (t) => {
  const { client, at } = await projectIn(t);
  assert.deepEqual(await client.mkdirFs({ path: at("deep/er") }), { path: at("deep/er") });
  assert.deepEqual(await client.mkdirFs({ path: at("deep/er") }), { path: at("deep/er") }, "again is no mistake");
  await client.writeFsFile({ path: at("deep/er/a") }, "a");
  await client.writeFsFile({ path: at("b") }, "b");
  await assert.rejects(client.moveFs({ from: at("deep/er/a"), to: at("b") }), refused(409));
  const moved = await client.moveFs({ from: at("deep/er/a"), to: at("b"), overwrite: true });
  assert.deepEqual(moved, { from: at("deep/er/a"), to: at("b") });
  assert.equal(decoded(await client.readFsFile({ path: at("b") })), "a");

  assert.deepEqual(await client.deleteFsEntry({ path: at("b") }), { path: at("b") });
  await assert.rejects(client.statFs({ path: at("b") }), refused(404));
  await assert.rejects(client.deleteFsEntry({ path: at("deep") }), refused(409));
  await client.deleteFsEntry({ path: at("deep"), recursive: true });
  assert.deepEqual(await client.listFsEntries({ path: at("") }), []);
});

test("an archive is unpacked in one request", async (t) => {
  const { client, directory, at } = await projectIn(t);
  const run = { name: "run", body: "#!/bin/sh\n", mode: 0o755 };
  const entries = [{ name: "src/" }, { name: "src/main.c", body: "int main;" }, run];
  const plain = await client.uploadFsBatch(tar(entries), { path: at("plain") });
  assert.equal(plain.truncated, false);
  assert.ok(plain.paths.includes(at("plain/src/main.c")), String(plain.paths));
  await client.uploadFsBatch(tarGz(entries), { path: at("packed") });
  assert.equal(readFileSync(at("packed/src/main.c"), "utf8"), "int main;");
  assert.equal(statSync(at("packed/run")).mode & 0o777, 0o755);
  await assert.rejects(client.uploadFsBatch(tar([{ name: "../out", body: "x" }]), { path: directory }), refused(400));
});

test("servers of MCP are kept per directory, read back and removed", async (t) => {
  const { client, directory } = await projectIn(t);
  const query = { directory, mcpName: "tools" };
  await assert.rejects(client.getMcpConfig(query), refused(404));
  const local = { type: "local", command: ["node", "server.js"], env: { LEVEL: "2" }, enabled: true, timeoutMs: 5000 };
  assert.equal(await client.setMcpConfig(query, local), undefined);
  assert.deepEqual(await client.getMcpConfig(query), local);
  const remote = { type: "remote", url: "https://tools.example/mcp", headers: { "X-Team": "a" }, transport: "sse" };
  await client.setMcpConfig(query, remote);
  assert.deepEqual(await client.getMcpConfig(query), remote);
  await client.setMcpConfig({ directory, mcpName: "other" }, local);
  await client.deleteMcpConfig(query);
  await client.deleteMcpConfig(query);
  await assert.rejects(client.getMcpConfig(query), refused(404));
  assert.deepEqual(await client.getMcpConfig({ directory, mcpName: "other" }), local);
  await assert.rejects(client.setMcpConfig(query, { type: "local" }), refused(422));
});

test("skills are kept per directory, read back and removed", async (t) => {
  const { client, directory } = await projectIn(t);
  const query = { directory, skillName: "default" };
  const remote = { type: "github", source: "acme/skills", skills: ["review"], ref: "main" };
  const skills = { sources: [remote, { type: "local", source: "./skills" }] };
  await client.setSkillsConfig(query, skills);
  assert.deepEqual(await client.getSkillsConfig(query), skills);
  await client.deleteSkillsConfig(query);
  await assert.rejects(client.getSkillsConfig(query), refused(404));
  await assert.rejects(client.setSkillsConfig(query, { sources: [{ type: "github" }] }), refused(422));
  await assert.rejects(client.getSkillsConfig({ directory, skillName: " " }), refused(400));
});
