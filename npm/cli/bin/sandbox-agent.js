#!/usr/bin/env node
// Runs the program of this machine's platform package and behaves as if it were that program: its standard streams are ours, signals
// reach it, and it ends as we do: with its exit code, or by its signal.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { version, optionalDependencies } = require("../package.json");

function fail(sentence, hint) {
  console.error(`error: ${sentence}\nhint: ${hint}`);
  process.exit(1);
}

function program() {
  const name = `@sandbox-agent/cli-${process.platform}-${process.arch}`;
  const built = Object.keys(optionalDependencies);
  if (!built.includes(name))
    fail(
      `sandbox-agent is not built for ${process.platform}-${process.arch}.`,
      `There is ${built.join(" and ")}: run it in a container or a virtual machine, and talk to it with the SDK from here.`,
    );
  try {
    return require.resolve(`${name}/bin/sandbox-agent`);
  } catch {
    return fail(
      `the package ${name}, which carries the program for this machine, is not installed.`,
      `npm install ${name}@${version}. It is an optional dependency: --omit=optional leaves it out, and so does a lock file that was made ` +
        "on a machine of another kind (remove node_modules and package-lock.json, then install again).",
    );
  }
}

// A key such as Ctrl-C signals all of the terminal's foreground group, the program too: it must not hear it twice.
function isForeground() {
  const [, group, foreground] = /^\d+ \(.*\) \S \d+ (\d+) \d+ \d+ (-?\d+)/s.exec(readFileSync("/proc/self/stat", "utf8"));
  return group === foreground;
}

const file = program();
const child = spawn(file, process.argv.slice(2), { stdio: "inherit" });
const keys = new Set(["SIGINT", "SIGQUIT"]);
const handlers = [...keys, "SIGTERM", "SIGHUP", "SIGUSR2"].map((signal) => [
  signal,
  () => (keys.has(signal) && isForeground() ? undefined : child.kill(signal)),
]);
for (const [signal, handler] of handlers) process.on(signal, handler);

child.on("error", (cause) => fail(`${file} cannot be run: ${cause.message}`, `Is it executable, and may programs be run from there?`));
child.on("exit", (code, signal) => {
  for (const [name, handler] of handlers) process.off(name, handler);
  if (signal) process.kill(process.pid, signal);
  else process.exitCode = code;
});
