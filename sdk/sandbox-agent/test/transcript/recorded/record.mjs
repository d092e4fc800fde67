// Makes the recordings beside it: real agents on the stub model of tests/real_agents, heard through the daemon with what clients sent.
// usage: node sdk/sandbox-agent/test/transcript/recorded/record.mjs [agent …]     (agents and packages: see tests/real_agents)
import assert from "node:assert/strict";
import { mkdir, realpath, writeFile } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { recipes } from "../../../../../tests/real_agents/recipes.mjs";
import { Scene } from "../../../../../tests/real_agents/scene.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const build = path.join(here, "../../../../../build/real-agents");
const noDeviations = { note() {} };

// Reads the whole stream of an instance, until it is deleted.
function listen(daemon, serverId) {
  const entries = [];
  let last = { eventId: 0, nth: 0 };
  let rest = "";
  const take = (block) => {
    const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s)));
    if (!("data" in fields)) return;
    const isClient = fields.event === "client";
    assert.ok(isClient || fields.event === "message", block);
    last = isClient ? { eventId: last.eventId, nth: last.nth + 1 } : { eventId: Number(fields.id), nth: 0 };
    entries.push({ from: isClient ? "client" : "agent", ...last, message: JSON.parse(fields.data) });
  };
  const target = `/v1/acp/${encodeURIComponent(serverId)}?include=client`;
  const ended = new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port: daemon.port, path: target, headers: { accept: "text/event-stream" }, agent: false };
    http
      .get(options, (response) => {
        response.setEncoding("utf8");
        response.on("data", (text) => {
          const blocks = (rest + text).split("\n\n");
          rest = blocks.pop();
          blocks.forEach(take);
        });
        response.on("close", () => resolve(entries));
      })
      .on("error", reject);
  });
  return { entries, ended };
}

// Turns of one conversation: words, a tool allowed, a tool rejected, a file written, a turn cancelled, and words again.
async function play(scene, client) {
  const sessionId = await client.session(scene.work);
  const say = async (words) => {
    const { message } = await client.prompt(sessionId, words).answer;
    assert.ok(message.result, JSON.stringify(message));
  };
  let kind = "allow_once";
  client.answerPermissions(sessionId, () => kind);
  await say("[[stub:text Hello from a real agent, in a few words.]]");
  await say(`[[stub:shell echo made by a shell > ${scene.work}/made.txt && cat ${scene.work}/made.txt]]`);
  kind = "reject_once";
  if (scene.recipe.asks) await say(`[[stub:shell echo no > ${scene.work}/never.txt]]`);
  kind = "allow_once";
  await say(`[[stub:write ${scene.work}/written.txt written by a tool]]`);
  const cancelled = client.prompt(sessionId, "[[stub:slow 1200 50 more]]");
  await client.whenText(sessionId, (text) => text.includes("more1"), "a chunk");
  await client.notify("session/cancel", { sessionId });
  assert.equal((await cancelled.answer).message.result?.stopReason, "cancelled");
  await say("[[stub:text Still here.]]");
  await client.whenText(sessionId, (text) => text.includes("Still here."), "the last words");
  return sessionId;
}

async function reload(scene, client, sessionId) {
  const { message: loaded } = await client.request("session/load", { sessionId, cwd: scene.work, mcpServers: [] });
  if (loaded.error && scene.recipe.mayForget) return false;
  assert.ok(loaded.result, JSON.stringify(loaded));
  const { message } = await client.prompt(sessionId, "[[stub:text And on it goes.]]").answer;
  assert.ok(message.result, JSON.stringify(message));
  await client.whenText(sessionId, (text) => text.includes("And on it goes."), "the words after loading");
  return true;
}

async function write(scene, name, entries) {
  const places = [
    [scene.work, "/project"],
    [scene.work.slice(1), "work"], // seen from the root
    [path.basename(scene.work), "work"],
    [scene.folders.home, "/home/user"],
    [scene.root, "/agents"],
    [`127.0.0.1:${new URL(scene.stub.url).port}`, "stub"],
    [os.hostname(), "sandbox"],
    [await realpath(path.join(here, "../../../../..")), "/repository"],
  ];
  const scrubbed = (line) => places.reduce((text, [from, to]) => text.replaceAll(from, to), line);
  const lines = entries.map((entry) => scrubbed(JSON.stringify(entry)) + "\n");
  await writeFile(path.join(here, `${name}.jsonl`), lines.join(""));
}

async function record(agent) {
  const root = path.join(build, agent);
  await mkdir(root, { recursive: true });
  const scene = new Scene(agent, recipes[agent], root, noDeviations);
  try {
    await scene.begin();
    const client = await scene.newClient();
    const first = listen(scene.daemon, client.serverId);
    const sessionId = await play(scene, client);
    await scene.remove(client);
    await write(scene, agent, await first.ended);
    const second = await scene.newClient();
    if (second.about.agentCapabilities?.loadSession) {
      const loaded = listen(scene.daemon, second.serverId);
      const isLoaded = await reload(scene, second, sessionId);
      await scene.remove(second);
      if (isLoaded) await write(scene, `${agent}-loaded`, await loaded.ended);
    }
  } finally {
    await scene.end();
  }
}

const asked = process.argv.slice(2);
for (const agent of asked.length ? asked : Object.keys(recipes)) await record(agent);
