// Much output, and readers that come and go: nothing is lost, doubled or out of order.
import assert from "node:assert/strict";
import { EventReader, readInPieces } from "../event_reader.mjs";
import { bigChunks, countedChunks } from "../stub_plan.mjs";
import { within } from "../waiting.mjs";

const bytes = ({ id, data }) => `${id} ${data}`;

export const streams = {
  "long output": async (scene) => {
    const { client, sessionId } = await scene.conversation();
    const { message } = await client.prompt(sessionId, "[[stub:big 2000 40]]").answer;
    assert.equal(message.result?.stopReason, "end_turn", JSON.stringify(message));
    const expected = bigChunks(2000, 40).join("").trim();
    await client.whenText(sessionId, (text) => text.length >= expected.length, "the whole text");
    assert.equal(client.text(sessionId).trim(), expected);
    return `${client.updates(sessionId, "agent_message_chunk").length} chunks`;
  },

  // One reader stays, one is cut off after every tenth event and resumes; both see the same bytes under the same numbers.
  "reconnect mid-turn": async (scene) => {
    const { client, sessionId } = await scene.conversation();
    const after = client.reader.events.at(-1).id;
    const turn = client.prompt(sessionId, "[[stub:slow 150 8 again]]");
    const staying = new EventReader(client.daemon, client.serverId, { after, onEvent: (event) => !turn.isAnswer(event) });
    const { events, resumed } = await readInPieces(client.daemon, client.serverId, { after, every: 10, isLast: turn.isAnswer });
    await within(staying.ended, "the answer on the stream");
    assert.deepEqual(events.map(bytes), staying.events.map(bytes));
    assert.deepEqual(events.map(({ id }) => id), events.map((_, i) => after + 1 + i), "numbers are dense");
    assert.ok(resumed >= 3, `only ${resumed} times cut off`);

    const { message } = await turn.answer;
    assert.equal(message.result?.stopReason, "end_turn", JSON.stringify(message));
    const expected = countedChunks(150, "again").join("").trim();
    await client.whenText(sessionId, (text) => text.trim() === expected, "the whole text");
    return `resumed ${resumed} times`;
  },
};
