// usage: node nonsense_agent.mjs shape|prose
// No ACP agent. "shape": JSON-RPC, but every answer is a word. "prose": a sentence, and the end.
import readline from "node:readline";

if (process.argv[2] === "prose") {
  console.log("Welcome! Please run `login` first.");
  console.error("nonsense: no terminal, giving up");
  process.exit(3);
}
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: "banana" }));
}
