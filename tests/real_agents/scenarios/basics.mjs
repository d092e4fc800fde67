// Starting, an ACP session, a streamed turn; the same without credentials.
import assert from "node:assert/strict";
import { countedChunks } from "../stub_plan.mjs";

export const basics = {
  initialize: async (scene) => {
    const { about } = await scene.client();
    assert.equal(about.protocolVersion, 1);
  },

  "session/new": async (scene) => {
    const { sessionId } = await scene.conversation();
    assert.equal(typeof sessionId, "string");
  },

  "streamed text": async (scene) => {
    const { client, sessionId } = await scene.conversation();
    const turn = client.prompt(sessionId, "[[stub:hold 20 word]]");
    await client.whenText(sessionId, (text) => text.includes("word0"), "a chunk before the answer");
    scene.stub.release("word");
    const { message, eventId } = await turn.answer;
    assert.equal(message.result?.stopReason, "end_turn", JSON.stringify(message));

    const expected = countedChunks(20, "word").join("").trim();
    await client.whenText(sessionId, (text) => text.trim() === expected, "the whole text, in order");
    const isChunk = ({ params }) => params?.sessionId === sessionId && params.update?.sessionUpdate === "agent_message_chunk";
    const chunks = client.reader.events.filter((event) => isChunk(event.message));
    assert.ok(chunks.length > 1, "more than one chunk");
    const late = chunks.filter(({ id }) => id > eventId).length;
    return late ? `${late} of ${chunks.length} chunks come after the answer` : "";
  },
};

// What the agent itself says without its key: a JSON-RPC error is an answer, HTTP 200.
export const credentials = {
  "missing credentials": async (scene) => {
    const client = await scene.newClient(await scene.keylessDaemon());
    const opened = await client.request("session/new", { cwd: scene.work, mcpServers: [] });
    assert.equal(opened.status, 200, opened.body);
    if (opened.message.error) return `session/new: error ${opened.message.error.code}`;
    const { status, message, body } = await client.prompt(opened.message.result.sessionId, "[[stub:text hello]]").answer;
    assert.equal(status, 200, body);
    return message.error ? `session/prompt: error ${message.error.code}` : `session/prompt: ${message.result.stopReason}`;
  },
};
