// The units, by systemd's own judgement.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { binary } from "../contract/daemon.mjs";
import { filesOf, serviceOf, textOf } from "./files.mjs";

const worst = 16; // of 100; with root as its user, or another wall less, it is more

// A copy of a unit, as it would be on a machine that has the binary. `change`: what becomes of its text.
function copyOf(t, name, change = (text) => text) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "units-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, name);
  writeFileSync(file, change(textOf("systemd", name).replaceAll("/usr/local/bin/sandbox-agent", path.resolve(binary))));
  return file;
}

// What systemd-analyze has to say: {code, words}.
function analyze(...words) {
  const { status, stdout, stderr, error } = spawnSync("systemd-analyze", words, { encoding: "utf8", env: { ...process.env, SYSTEMD_PAGER: "" } });
  if (error) throw new Error(`systemd-analyze: ${error.message}; it is in Debian's package systemd`);
  return { code: status, words: stdout + stderr };
}
const verify = (file) => analyze("verify", "--man=no", file);
const judge = (file) => analyze("security", "--offline=true", `--threshold=${worst}`, file);

for (const name of filesOf("systemd")) {
  test(`${name} is a unit without a mistake`, (t) => {
    assert.deepEqual(verify(copyOf(t, name)), { code: 0, words: "" });
    const misspelt = verify(copyOf(t, name, (text) => text.replace("KillMode=", "KilMode=")));
    assert.match(misspelt.words, /KilMode/, "a misspelt setting is noticed");
  });

  test(`${name} leaves little open: at most ${worst} of 100`, (t) => {
    const { code, words } = judge(copyOf(t, name));
    assert.equal(code, 0, words);
    const open = judge(copyOf(t, name, (text) => text.replace(/^(Dynamic)?User=.*$/gm, "")));
    assert.notEqual(open.code, 0, "a unit that leaves more open is noticed");
  });

  test(`${name} lets agents work`, () => {
    const service = serviceOf(textOf("systemd", name), {});
    assert.ok(!service.has("MemoryDenyWriteExecute"), "Node.js compiles while it runs");
    assert.ok(!service.has("ProcSubset"), "Node.js reads /proc/meminfo");
    assert.deepEqual(service.get("OOMPolicy"), ["continue"], "one agent without memory must not end all");
    assert.deepEqual(service.get("KillMode"), ["mixed"], "the daemon ends its agents");
    assert.match(service.get("StateDirectory")[0], /workspace$/);
  });
}

test("the two units differ only in what belongs to one of many", () => {
  const lines = (name) => [...serviceOf(textOf("systemd", name), {})].map(([key, values]) => `${key}=${values.join(";")}`);
  const [one, many] = ["sandbox-agent.service", "sandbox-agent@.service"].map(lines);
  const own = ["User", "ExecStart", "LoadCredential", "StateDirectory", "Environment", "WorkingDirectory", "MemoryMax", "TasksMax"];
  const shared = (list) => list.filter((line) => !own.includes(line.split("=")[0]));
  assert.deepEqual(shared(one), shared(many));
});

test("each of many has a user, a home, a token and a port of its own", () => {
  const service = serviceOf(textOf("systemd", "sandbox-agent@.service"), {});
  for (const name of ["User", "LoadCredential", "StateDirectory", "WorkingDirectory", "Environment", "ExecStart"])
    assert.match(service.get(name)[0], /%i/, name);
});

test("every system call that the units allow by name is one", () => {
  const known = execFileSync("systemd-analyze", ["syscall-filter"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  for (const name of filesOf("systemd"))
    for (const word of serviceOf(textOf("systemd", name), {}).get("SystemCallFilter")[0].split(" "))
      assert.match(known, new RegExp(`^\\s*#?\\s*${word}$`, "m"), `${name}: ${word}`);
});
