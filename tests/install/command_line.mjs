// The program as a command, not as a daemon, in a scene.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { binary } from "../contract/daemon.mjs";

// Runs it to its end: {code, signal, out, errors}. `started` gets the child while it runs.
export function command(scene, ...words) {
  const started = typeof words[0] === "function" ? words.shift() : () => {};
  return new Promise((resolve) => {
    const ended = (error, out, errors) => resolve({ code: error?.code ?? (error ? null : 0), signal: error?.signal, out, errors });
    started(execFile(binary, words, { env: scene.environment, cwd: scene.home }, ended));
  });
}

export async function succeeds(scene, ...words) {
  const { code, out, errors } = await command(scene, ...words);
  assert.equal(code, 0, errors);
  return out;
}

export const jsonLines = (out) => out.trimEnd().split("\n").map((line) => JSON.parse(line));

// The rows of a table by the words of its head; columns begin where those do.
export function table(out) {
  const [head, ...rows] = out.trimEnd().split("\n");
  const starts = [...head.matchAll(/\S+/g)].map(({ 0: title, index }) => ({ title, index }));
  const cell = (row, at) => row.slice(starts[at].index, starts[at + 1]?.index).trim();
  return rows.map((row) => Object.fromEntries(starts.map(({ title }, at) => [title, cell(row, at)])));
}

// What a terminal gets of a command that succeeds. `started`, the first word, gets the child while it runs.
export function onTerminal(scene, ...words) {
  const started = typeof words[0] === "function" ? words.shift() : () => {};
  const line = [binary, ...words].map((word) => `'${word}'`).join(" ");
  return new Promise((resolve, reject) => {
    const ended = (error, out) => (error ? reject(new Error(`${error.message}: ${out}`)) : resolve(out));
    const env = { ...scene.environment, TERM: "xterm", SHELL: "/bin/sh" };
    const child = execFile("script", ["-qec", line, "/dev/null"], { env, cwd: scene.home }, ended);
    started(child);
    child.stdin.end();
  });
}
