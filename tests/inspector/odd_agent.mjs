// usage: node odd_agent.mjs
// An agent that does not keep to the protocol: every answer is a word, and behind the first one come an update whose text is a number,
// and a line that is nothing but a number.
import readline from "node:readline";

const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
let isFirst = true;
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id } = JSON.parse(line);
  if (id === undefined) continue;
  say({ id, result: "banana" });
  const content = { type: "text", text: 3 };
  if (isFirst) {
    say({ method: "session/update", params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content } } });
    console.log("42");
  }
  isFirst = false;
}
