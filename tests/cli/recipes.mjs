// How to call each command so that it prints its documents. `words` follow the command's name; `input`: on stdin; `until`: it is
// interrupted after this text; `codes`: how it may end, else 0 only; `own`: it gets a home without a daemon.
const initialize = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } });
const talking = ["talking"];  // an instance that is there
const mcp = ["--directory", "project", "--mcp-name"];
const skills = ["--directory", "project", "--skill-name"];

// Either order of what was asked for is fine; what is interrupted says so.
const interrupted = [0, 130];

export const recipes = {
  run: [
    { words: ["hello"] },
    { words: ["/plan"] },
    { words: ["/edit"] },
    { words: ["/think"] },
    { words: ["/tool"] },
    { words: ["--yes", "/permission"] },
    { words: ["--deny", "/permission"], codes: [7] },
    { words: ["/permission"], codes: [7] },
    { words: ["/error"], codes: [1] },
    { words: ["/auth"], codes: [9] },
    { words: ["/crash 3"], codes: [6] },
    { words: ["--timeout", "1", "/slow 1000"], codes: [8] },
    { words: ["/slow 1000"], until: "step 2 of", codes: [130] },
    { words: ["-a", "no-such-agent", "hello"], codes: [5] },
    { words: [], input: "", codes: [2] },
  ],
  up: [{ words: ["--no-open"] }],
  ui: [{ words: ["--no-open"] }, { words: ["--no-open"], own: true, codes: [3] }],
  server: [{ words: ["--port", "0"], until: "ready" }, { words: ["--port", "seventy"], codes: [2] }],
  "daemon start": [{ words: [] }, { words: ["--port", "seventy"], codes: [2] }],
  "daemon status": [{ words: [] }, { words: [], own: true, codes: [3] }],
  "daemon stop": [{ words: [], own: true }],
  ps: [{ words: [] }, { words: [], own: true, codes: [3] }],
  logs: [
    { words: talking },
    { words: ["--trace", ...talking] },
    { words: ["-f", "--trace", ...talking], until: "initialize", codes: interrupted },
    { words: ["nobody"], codes: [1] },
  ],
  stop: [{ words: ["short-lived"] }, { words: ["nobody"], codes: [1] }],
  attach: [{ words: talking, until: "{", codes: interrupted }, { words: ["nobody"], codes: [1] }],
  "agents list": [{ words: [] }],
  "agents info": [{ words: ["mock"] }, { words: ["claude"] }, { words: ["no-such-agent"], codes: [5] }],
  "agents install": [{ words: ["mock"] }, { words: ["no-such-agent"], codes: [5] }],
  "install-agent": [{ words: ["mock"] }],
  "agents remove": [{ words: ["mock"] }, { words: ["no-such-agent"], codes: [5] }],
  "agents bundle": [{ words: ["no-such-agent", "-o", "bundle"], codes: [5] }],
  "credentials status": [{ words: [] }],
  "credentials extract": [{ words: [], codes: [0, 9] }],
  "credentials extract-env": [{ words: [], codes: [0, 9] }],
  doctor: [{ words: [], codes: [0, 1] }],
  "trace export": [{ words: talking }, { words: ["nobody"], codes: [1] }],
  "trace import": [{ words: ["good.ndjson"] }, { words: ["missing.ndjson"], codes: [1] }],
  "trace check": [{ words: ["good.ndjson"] }, { words: ["bad.ndjson"], codes: [1] }],
  completion: [{ words: ["bash"] }, { words: ["tcsh"], codes: [2] }],
  version: [{ words: [] }],
  help: [{ words: [] }],

  "api health": [{ words: [] }],
  "api status": [{ words: [] }],
  "api openapi": [{ words: [] }],
  "api acp list": [{ words: [] }],
  "api acp post": [{ words: ["posted", initialize, "--agent", "mock"] }, { words: ["another", "[]", "--agent", "mock"], codes: [1, 2] }],
  "api acp stream": [{ words: talking, until: "{", codes: interrupted }],
  "api acp close": [{ words: ["posted"] }],
  "api acp stderr": [{ words: talking }, { words: ["nobody"], codes: [1] }],
  "api agents list": [{ words: [] }],
  "api agents get": [{ words: ["mock"] }, { words: ["no-such-agent"], codes: [1, 5] }],
  "api agents install": [{ words: ["mock"] }],
  "api agents remove": [{ words: ["mock"] }],
  "api fs entries": [{ words: [] }],
  "api fs stat": [{ words: ["--path", "kept"] }, { words: ["--path", "nothing"], codes: [1] }],
  "api fs read": [{ words: ["--path", "kept", "-o", "read"] }],
  "api fs write": [{ words: ["--path", "written"], input: "content" }],
  "api fs delete": [{ words: ["--path", "written"] }],
  "api fs mkdir": [{ words: ["--path", "made"] }],
  "api fs move": [{ words: ["--from", "made", "--to", "moved"] }],
  "api fs upload-batch": [{ words: ["--path", "unpacked"], input: "\0".repeat(1024) }],
  "api config mcp put": [{ words: [...mcp, "x", "--type", "remote", "--url", "https://mcp.example/"] }],
  "api config mcp get": [{ words: [...mcp, "x"] }, { words: [...mcp, "nobody"], codes: [1] }],
  "api config mcp delete": [{ words: [...mcp, "x"] }],
  "api config skills put": [{ words: [...skills, "x", "--sources", "[]"] }],
  "api config skills get": [{ words: [...skills, "x"] }],
  "api config skills delete": [{ words: [...skills, "x"] }],
};

// Commands that make what the recipes use.
export const scenery = [
  ["daemon", "start", "--port", "0", "--idle-exit-ms", "120000"],
  ["api", "acp", "post", "talking", initialize, "--agent", "mock"],
  ["api", "acp", "post", "short-lived", initialize, "--agent", "mock"],
];

export const files = {
  kept: "content",
  "good.ndjson": [
    { direction: "client", envelope: { jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: "/", mcpServers: [] } } },
    { seq: 1, direction: "agent", envelope: { jsonrpc: "2.0", id: 1, result: { sessionId: "s" } } },
  ].map((line) => JSON.stringify(line) + "\n").join(""),
  "bad.ndjson": "no json\n",
};
