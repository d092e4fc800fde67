// Several conversations at once, in one instance and in two.
import assert from "node:assert/strict";
import { countedChunks } from "../stub_plan.mjs";

let made = 0;

// Both turns stream before either may end, and neither hears the other's words.
async function talkAtOnce(scene, first, second) {
  const sides = [first, second].map((side, i) => ({ ...side, word: `${["left", "right"][i]}-${++made}-` }));
  for (const side of sides) side.turn = side.client.prompt(side.sessionId, `[[stub:hold 40 ${side.word}]]`);
  await Promise.all(sides.map(({ client, sessionId, word }) =>
    client.whenText(sessionId, (text) => text.includes(word), `the first chunk of ${word}`)));
  for (const { word } of sides) scene.stub.release(word);
  for (const { client, sessionId, word, turn } of sides) {
    const { message } = await turn.answer;
    assert.equal(message.result?.stopReason, "end_turn", JSON.stringify(message));
    const expected = countedChunks(40, word).join("").trim();
    await client.whenText(sessionId, (text) => text.trim() === expected, `the text of ${word}`);
  }
}

export const parallel = {
  "two sessions at once": async (scene) => {
    const first = await scene.conversation();
    await talkAtOnce(scene, first, await scene.conversation());
  },

  "two instances at once": async (scene) => {
    const first = await scene.conversation();
    const client = await scene.newClient();
    await talkAtOnce(scene, first, { client, sessionId: await client.session(scene.work) });
    await scene.remove(client);
  },
};
