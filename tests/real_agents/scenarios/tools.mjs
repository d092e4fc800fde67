// Tools and the permission for them: the request comes on the stream, the answer goes by POST.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { NotApplicable } from "../not_applicable.mjs";

let made = 0;
const newFile = (scene) => path.join(scene.work, `made-${++made}.txt`);

// A turn with one tool, each permission request answered by `kind`. Nothing must have happened when the agent asks.
async function toolTurn(scene, marker, file, kind) {
  const { client, sessionId } = await scene.conversation();
  let asked = 0;
  let turn;
  client.answerPermissions(sessionId, () => {
    ++asked;
    assert.equal(turn.isOver, false, "the turn waits for the permission");
    if (asked === 1) assert.equal(existsSync(file), false, "nothing happens before the permission");
    return kind;
  });
  turn = client.prompt(sessionId, marker);
  const { message } = await turn.answer;
  if (scene.recipe.asks) assert.ok(asked > 0, `it did not ask: ${client.text(sessionId)}`);
  return { message, asked };
}

function assertEnded({ message, asked }) {
  assert.equal(message.result?.stopReason, "end_turn", JSON.stringify(message));
  return asked ? "" : "does not ask";
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
