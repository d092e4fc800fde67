// The binary as it would be published, and the ones that would not.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { binary } from "../contract/daemon.mjs";
import { repository } from "./project.mjs";

const folder = mkdtempSync(path.join(os.tmpdir(), "binary-"));
const result = path.join(folder, "sandbox-agent");
const mine = process.arch === "x64" ? "x86_64" : "aarch64";
const other = process.arch === "x64" ? "aarch64" : "x86_64";
after(() => rmSync(folder, { recursive: true }));

function script(name, ...words) {
  const { status, stdout, stderr } = spawnSync(path.join(repository, "scripts", name), words, { encoding: "utf8" });
  return { code: status, said: stdout + stderr };
}

function refused(file, arch, why) {
  const { code, said } = script("dist-binary", file, arch, result);
  assert.equal(code, 1, said);
  assert.match(said, why);
  assert.ok(!existsSync(result), "nothing is left that could be published");
}

// A copy of the binary that names the folder of the build somewhere among its texts.
function telltale() {
  const file = path.join(folder, "telltale");
  const bytes = readFileSync(binary);
  bytes.write(`${repository}src/cli/main.cc`, bytes.indexOf("using the built-in demo agent"));
  writeFileSync(file, bytes);
  return file;
}

test("the binary is static, stripped, not too big, and does not name the folder it was built in", () => {
  const { code, said } = script("dist-binary", binary, mine, result);
  assert.equal(code, 0, said);
  assert.ok(statSync(result).size < statSync(binary).size);
});

test("the stripped binary serves health and the inspector, and runs a turn", () => {
  const { code, said } = script("dist-smoke", result);
  assert.equal(code, 0, said);
  assert.match(said, /version, health, inspector, a turn: ok/);
});

test("what must not be published is refused", () => {
  refused(binary, other, /is not for/);
  refused("/bin/sh", mine, /is not static/);
  refused(telltale(), mine, /names the folder it was built in/);
});
