import { expect, test } from "vitest";
import { gapWords } from "./gap_words.js";

test("what the daemon dropped is said to be the daemon's loss", () => {
  expect(gapWords({ from: 1, to: 40 })).toMatch(/^40 events were lost: 1 to 40\. The daemon had to drop them/);
  expect(gapWords({ reason: "buffer_full" })).toBe("Events were lost, and it is not known how many (buffer full).");
});

test("what the page had forgotten when it saved a trace is not", () => {
  const words = "The page that saved this trace had only the newest.";
  expect(gapWords({ from: 1, to: 40, reason: "forgotten" })).toBe(`40 events were lost: 1 to 40. ${words}`);
  expect(gapWords({ reason: "forgotten" })).toBe(`Events were lost, and it is not known how many. ${words}`);
});
