import { expect, test } from "vitest";
import { linePieces, runsByLine } from "./file_lines.js";

test("a text is cut into pieces of whole lines that know their numbers", () => {
  const pieces = linePieces(Array.from({ length: 250 }, (_, at) => `line ${at + 1}`).join("\n"));
  expect(pieces.map(({ first, lines }) => [first, lines.length, lines[0]])).toEqual([
    [1, 100, "line 1"],
    [101, 100, "line 101"],
    [201, 50, "line 201"],
  ]);
});

test("a line end at the end is no line, and an empty text has one", () => {
  expect(linePieces("a\n")[0]!.lines).toEqual(["a"]);
  expect(linePieces("")).toEqual([{ first: 1, lines: [""] }]);
});

test("stretches over several lines are one in each", () => {
  const runs = [
    { text: "a", kind: "x" },
    { text: "b\n\nc", kind: "y" },
  ];
  expect(runsByLine(runs)).toEqual([[runs[0], { text: "b", kind: "y" }], [], [{ text: "c", kind: "y" }]]);
});
