import type { AgentInfo } from "sandbox-agent/daemon";
import { expect, test } from "vitest";
import { agentWord, defaultAgent } from "./agent_choice.js";

const agent = (id: string, installed: boolean, credentials: AgentInfo["credentials"], source = "registry") =>
  ({ id, installed, credentials, install: { source } }) as AgentInfo;
const demo = agent("demo", true, "not_needed", "builtin");

test.each([
  [demo, "built in"],
  [agent("a", false, "found"), "not installed"],
  [agent("a", false, "missing"), "not installed"],
  [agent("a", true, "missing"), "needs key"],
  [agent("a", true, "found"), "ready"],
  [agent("a", true, "not_needed"), "ready"],
  [agent("a", true, "unknown"), "ready"],
])("an agent has a word: %#", (info, word) => {
  expect(agentWord(info)).toBe(word);
});

test("the last choice is the default, as long as there is such an agent", () => {
  const agents = [demo, agent("a", true, "found"), agent("b", false, "missing")];
  expect(defaultAgent(agents, "b")).toBe("b");
  expect(defaultAgent(agents, "gone")).toBe("a");
});

test("before the first choice it is one that works at once, with the user's own key if there is one", () => {
  const [installed, keyed, free, keyless] = [
    agent("installed", true, "found"),
    agent("keyed", false, "found"),
    agent("free", true, "not_needed"),
    agent("keyless", true, "missing"),
  ];
  expect(defaultAgent([demo, keyless, keyed, free, installed], undefined)).toBe("installed");
  expect(defaultAgent([demo, keyless, keyed, free], undefined)).toBe("free");
  expect(defaultAgent([demo, keyless, keyed], undefined)).toBe("keyed");
  expect(defaultAgent([keyless, demo], undefined)).toBe("demo");
});

test("what needs no key and is not there yet is not fetched unasked", () => {
  expect(defaultAgent([agent("free", false, "not_needed"), demo], undefined)).toBe("demo");
});

test("without any that fits it is the first, and without any it is none", () => {
  expect(defaultAgent([agent("a", false, "missing"), agent("b", false, "missing")], undefined)).toBe("a");
  expect(defaultAgent([], "a")).toBeUndefined();
});
