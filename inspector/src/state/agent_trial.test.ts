import { expect, test } from "vitest";
import { answeredOf, hintOf } from "./agent_trial.js";

test("an answer to initialize is read without believing it", () => {
  const result = {
    protocolVersion: 1,
    agentInfo: { name: "shell", title: "Shell", version: "1.2" },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: false, _meta: { x: 1 } },
      sessionCapabilities: { list: {} },
      odd: 7,
    },
    authMethods: [{ id: "key", name: "A key" }, { id: "login" }, "nonsense"],
  };
  expect(answeredOf(result)).toEqual({
    protocolVersion: 1,
    name: "Shell",
    version: "1.2",
    capabilities: [
      { name: "loadSession", value: "yes" },
      { name: "prompt.image", value: "no" },
      { name: "session.list", value: "yes" },
      { name: "odd", value: "7" },
    ],
    signIn: ["A key", "login"],
  });
});

test("an agent need not say much", () => {
  expect(answeredOf({ protocolVersion: 1 })).toEqual({ protocolVersion: 1, capabilities: [], signIn: [] });
});

test("what is no answer is none", () => {
  for (const nonsense of ["banana", null, undefined, [], {}, { protocolVersion: "one" }])
    expect(answeredOf(nonsense)).toBeUndefined();
});

test("a process is said to be ended only if it was, and its error output only if there is one", () => {
  const trial = { serverId: "x", state: "failed", step: "end", startedAt: 0, failure: { message: "No." } } as const;
  expect(hintOf(trial)).toBe("Its process was ended.");
  expect(hintOf({ ...trial, failure: { message: "No.", stderr: "oops" } })).toMatch(/was ended\. .*error output/);
  expect(hintOf({ ...trial, left: "Not reached." })).toBeUndefined();
  expect(hintOf({ ...trial, failure: { message: "No.", hint: "Do this." } })).toBe("Do this.");
});
