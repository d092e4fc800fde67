import { expect, test } from "vitest";
import { endWord, textIn, toolWord } from "./blocks.js";

test.each([
  ["in_progress", "pending", "pending"],
  ["in_progress", "in_progress", "running"],
  ["in_progress", undefined, "running"],
  ["completed", "completed", "done"],
  ["failed", "failed", "failed"],
  ["interrupted", "in_progress", "interrupted"],
] as const)("a tool that is %s and said %s is %s", (status, state, word) => {
  expect(toolWord(status, state)).toBe(word);
});

test.each([
  ["end_turn", "done"],
  [undefined, "done"],
  ["", "done"],
  ["cancelled", "cancelled"],
  ["max_tokens", "stopped: token limit"],
  ["max_turn_requests", "stopped: request limit"],
  ["refusal", "refused"],
  ["bored", "ended: bored"],
  ["constructor", "ended: constructor"],
])("a turn that ended with %s is called %s", (stopReason, word) => {
  expect(endWord({ phase: "ended", ...(stopReason !== undefined && { stopReason }) })).toBe(word);
});

test("a turn that did not end by itself is called by what happened", () => {
  expect(endWord({ phase: "failed" })).toBe("failed");
  expect(endWord({ phase: "interrupted" })).toBe("interrupted");
});

test("the text of an item is all of its words, and nothing else", () => {
  const content = [{ type: "text", text: "a" } as const, { type: "image" } as const, { type: "reasoning", text: "b" } as const];
  expect(textIn({ item_id: "", kind: "message", role: "assistant", status: "completed", content })).toBe("ab");
});
