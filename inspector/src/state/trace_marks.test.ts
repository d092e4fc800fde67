import { expect, test } from "vitest";
import { piecesOf, placeOf } from "./trace_marks.js";

test("what was found is marked, and nothing is lost", () => {
  const pieces = piecesOf("Hello hello, help", "hel");
  expect(pieces.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join("")).toBe("[Hel]lo [hel]lo, [hel]p");
  expect(piecesOf("a.b", ".").filter(({ isMarked }) => isMarked)).toHaveLength(1);
  expect(piecesOf("text", undefined)).toEqual([{ text: "text", isMarked: false }]);
});

test("a preview that does not show it makes room for where it is", () => {
  const json = `{"jsonrpc":"2.0","method":"session/update","params":{"hidden":"needle here"}}`;
  expect(placeOf(json, "needle", "NEEDLE")).toBe("needle");
  expect(placeOf(json, "other", "needle")).toMatch(/^….*"hidden":"needle here/);
  expect(placeOf(json, "other", undefined)).toBe("other");
});
