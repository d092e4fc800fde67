// usage: node plain_agent.mjs
// An ACP agent that takes words and links only, and answers a prompt with the kinds of its blocks. "/part" edits part.txt of its
// folder and tells only the lines around the edit, as many agents do.
import { writeFileSync } from "node:fs";
import path from "node:path";
import readline from "node:readline";

const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const lines = (changed = {}) => Array.from({ length: 40 }, (_, at) => `${changed[at] ?? `line ${at}`}\n`).join("");
let cwd;

function play(sessionId, prompt) {
  const update = (fields) => say({ method: "session/update", params: { sessionId, update: fields } });
  if (prompt[0].text === "/part") {
    const file = path.join(cwd, "part.txt");
    writeFileSync(file, lines({ 20: "changed" }));
    const content = [{ type: "diff", path: file, oldText: "line 20\n", newText: "changed\n" }];
    update({ sessionUpdate: "tool_call", toolCallId: "part", title: "edit a part", kind: "edit", status: "completed", content });
  }
  const text = `Heard: ${prompt.map(({ type }) => type).join(", ")}`;
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") say({ id, result: { protocolVersion: 1, agentCapabilities: {}, agentInfo: { name: "plain", version: "1" } } });
  else if (method === "session/new") {
    ({ cwd } = params);
    say({ id, result: { sessionId: "plain-1" } });
  } else if (method === "session/prompt") {
    play(params.sessionId, params.prompt);
    say({ id, result: { stopReason: "end_turn" } });
  } else if (id !== undefined) say({ id, error: { code: -32601, message: "Method not found" } });
}
