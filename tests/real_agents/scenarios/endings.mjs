// Stopping: a turn by session/cancel, an instance with everything that runs in it by DELETE.
import assert from "node:assert/strict";
import { descendants, marked, survivors } from "../processes.mjs";
import { grace } from "../scene.mjs";
import { until } from "../waiting.mjs";

const promptly = 10_000;  // ms; a turn that is not cancelled would last a minute

export const cancelling = {
  "cancel mid-stream": async (scene) => {
    const { client, sessionId } = await scene.conversation();
    const turn = client.prompt(sessionId, "[[stub:slow 1200 50 more]]");
    await client.whenText(sessionId, (text) => text.includes("more1"), "a chunk");
    const started = performance.now();
    await client.notify("session/cancel", { sessionId });
    const { message } = await turn.answer;
    const ms = performance.now() - started;
    assert.equal(message.result?.stopReason, "cancelled", JSON.stringify(message));
    assert.ok(ms < promptly, `it took ${ms} ms`);

    const said = client.text(sessionId).length;
    const again = await client.prompt(sessionId, "[[stub:text still here]]").answer;
    assert.equal(again.message.result?.stopReason, "end_turn", JSON.stringify(again.message));
    await client.whenText(sessionId, (text) => text.slice(said).includes("still here"), "a further turn");
    return `${Math.round(ms)} ms`;
  },
};

// The supervisor is the daemon's: it tells that the tree is gone, then it goes.
const isOfAgent = ({ command }) => !command.startsWith("sandbox-agent supervise ");

// How long the DELETE of the last instance of its daemon took, and how many processes there were. Afterwards nothing but the daemon
// may carry the mark of this run.
async function deleteWithTool(scene) {
  const { client, sessionId } = await scene.conversation();
  client.answerPermissions(sessionId, () => "allow_once");
  const seconds = `300.${process.pid}`;
  const turn = client.prompt(sessionId, `[[stub:shell sh -c "sleep ${seconds}; true"]]`);
  const tree = await until(() => {
    assert.equal(turn.isOver, false, `no tool runs: ${client.text(sessionId)}`);
    const found = descendants(scene.daemon.child.pid);
    return found.some(({ command }) => command === `sleep ${seconds}`) && found;
  }, "the tool's process");

  const ms = await scene.remove(client);
  assert.deepEqual(survivors(tree).filter(isOfAgent), []);
  assert.deepEqual(marked(scene.mark).filter(isOfAgent).filter(({ pid }) => pid !== scene.daemon.child.pid), []);
  const { status, body } = await turn.answer;
  assert.equal(status, 502, body);
  assert.equal(JSON.parse(body).type, "urn:sandbox-agent:error:agent_process_exited");
  await until(() => !survivors(tree).length, "the end of the supervisor");
  return { ms, processes: tree.filter(isOfAgent).length };
}

export const deleting = {
  // Others use the machine too: whoever is late may try again, twice.
  "DELETE with a running tool": async (scene) => {
    const limit = grace + 400;
    let last;
    for (let tries = 0; tries < 3 && !(last?.ms <= limit); ++tries) last = await deleteWithTool(scene);
    assert.ok(last.ms <= limit, `DELETE took ${last.ms} ms`);
    return `${last.processes} processes, ${Math.round(last.ms)} ms`;
  },
};
