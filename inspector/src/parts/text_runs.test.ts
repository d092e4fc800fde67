import fc from "fast-check";
import { expect, test } from "vitest";
import { cutRuns } from "./text_runs.js";

const text = fc.array(fc.constantFrom("a", "word", " ", "longer words "), { maxLength: 60 }).map((pieces) => pieces.join(""));

test("runs are the text, and none is much longer than asked", () => {
  fc.assert(
    fc.property(text, (all) => {
      const runs = cutRuns(all, " ", 8);
      expect(runs.join("")).toBe(all);
      expect(Math.max(0, ...runs.map((run) => run.length))).toBeLessThanOrEqual(16);
    }),
  );
});

test("runs stay what they are while the text grows, save the last", () => {
  fc.assert(
    fc.property(text, text, (all, more) => {
      const before = cutRuns(all, " ", 8).slice(0, -1);
      expect(cutRuns(all + more, " ", 8).slice(0, before.length)).toEqual(before);
    }),
  );
});
