// The same agent through the npm package `sandbox-agent`: the program of its guide, with the daemon of the scene and with one
// of its own; a permission refused, a turn cancelled, models and modes, no credentials.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { AuthError, SandboxAgent, SandboxAgentError } from "sandbox-agent";
import { ask, binary } from "../../contract/daemon.mjs";
import { NotApplicable } from "../not_applicable.mjs";
import { marked } from "../processes.mjs";
import { until, within } from "../waiting.mjs";

// Reads a turn as the guide does; `decide` answers permissions. The promise of the turn comes after its events.
async function read(turn, decide) {
  const seen = { text: "", asked: 0, statuses: [] };
  const reading = async () => {
    for await (const event of turn) {
      if (event.type === "text") seen.text += event.text;
      if (event.type === "tool") seen.statuses.push(event.status);
      if (event.type === "permission") {
        ++seen.asked;
        await decide(event);
      }
    }
    return turn;
  };
  const result = await within(reading(), "the end of the turn");
  assert.equal(result.text, seen.text, "the events and the result say the same");
  return { ...seen, ...result };
}

const never = () => assert.fail("it asks for nothing");

async function assertSays(session, words) {
  const { text, stopReason } = await read(session.prompt(`[[stub:text ${words}]]`), never);
  assert.equal(stopReason, "end_turn");
  assert.equal(text.trim(), words);
}

// Two turns of one session: words, then a tool that may run once.
async function program(scene, sandbox, cwd, name) {
  const session = await sandbox.createSession({ agent: scene.agent, cwd });
  assert.equal(session.cwd, scene.work);
  await assertSays(session, "hello from the package");

  const file = path.join(scene.work, name);
  const allowOnce = (permission) => {
    assert.equal(existsSync(file), false, "nothing happens before the permission");
    return permission.allow("once");
  };
  const { text, stopReason, asked, statuses } = await read(session.prompt(`[[stub:shell echo made > ${file}]]`), allowOnce);
  assert.equal(stopReason, "end_turn");
  assert.equal(readFileSync(file, "utf8"), "made\n");
  assert.equal(asked > 0, scene.recipe.asks, text);
  assert.equal(statuses.at(-1), "completed");
  assert.match(text, /tool said: /);
  assert.doesNotMatch(text, /hello/, "the first turn is not told again");
}

async function serverIds(scene) {
  const { body } = await ask(scene.daemon, "GET", "/v1/acp", { withToken: false });
  return JSON.parse(body).servers.map(({ serverId }) => serverId).sort();
}

const other = (names, current) => names.find((name) => name !== current) ?? current;

export const sdk = {
  "SDK, a daemon that runs": async (scene) => program(scene, await scene.sandbox(), scene.work, "made-through-connect"),

  "SDK, a daemon of its own": async (scene) => {
    const noneOfOurs = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));
    const env = { ...noneOfOurs, ...scene.environment, SANDBOX_AGENT_BIN: binary };
    const before = marked(scene.mark).map(({ pid }) => pid);
    const sandbox = await SandboxAgent.start({ spawn: { env, cwd: scene.work, args: ["--require-preinstall"] } });
    try {
      await program(scene, sandbox, ".", "made-through-start");
    } finally {
      await within(sandbox.dispose(), "the end of its daemon");
    }
    await until(() => marked(scene.mark).every(({ pid }) => before.includes(pid)), "the end of everything it started");
  },

  "SDK, a tool that is denied": async (scene) => {
    if (!scene.recipe.asks) throw new NotApplicable("it never asks");
    const file = path.join(scene.work, "denied-through-package");
    const session = await (await scene.sandbox()).createSession({ agent: scene.agent, cwd: scene.work });
    const turn = session.prompt(`[[stub:shell echo no > ${file}]]`);
    const { stopReason, asked } = await read(turn, (permission) => permission.deny());
    assert.notEqual(asked, 0, "it did not ask");
    assert.equal(existsSync(file), false);
    await assertSays(session, "and on it goes");
    return stopReason;
  },

  "SDK, cancel mid-stream": async (scene) => {
    const session = await (await scene.sandbox()).createSession({ agent: scene.agent, cwd: scene.work });
    const turn = session.prompt("[[stub:slow 1200 50 more]]");
    let told;
    for await (const { type } of turn) {
      if (type !== "text") continue;
      told ??= performance.now();
      await turn.cancel();
    }
    const { stopReason, text } = await within(turn, "the end of a cancelled turn");
    const ms = performance.now() - told;
    assert.equal(stopReason, "cancelled");
    assert.match(text, /^more0 /);
    await assertSays(session, "still here");
    return `${Math.round(ms)} ms`;
  },

  "SDK, models and modes": async (scene) => {
    const session = await (await scene.sandbox()).createSession({ agent: scene.agent, cwd: scene.work });
    const models = session.models.map(({ modelId }) => modelId);
    if (models.length) {
      assert.equal(typeof session.metadata.model, "string");  // gemini's need not be among them
      const model = other(models, session.metadata.model);
      await session.setModel(model);
      assert.equal(session.metadata.model, model);
    }
    const modes = session.modes?.availableModes.map(({ id }) => id) ?? [];
    if (modes.length) {
      const mode = other(modes, session.modes.currentModeId);
      await session.setMode(mode);
      assert.equal(session.modes.currentModeId, mode);
    }
    const option = session.options.find(({ category }) => category === "mode");
    if (option) {
      const mode = other(modes, option.currentValue);
      await session.setOption(option.id, mode);
      assert.equal(session.metadata.mode, mode, "the same mode, however it was set");
    }
    await assertSays(session, "as told");
    return `${models.length} models, ${modes.length} modes`;
  },

  // What it started is over, what others started is not.
  "SDK, dispose": async (scene) => {
    const { serverId: notOurs } = await scene.client();
    const session = await (await scene.sandbox()).createSession({ agent: scene.agent, cwd: scene.work });
    assert.deepEqual(await serverIds(scene), [notOurs, session.serverId].sort());
    await within(scene.removeSandbox(), "the end of its agent");
    assert.equal(session.ended, true);
    assert.deepEqual(await serverIds(scene), [notOurs]);
  },
};

export const sdkCredentials = {
  "SDK, missing credentials": async (scene) => {
    const { port } = await scene.keylessDaemon();
    const sandbox = await SandboxAgent.connect({ baseUrl: `http://127.0.0.1:${port}` });
    const attempt = async () => {
      const session = await sandbox.createSession({ agent: scene.agent, cwd: scene.work });
      await session.prompt("[[stub:text hello]]");
    };
    const error = await within(attempt(), "the refusal").then(() => undefined, (thrown) => thrown);
    await sandbox.dispose();
    assert.ok(error instanceof SandboxAgentError, `it works without a key: ${error}`);
    assert.equal(error instanceof AuthError, error.cause.code === -32000, String(error));
    return `${error.name}, ${error.code}`;
  },
};
