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

export const deleting = {
  // The last instance of its daemon: afterwards nothing but the daemon may carry the mark of this run.
  "DELETE with a running tool": async (scene) => {
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
    assert.ok(ms <= grace + 400, `DELETE took ${ms} ms`);
    const { status, body } = await turn.answer;
    assert.equal(status, 502, body);
    assert.equal(JSON.parse(body).type, "urn:sandbox-agent:error:agent_process_exited");
    await until(() => !survivors(tree).length, "the end of the supervisor");
    return `${tree.filter(isOfAgent).length} processes, ${Math.round(ms)} ms`;
  },
};
