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

// Another process begins turns and kills itself when all are at their points.
async function playUntilKilled({ access, storeFile }, ...parts) {
  const about = JSON.stringify({ access, storeFile, parts });
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

// Where a client is killed, and what it had asked for. Each has an agent's process of its own, so agents that take long to start
// play some of them only.
function pointsOf({ recipe, work }) {
  const text = { words: "[[stub:text one two three]]", text: "one two three" };
  const held = (word) => ({ words: `[[stub:hold 20 ${word}]]`, text: countedChunks(20, word).join("").trim(), word });
  const tool = { words: `[[stub:shell echo hello > ${path.join(work, "made-after-a-kill")}]]`, text: /tool said/ };
  const points = [
    { point: "text 1", ...held("first") },
    ...(recipe.asks ? [{ point: "permission", ...tool }, { point: "the permission was answered", ...tool }] : []),
    { point: "session/new is about to be posted", ...text, neverBegan: true },
    { point: "the session was made", ...text, neverBegan: true },
    { point: "session/prompt is about to be posted", ...text, neverBegan: true },
    { point: "session/prompt was posted", ...held("posted") },
    { point: "text 10", ...held("tenth") },
    { point: "the answer is about to be stored", ...text },
    { point: "the answer was stored", ...text },
    { point: "idle", ...text },
  ];
  return recipe.startsSlowly ? points.slice(0, 2) : points;
}

// What became of the turn, if there was one: its text, from the turn or, when it was over before, from the log.
async function textOfTurn(session) {
  try {
    if (session.turn) {
      let text = "";
      for await (const event of session.turn) {
        if (event.type === "text") text += event.text;
        if (event.type === "permission" && event.open) await event.allow();
      }
      assert.equal((await session.turn).text, text, "all events of the turn are there");
      return text;
    }
  } catch (error) {
    assert.equal(error.code, "answer_lost", String(error)); // it was never sent
    return undefined;
  }
  const log = await logOf(session);
  return promptsIn(log) === 0 ? undefined : said(log);
}

export const sessions = {
  "SDK, a client that is killed anywhere in a turn": (scene) => withStore(scene, async ({ open, ...store }) => {
    const points = pointsOf(scene).map((point) => ({ ...point, id: `${scene.agent} ${point.point}` }));
    const cast = { agent: scene.agent, cwd: scene.work };
    await playUntilKilled(store, ...points.map(({ id, point, words }) => ({ ...cast, id, point, words, serverId: id.replaceAll("/", " ") })));
    await Promise.all(points.map(async ({ id, point, text, word, neverBegan }) => {
      const session = await within((await open()).restoreSession({ id }), `the session killed at "${point}"`);
      assert.equal(session.restored, point === "session/new is about to be posted" ? "created" : "attached");
      if (word) assert.equal(session.turn?.over, false, "the turn goes on");
      if (word) scene.stub.release(word);
      const told = await within(textOfTurn(session), `the turn killed at "${point}"`);
      if (neverBegan) assert.equal(told, undefined, point);
      else if (text instanceof RegExp) assert.match(told, text, point);
      else assert.equal(told?.trim(), text, point);
      const again = await within(session.prompt("[[stub:text and on it goes]]"), "a further turn");
      assert.equal(again.text.trim(), "and on it goes", point);
      const log = await logOf(session);
      assert.equal(said(log).trim(), `${told ?? ""}${again.text}`.trim(), `the log after "${point}"`);
    }));
    return `${points.length} points`;
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
