// Everything that the files under deploy/ call by name must be there: commands, options, variables.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { containerOf, deploy, filesOf, instructionsIn, pods, serviceOf, textOf } from "./files.mjs";
import { mistakesIn, variables } from "./names.mjs";

const containerfiles = filesOf("container").filter((name) => name.startsWith("Containerfile"));

// Every command line of the program: [{where, words}].
function commandLines() {
  const lines = [];
  for (const file of containerfiles) {
    const text = textOf("container", file);
    const { command, health } = containerOf(text);
    lines.push({ where: file, words: command }, { where: `${file}, HEALTHCHECK`, words: health });
    for (const { rest } of instructionsIn(text).filter(({ name }) => name === "RUN"))
      for (const part of rest.split("&&").map((part) => part.trim().split(/\s+/)))
        if (part[0] === "sandbox-agent") lines.push({ where: `${file}, RUN`, words: part });
    for (const [, words] of text.matchAll(/^#.* sandbox-agent (server .*)$/gm)) lines.push({ where: `${file}, a comment`, words: ["", ...words.split(" ")] });
  }
  for (const { file, spec } of pods()) lines.push({ where: file, words: ["", ...spec.containers[0].args] });
  for (const file of filesOf("systemd")) lines.push({ where: file, words: serviceOf(textOf("systemd", file), {}).get("ExecStart")[0].split(" ") });
  return lines;
}

test("every command line of the program names commands and options that it has", () => {
  const lines = commandLines();
  assert.equal(lines.length, 11, lines.map(({ where }) => where).join("; "));
  assert.deepEqual(lines.flatMap(({ where, words }) => mistakesIn(words).map((mistake) => `${where}: ${mistake}`)), []);
});

test("a command, an option or a value that is not there is noticed", () => {
  assert.deepEqual(mistakesIn(["x", "serve"]), ['there is no command in "serve"']);
  assert.deepEqual(mistakesIn(["x", "server", "--tokenfile", "/t"]), ['"server" has no option --tokenfile']);
  assert.deepEqual(mistakesIn(["x", "server", "--token-file"]), ["--token-file lacks its value"]);
  assert.deepEqual(mistakesIn(["x", "server", "--require-preinstall=yes"]), ["--require-preinstall takes no value"]);
  assert.deepEqual(mistakesIn(["x", "daemon", "status", "--host=1"]), ['"daemon status" has no option --host']);
  assert.deepEqual(mistakesIn(["x", "server", "--host=0.0.0.0", "--port", "1", "-p"]).length, 1);
});

test("every variable of ours that a file mentions is a setting", () => {
  const known = variables();
  assert.ok(known.length >= 8, known.join());
  const files = readdirSync(deploy, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const mentioned = files.flatMap(({ parentPath, path: folder, name }) => {
    const file = path.join(parentPath ?? folder, name);
    return [...readFileSync(file, "utf8").matchAll(/\bSANDBOX_AGENT_\w+/g)].map(([variable]) => ({ file: path.relative(deploy, file), variable }));
  });
  assert.ok(mentioned.length >= 6, JSON.stringify(mentioned));
  assert.deepEqual(mentioned.filter(({ variable }) => !known.includes(variable)), []);
});

test("the images run as the number the pods run as, live where the pods put the home, and listen where the pods look", () => {
  for (const file of containerfiles) {
    const { user, port, environment } = containerOf(textOf("container", file));
    for (const { spec } of pods()) {
      const [{ env, volumeMounts }] = spec.containers;
      assert.equal(environment.HOME, env.find(({ name }) => name === "HOME").value, file);
      assert.equal(environment.HOME, volumeMounts.find(({ name }) => name === "home").mountPath, file);
      assert.equal(user, `${spec.securityContext.runAsUser}:${spec.securityContext.runAsGroup}`, file);
      assert.equal(port, spec.containers[0].ports[0].containerPort, file);
    }
  }
});
