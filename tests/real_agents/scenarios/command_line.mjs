// The same agent through `sandbox-agent run`: a turn, going on with it in another process, a permission.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { binary } from "../../contract/daemon.mjs";
import { NotApplicable } from "../not_applicable.mjs";

// What a run of the command left.
function run(scene, words) {
  const env = {
    PATH: process.env.PATH,
    HOME: scene.folders.home,
    XDG_DATA_HOME: path.join(scene.work, ".command-line"),
    SANDBOX_AGENT_URL: `http://127.0.0.1:${scene.daemon.port}`,
    ...Object.fromEntries([scene.mark.split("=")]),
  };
  const child = spawn(binary, ["run", "--agent", scene.agent, ...words], { cwd: scene.work, env, stdio: ["ignore", "pipe", "pipe"] });
  const output = { out: "", err: "" };
  child.stdout.on("data", (data) => (output.out += data));
  child.stderr.on("data", (data) => (output.err += data));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, ...output })));
}

async function sessionOf(scene, words) {
  const { code, out, err } = await run(scene, ["--json", ...words]);
  const events = out.trim().split("\n").map((line) => JSON.parse(line));
  return { code, err, sessionId: events[0].sessionId, text: events.filter(({ type }) => type === "text").map(({ text }) => text).join("") };
}

export const commandLine = {
  "sandbox-agent run": async (scene) => {
    const { code, out, err } = await run(scene, ["[[stub:text hello from the command line]]"]);
    assert.equal(code, 0, err);
    assert.match(out, /hello from the command line/);
    assert.match(err, /end of turn/);
  },

  "run --continue": async (scene) => {
    const { about } = await scene.client();
    const first = await sessionOf(scene, ["[[stub:text one]]"]);
    assert.equal(first.code, 0, first.err);
    const second = await sessionOf(scene, ["--continue", "[[stub:text two]]"]);
    const { loadSession, sessionCapabilities } = about.agentCapabilities ?? {};
    if (!loadSession && !sessionCapabilities?.resume) {
      assert.equal(second.code, 1, second.err);
      throw new NotApplicable("it cannot load a conversation");
    }
    if (scene.recipe.mayForget && second.code !== 0) {
      assert.equal(second.code, 1, second.err);
      assert.match(second.err, /cannot go on with the earlier conversation/);
      return "it has forgotten the conversation";
    }
    assert.equal(second.code, 0, second.err);
    assert.equal(second.sessionId, first.sessionId);
    assert.match(second.text, /two/);
    assert.doesNotMatch(second.text, /one/, "the past is not shown again");
  },

  "run without a terminal, and a tool that asks": async (scene) => {
    if (!scene.recipe.asks) throw new NotApplicable("it never asks");
    const file = path.join(scene.work, "made-by-run");
    const asked = await run(scene, [`[[stub:shell echo hello > ${file}]]`]);
    assert.equal(asked.code, 7, asked.err);
    assert.match(asked.err, /--yes/);
    assert.equal(existsSync(file), false);
    const allowed = await run(scene, ["--yes", `[[stub:shell echo hello > ${file}]]`]);
    assert.equal(allowed.code, 0, allowed.err);
    assert.equal(existsSync(file), true);
  },
};
