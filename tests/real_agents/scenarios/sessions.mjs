// Sessions of the npm package that outlive their client, with a store in a file: the client is killed in the middle of a turn, and
// the agent's process is ended between two.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { SandboxAgent } from "sandbox-agent";
import { openStore } from "../../../sdk/sandbox-agent/test/sessions/store.mjs";
import { ask } from "../../contract/daemon.mjs";
import { countedChunks } from "../stub_plan.mjs";
import { until, within } from "../waiting.mjs";

const player = fileURLToPath(new URL("../../../sdk/sandbox-agent/test/sessions/player.mjs", import.meta.url));

// `work` gets the store's file, and a function that opens a client with it; all of them are disposed.
async function withStore(scene, work) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "real-agents-store-"));
  const storeFile = path.join(folder, "sessions.db");
  const opened = [];
  const access = { baseUrl: `http://127.0.0.1:${scene.daemon.port}` };
  const open = async () => {
    const persist = await openStore(storeFile);
    const sandbox = await SandboxAgent.connect({ ...access, persist });
    opened.push({ sandbox, persist });
    return sandbox;
  };
  try {
    return await work({ access, storeFile, open });
  } finally {
    for (const { sandbox, persist } of opened) {
      await within(sandbox.dispose(), "the end of a client");
      await persist.close();
    }
    await rm(folder, { recursive: true });
  }
}

// Another process begins a turn and kills itself at the first text.
async function playUntilKilled({ access, storeFile }, part) {
  const about = JSON.stringify({ access, storeFile, parts: [{ ...part, point: "text 1" }] });
  const child = spawn(process.execPath, [player, about], { stdio: ["ignore", "ignore", "inherit"] });
  const gone = new Promise((resolve) => child.once("exit", (code, signal) => resolve(signal ?? code)));
  try {
    assert.equal(await within(gone, "the end of the client"), "SIGKILL");
  } finally {
    child.kill("SIGKILL");
  }
}

async function logOf(session) {
  const log = [];
  for await (const entry of session.log()) log.push(entry);
  assert.deepEqual(log.map(({ index }) => index), log.map((_, place) => place), "the log has no holes");
  return log;
}

const promptsIn = (log) => log.filter(({ message }) => message.method === "session/prompt").length;
const said = (log) => log.filter(({ from }) => from === "agent")
  .map(({ message }) => message.params?.update)
  .filter((update) => update?.sessionUpdate === "agent_message_chunk")
  .map(({ content }) => content.text ?? "").join("");

// By what the agent remembers, else, where it may forget, by the text.
async function broughtBack(scene, sandbox, id) {
  try {
    const session = await sandbox.restoreSession({ id });
    assert.match(session.restored, /^(loaded|resumed)$/);
    return session;
  } catch (error) {
    assert.ok(scene.recipe.mayForget && error.code === "cannot_restore", String(error));
    const session = await sandbox.restoreSession({ id, replayText: true });
    assert.equal(session.restored, "replayed");
    return session;
  }
}

export const sessions = {
  "SDK, a client that is killed mid-stream": (scene) => withStore(scene, async ({ open, ...store }) => {
    const id = `killed-${scene.agent}`;
    const words = "[[stub:hold 20 survives]]";
    await playUntilKilled(store, { agent: scene.agent, cwd: scene.work, id, serverId: id, words });
    const session = await within((await open()).restoreSession({ id }), "the session");
    assert.equal(session.restored, "attached");
    assert.equal(session.turn?.over, false, "the turn goes on");
    scene.stub.release("survives");
    let text = "";
    const reading = async () => {
      for await (const event of session.turn) if (event.type === "text") text += event.text;
      return session.turn;
    };
    const result = await within(reading(), "the end of the turn");
    const expected = countedChunks(20, "survives").join("").trim();
    assert.equal(result.stopReason, "end_turn");
    assert.equal(result.text.trim(), expected);
    assert.equal(text, result.text, "all events of the turn are there");

    const again = await within(session.prompt("[[stub:text and on it goes]]"), "a further turn");
    assert.equal(again.text.trim(), "and on it goes");
    const log = await logOf(session);
    assert.equal(promptsIn(log), 2);
    assert.equal(said(log), result.text + again.text);
  }),

  // A prompt without a marker lets the stub look further back: it says the words again if it is told of them again.
  "SDK, a session whose process has ended": (scene) => withStore(scene, async ({ open }) => {
    const id = `ended-${scene.agent}`;
    const first = await open();
    const session = await within(first.createSession({ agent: scene.agent, cwd: scene.work, id }), "a session");
    const words = "the door is teal";
    assert.equal((await within(session.prompt(`[[stub:text ${words}]]`), "a turn")).text.trim(), words);
    const before = await logOf(session);
    const { status } = await ask(scene.daemon, "DELETE", `/v1/acp/${encodeURIComponent(session.serverId)}`, { withToken: false });
    assert.equal(status, 204);
    await until(() => session.ended, "the end of the session");

    const restored = await within(broughtBack(scene, await open(), id), "the session");
    const { text } = await within(restored.prompt("What did I just say?"), "a further turn");
    assert.equal(text.trim(), words, "it remembers");
    const log = await logOf(restored);
    assert.deepEqual(log.slice(0, before.length), before);
    assert.equal(promptsIn(log), 2);
    assert.equal(said(log).trim(), `${said(before)}${text}`.trim(), "what it told of the past is not logged again");
    return restored.restored;
  }),
};
