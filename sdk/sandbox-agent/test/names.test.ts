// The names this package shows to the world. The protocol underneath has none of them, and the documents do not speak of it.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import "./guards.js";

const place = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const built = place("../dist/index.js");
const types = place("../dist/index.d.ts");
const removed = ["createAcpClient", "postAcpEnvelope", "closeAcpClient", "SandboxAgentAcpClient"];

const slow = 60_000 * Number(process.env.SA_TIME_SCALE ?? 1); // the compiler, on a busy machine

/** All exported names, types included, and where each is declared. */
function exportedTypes(): Map<string, string[]> {
  const how = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, types: ["node"] };
  const program = ts.createProgram([types], how);
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(types);
  const symbol = file && checker.getSymbolAtLocation(file);
  if (!symbol) throw new Error("build the package first: scripts/build-sdk");
  const declared = (each: ts.Symbol) => {
    const real = each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each;
    return (real.declarations ?? []).map((node) => node.getSourceFile().fileName);
  };
  return new Map(checker.getExportsOfModule(symbol).map((each) => [each.name, declared(each)]));
}

test("what can be imported is what is documented", async () => {
  const module = (await import(/* @vite-ignore */ built)) as object;
  expect(Object.keys(module).sort()).toEqual([
    "AgentExitedError",
    "AgentNotFoundError",
    "Agents",
    "AlreadyConnectedError",
    "AuthError",
    "CancelledError",
    "Daemon",
    "Files",
    "InstallError",
    "McpServers",
    "NotConnectedError",
    "SandboxAgent",
    "SandboxAgentClient",
    "SandboxAgentError",
    "Session",
    "Skills",
    "TimeoutError",
    "Turn",
    "isBehind",
    "spawnSandboxAgent",
    "version",
  ]);
});

test("no exported name, type or value, is the protocol's", { timeout: slow }, () => {
  const names = [...exportedTypes().keys()];
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => removed.includes(name) || /acp/i.test(name))).toEqual([]);
});

test("nothing is exported straight from another package", { timeout: slow }, () => {
  for (const [name, files] of exportedTypes()) {
    for (const file of files) expect(file, name).toContain("/sandbox-agent/dist/");
  }
});

test("the client has the names of the method table", async () => {
  const { SandboxAgentClient } = (await import(/* @vite-ignore */ built)) as typeof import("../src/index.js");
  const table = [
    ...["connect", "disconnect", "newSession", "loadSession", "prompt", "cancel", "setSessionMode", "setSessionConfigOption"],
    ...["listSessions", "forkSession", "resumeSession", "setSessionModel", "listModels", "setMetadata", "detachSession"],
    ...["terminateSession", "authenticate"],
  ];
  const names = Object.getOwnPropertyNames(SandboxAgentClient.prototype);
  expect(names).toEqual(expect.arrayContaining(table));
  expect(names.filter((name) => /acp|unstable|extMethod/i.test(name))).toEqual([]);
});

test.each(["../../../docs/guide/sdk.md", "../README.md"])("%s does not speak of the protocol", (document) => {
  const file = place(document);
  if (!existsSync(file)) return;
  const text = readFileSync(file, "utf8");
  for (const name of removed) expect(text).not.toContain(name);
  expect(text).not.toMatch(/\bACP\b/);
});
