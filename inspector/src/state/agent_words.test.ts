import type { AgentInfo } from "sandbox-agent/daemon";
import { expect, test } from "vitest";
import { installAfter, installOf } from "./agent_install.js";
import {
  bundleCommands,
  capabilityWord,
  commandLine,
  credentialsHint,
  credentialsWord,
  isInstallable,
  isOurs,
  setUpLines,
  sourceWord,
  stateWord,
} from "./agent_words.js";

const agent = (fields: object) => ({ id: "a", install: {}, instructions: "", ...fields }) as unknown as AgentInfo;

test.each([
  ["found", "A_KEY", "found in A_KEY"],
  ["found", undefined, "found"],
  ["missing", undefined, "not found"],
  ["not_needed", undefined, "not needed"],
  ["unknown", undefined, "unknown"],
])("credentials that are %s at %s", (credentials, credentialsPlace, word) => {
  expect(credentialsWord(agent({ credentials, credentialsPlace }))).toBe(word);
});

test("how to add credentials is one sentence of the instructions, and the others are how to get it", () => {
  const some = agent({ instructions: "Install it with x.\nSet A_KEY or B_KEY.\n" });
  expect(credentialsHint(some)).toBe("Set A_KEY or B_KEY.");
  expect(setUpLines(some)).toEqual(["Install it with x."]);
  expect(credentialsHint(agent({ instructions: "It needs no credentials.\n" }))).toBeUndefined();
});

test("what is started is the path, with the arguments that were told", () => {
  expect(commandLine(agent({}))).toBeUndefined();
  expect(commandLine(agent({ path: "/bin/a-acp", instructions: "Install it with x.\n" }))).toBe("/bin/a-acp");
  const custom = { path: "/bin/sh", instructions: "Nothing to install: it is started as `sh -c x`.\n" };
  expect(commandLine(agent(custom))).toBe("/bin/sh -c x");
  const own = { path: "/opt/daemon", instructions: "Nothing to install: it is started as `{self} mock-agent`.\nNo key.\n" };
  expect(commandLine(agent(own))).toBe("/opt/daemon mock-agent");
});

test("only what the daemon installed is reinstalled and removed, and only what it knows a source of is installed", () => {
  const of = (source: string, installed: boolean) => agent({ installed, install: { source } });
  expect([of("registry", true), of("fallback", true), of("local_path", true), of("builtin", true)].map(isOurs)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([of("registry", false), of("local_path", false)].map(isInstallable)).toEqual([true, false]);
});

test("what is being done comes before what the agent is", () => {
  const ready = agent({ installed: true, credentials: "found", install: { source: "registry" } });
  expect(stateWord(ready, undefined)).toBe("ready");
  const again = installOf({ reinstall: true }, true, 0);
  expect(stateWord(ready, again)).toBe("installing");
  const failure = { message: "no", isOffline: false };
  expect(stateWord(ready, installAfter(again, { type: "failed", failure, at: 1 }))).toBe("ready, install failed");
});

test("words are plain", () => {
  expect([sourceWord("local_path"), sourceWord(undefined)]).toEqual(["custom", "unknown"]);
  expect(["mcpTools", "sessionLifecycle", "mcp.http", "loadSession"].map(capabilityWord)).toEqual([
    "MCP tools",
    "session lifecycle",
    "MCP HTTP",
    "load session",
  ]);
  expect(bundleCommands("a")[0]).toBe("sandbox-agent agents bundle a -o a.tar.zst");
});
