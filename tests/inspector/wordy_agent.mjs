// usage: node wordy_agent.mjs
// An ACP agent with long names for its modes, models and commands. It answers in Hebrew, and says much in colours on its error
// output as it begins; "/end" ends it.
import readline from "node:readline";

const long = (first, length) => `${first} ${"W".repeat(length)}`.slice(0, length);
const choices = (first, length) => [{ id: first, name: long(first, length) }, { id: "other", name: "other" }];
const modes = { currentModeId: "careful", availableModes: choices("careful", 75) };
const models = { currentModelId: "large", availableModels: choices("large", 50).map(({ id, name }) => ({ modelId: id, name })) };
const availableCommands = [{ name: `go_${"on_".repeat(60)}`, description: "x".repeat(300) }];
const answer = "שלום\n\n- אחת\n- שתיים\n\n1. אחת\n\n> ציטוט\n\n| א | ב |\n|---|---|\n| ג | ד |\n";

const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const update = (sessionId, fields) => say({ method: "session/update", params: { sessionId, update: fields } });
for (let line = 1; line <= 200; ++line) console.error(`\x1b[31mred\x1b[0m line ${line}`);
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") say({ id, result: { protocolVersion: 1, agentCapabilities: {}, agentInfo: { name: "wordy", version: "1" } } });
  else if (method === "session/new") {
    say({ id, result: { sessionId: "wordy-1", modes, models } });
    update("wordy-1", { sessionUpdate: "available_commands_update", availableCommands });
  } else if (method === "session/prompt") {
    if (params.prompt[0].text === "/end") process.exit(3);
    update(params.sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text: answer } });
    say({ id, result: { stopReason: "end_turn" } });
  } else if (id !== undefined) say({ id, error: { code: -32601, message: "Method not found" } });
}
