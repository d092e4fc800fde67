// Tools and the permission for them: the request comes on the stream, the answer goes by POST.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { NotApplicable } from "../not_applicable.mjs";

let made = 0;
const newFile = (scene) => path.join(scene.work, `made-${++made}.txt`);

// A turn with one tool, each permission request answered by `kind`. Nothing must have happened when the agent asks. The prompt
// has the id that the agent's request is likely to have too.
async function toolTurn(scene, marker, file, kind) {
  const { client, sessionId } = await scene.conversation();
  const asked = [];
  let turn;
  client.answerPermissions(sessionId, (id) => {
    asked.push(id);
    assert.equal(turn.isOver, false, "the turn waits for the permission");
    if (asked.length === 1) assert.equal(existsSync(file), false, "nothing happens before the permission");
    return kind;
  });
  turn = client.prompt(sessionId, marker, client.nextAgentId());
  const { message } = await turn.answer;
  if (scene.recipe.asks) assert.notEqual(asked.length, 0, `it did not ask: ${client.text(sessionId)}`);
  return { message, note: !asked.length ? "does not ask" : asked.includes(turn.id) ? "same id on both sides" : "" };
}

function assertEnded({ message, note }) {
  assert.equal(message.result?.stopReason, "end_turn", JSON.stringify(message));
  return note;
}

export const tools = {
  "shell tool, allowed": async (scene) => {
    const file = newFile(scene);
    const turn = await toolTurn(scene, `[[stub:shell echo made by a shell > ${file}]]`, file, "allow_once");
    assert.equal(readFileSync(file, "utf8"), "made by a shell\n");
    return assertEnded(turn);
  },

  "shell tool, rejected": async (scene) => {
    if (!scene.recipe.asks) throw new NotApplicable("it never asks");
    const file = newFile(scene);
    const { message } = await toolTurn(scene, `[[stub:shell echo no > ${file}]]`, file, "reject_once");
    assert.ok(message.result, JSON.stringify(message));
    assert.equal(existsSync(file), false);
    return message.result.stopReason;
  },

  "file tool, allowed": async (scene) => {
    const file = newFile(scene);
    const turn = await toolTurn(scene, `[[stub:write ${file} written by a tool]]`, file, "allow_once");
    assert.equal(readFileSync(file, "utf8").trim(), "written by a tool");
    return assertEnded(turn);
  },
};
