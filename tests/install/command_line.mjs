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
