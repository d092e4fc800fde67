#!/usr/bin/env node
// Runs the program of this machine's platform package and behaves as if it were that program: its standard streams are ours, signals
// reach it, and it ends as we do: with its exit code, or by its signal.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { version, optionalDependencies } = require("../package.json");

// In the form in which the program itself says such things.
function fail(what, why, whatToDo) {
  console.error(`error: ${what}\n  ${why}\n  try: ${whatToDo}`);
  process.exit(1);
}

function program() {
  const platform = `${process.platform}-${process.arch}`;
  const name = `@sandbox-agent/cli-${platform}`;
  const built = Object.keys(optionalDependencies);
  if (!built.includes(name))
    fail(
      `sandbox-agent is not built for ${platform}`,
      `there is ${built.join(" and ")}`,
      "running it in a container or a virtual machine; the SDK can talk to it from here",
    );
  try {
    return require.resolve(`${name}/bin/sandbox-agent`);
  } catch {
    return fail(
      `the package ${name}, which carries the program for this machine, is not installed`,
      "npm leaves it out with --omit=optional, and with a lock file that was made on a machine of another kind",
      `npm install ${name}@${version}`,
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

child.on("error", ({ message }) => fail("the program cannot be run", message, `ls -l ${file}, and whether programs may run from there`));
child.on("exit", (code, signal) => {
  for (const [name, handler] of handlers) process.off(name, handler);
  if (signal) process.kill(process.pid, signal);
  else process.exitCode = code;
});
