import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { InstanceLog } from "./log.js";
import { sdkCodeOf } from "./sdk_code.js";
import { Trace } from "./trace.js";

const target = { baseUrl: "http://127.0.0.1:2468", serverId: "one two", agent: "mock", hasToken: true };
const sessionId = "s";
const root = fileURLToPath(new URL("../../../", import.meta.url));

const requests: readonly (readonly [string, object])[] = [
  ["session/prompt", { sessionId, prompt: [{ type: "text", text: 'say "hi"\nagain' }] }],
  [
    "session/prompt",
    {
      sessionId,
      prompt: [
        { type: "text", text: "a" },
        { type: "resource_link", uri: "file:///a", name: "a" },
      ],
    },
  ],
  ["session/set_mode", { sessionId, modeId: "plan" }],
  ["session/set_model", { sessionId, modelId: "big" }],
  ["session/set_config_option", { sessionId, configId: "think", value: "high" }],
  ["session/new", { cwd: "/project", mcpServers: [] }],
  ["session/new", { cwd: "/project", mcpServers: [{ name: "files", command: "/bin/files", args: [], env: [] }] }],
  ["session/close", { sessionId }],
  ["session/list", { cwd: "/project" }],
  ["initialize", { protocolVersion: 1, clientCapabilities: {} }],
  ["_mine/do", { "odd name": [1, null, { deep: true }] }],
];

function codes(): string[] {
  const log = new InstanceLog();
  const client = (message: object) => log.client({ jsonrpc: "2.0", ...message }, JSON.stringify(message));
  requests.forEach(([method, params], id) => client({ id: `r${id}`, method, params }));
  client({ method: "session/cancel", params: { sessionId } });
  client({ method: "_mine/told", params: {} });
  const ask = { jsonrpc: "2.0", id: 5, method: "session/request_permission", params: { sessionId } };
  log.agent(1, ask, JSON.stringify(ask));
  client({ id: 5, result: { outcome: { outcome: "selected", optionId: "yes" } } });
  client({ id: 6, result: { content: "x" } });
  client({ id: 7, error: { code: -32601, message: "no" } });
  log.gap({ from: 2, to: 4 });
  return new Trace().catchUp(log).rows.map((row) => sdkCodeOf(row, target, "/project"));
}

/** What the compiler has to say of these programs, against the sources of the packages. */
function complaints(programs: readonly string[]): string[] {
  const files = new Map(programs.map((code, at) => [path.join(root, "inspector/src/state", `program_${at}.ts`), code]));
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: [
      "lib.es2023.d.ts",
      "lib.dom.d.ts",
      "lib.dom.iterable.d.ts",
      "lib.dom.asynciterable.d.ts",
      "lib.esnext.disposable.d.ts",
    ],
    types: ["node"],
    baseUrl: root,
    paths: {
      "acp-http-client": ["sdk/acp-http-client/src/index.ts"],
      "sandbox-agent": ["sdk/sandbox-agent/src/index.ts"],
      "#spawn": ["sdk/sandbox-agent/src/spawn/node.ts"],
    },
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile, readFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.getSourceFile = (name, version, ...rest) => {
    const code = files.get(name);
    return code === undefined ? getSourceFile(name, version, ...rest) : ts.createSourceFile(name, code, version);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((name) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(name))
      .map(({ messageText }) => `${ts.flattenDiagnosticMessageText(messageText, "\n")}\n${files.get(name)}`),
  );
}

test("every line of the Trace becomes a program that compiles", { timeout: 120_000 }, () => {
  const wrong = 'import { SandboxAgent } from "sandbox-agent";\nSandboxAgent.nothing();';
  const said = complaints([...codes(), wrong]);
  expect(said.slice(0, -1)).toEqual([]);
  expect(said.at(-1)).toMatch(/'nothing' does not exist/);
});

test("what the package has a call for is that call, and the token is not in it", () => {
  const all = codes().join("\n");
  for (const call of ["session.prompt(", "session.cancel()", 'setMode("plan")', 'choose("yes")', 'client.request("_mine/do"'])
    expect(all).toContain(call);
  expect(all).toContain("process.env.SANDBOX_AGENT_TOKEN");
});
