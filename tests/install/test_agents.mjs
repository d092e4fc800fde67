// The programs that are installed: tiny ACP agents that say which version they are and where they run.

// A shell script. It starts in a few milliseconds and knows initialize and nothing else.
// `before`: shell text that runs first, such as one that leaves a mark and hangs.
export const shellAgent = (version, { before = "" } = {}) => `#!/bin/sh
${before}
while IFS= read -r line; do
  id=\${line#*\\"id\\":}
  id=\${id%%[,\\}]*}
  case $line in
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1,"agentCapabilities":{},"agentInfo":{"name":"shell","version":"${version}"}}}\\n' "$id" ;;
    *) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"not here"}}\\n' "$id" ;;
  esac
done
`;

export const configOptions = [
  select("model", "model", "small", ["small", "large"]),
  select("mode", "mode", "ask", ["ask", "code"]),
  select("effort", "thought_level", "low", ["low", "high"]),
];

function select(id, category, currentValue, values) {
  const options = values.map((value) => ({ value, name: value.toUpperCase() }));
  return { id, name: id, category, type: "select", currentValue, options };
}

// A Node.js program: initialize, session/new with what it offers, session/prompt (echoed), and _test/surroundings, which tells
// its arguments, environment and program. `fault`: "mute" never answers, "mute-later" answers initialize and nothing else,
// "exit" writes a line to stderr and ends.
export const nodeAgent = (version, { fault = "", before = "" } = {}) => `#!/usr/bin/env node
${before}
const version = ${JSON.stringify(version)};
const fault = ${JSON.stringify(fault)};
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
if (fault === "exit") {
  console.error("this agent is broken on purpose");
  process.exit(3);
}
const methods = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {}, agentInfo: { name: "node", version } }),
  "session/new": () => ({
    sessionId: "only",
    configOptions: ${JSON.stringify(configOptions)},
    modes: { currentModeId: "ask", availableModes: [{ id: "ask", name: "ASK" }, { id: "code", name: "CODE" }] },
    models: { currentModelId: "small", availableModels: [{ modelId: "small", name: "SMALL" }, { modelId: "large", name: "LARGE" }] },
  }),
  "session/prompt": ({ sessionId, prompt }) => {
    for (const content of prompt)
      say({ method: "session/update", params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content } } });
    return { stopReason: "end_turn" };
  },
  "_test/surroundings": () => ({ argv: process.argv, env: process.env, execPath: process.execPath, script: __filename }),
};
let rest = "";
process.stdin.setEncoding("utf8").on("data", (text) => {
  const lines = (rest + text).split("\\n");
  rest = lines.pop();
  for (const { id, method, params } of lines.filter(Boolean).map((line) => JSON.parse(line))) {
    if (fault === "mute" || (fault === "mute-later" && method !== "initialize") || id === undefined) continue;
    if (methods[method]) say({ id, result: methods[method](params) });
    else say({ id, error: { code: -32601, message: "not here" } });
  }
});
`;
