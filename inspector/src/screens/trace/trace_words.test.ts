import { expect, test } from "vitest";
import { durationText, timeText } from "./trace_words.js";

test("durations are as exact as one wants them", () => {
  const spelled = [-1, 0, 0.4, 999, 1000, 1260, 59_999, 60_000, 185_000, 7_440_000].map(durationText);
  expect(spelled).toEqual([
    "0 ms",
    "0 ms",
    "0 ms",
    "999 ms",
    "1.0 s",
    "1.2 s",
    "59.9 s",
    "1 min 0 s",
    "3 min 5 s",
    "2 h 4 min",
  ]);
});

test("times are those of the reader's clock, to the millisecond", () => {
  expect(timeText(new Date(2026, 0, 2, 3, 4, 5, 6).getTime())).toBe("03:04:05.006");
});
