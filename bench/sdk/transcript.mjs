// What it costs to convert a log of 100,000 messages: CPU time of one conversion, medians. Prints a Markdown table.
// usage: node bench/sdk/transcript.mjs [messages, default 100000] [rounds, default 5]
import { toTranscript, Transcript } from "sandbox-agent/transcript";

const [messages = 100_000, rounds = 5] = process.argv.slice(2).map(Number);
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

// Turns of a thousand messages: words, and a tool call every twenty.
function message(i) {
  const at = i % 1000;
  const update = (fields) => ({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: fields } });
  if (at === 0) return { jsonrpc: "2.0", id: i, method: "session/prompt", params: { sessionId: "s", prompt: [{ type: "text", text: "go" }] } };
  if (at === 999) return { jsonrpc: "2.0", id: i - 999, result: { stopReason: "end_turn" } };
  if (at % 20 === 10) return update({ sessionUpdate: "tool_call", toolCallId: `t${i}`, title: "a tool", status: "pending" });
  if (at % 20 === 11) return update({ sessionUpdate: "tool_call_update", toolCallId: `t${i - 1}`, status: "completed" });
  return update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "a few words more " } });
}

const entries = Array.from({ length: messages }, (_, i) => {
  const from = i % 1000 === 0 ? "client" : "agent";
  return { from, eventId: i + 1, nth: 0, epoch: 1, at: 1_700_000_000_000 + i, message: message(i) };
});

// A live reader keeps no events; the other one keeps them all, and pays for their memory.
const kinds = {
  "entry by entry": () => {
    const transcript = new Transcript();
    let events = 0;
    for (const entry of entries) events += transcript.push(entry).length;
    return events + transcript.flush().length;
  },
  "all at once": () => toTranscript(entries).length,
};

console.log(`Medians of ${rounds}; a log of ${messages} messages.\n`);
console.log("| How | events | CPU time | per message |\n|---|---|---|---|");
for (const [kind, convert] of Object.entries(kinds)) {
  let events = 0;
  const times = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    events = convert();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  console.log(`| ${kind} | ${events} | ${median(times).toFixed(0)} ms | ${((median(times) * 1000) / messages).toFixed(2)} µs |`);
}
