import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ansiText, type AnsiLook } from "./ansi_text.js";

const lines = (text: string) => ansiText(text).lines.map((line) => line.map((run) => run.text).join(""));
const looks = (text: string) => ansiText(text).lines.flatMap((line) => line.map((run) => [run.text, run.look]));

describe("the output of a terminal", () => {
  test("plain text is lines", () => expect(lines("a\nb\n\nc")).toEqual(["a", "b", "", "c"]));

  test.each<[string, AnsiLook]>([
    ["31", { colour: 1 }],
    ["97", { colour: 15 }],
    ["44", { ground: 4 }],
    ["101", { ground: 9 }],
    ["1;3;4;7", { bold: true, italic: true, underline: true, inverse: true }],
    ["2", { dim: true }],
    ["38;5;9", { colour: 9 }],
    ["38;5;196", { colour: "rgb(255 0 0)" }],
    ["48;5;244", { ground: "rgb(128 128 128)" }],
    ["38;2;1;2;3", { colour: "rgb(1 2 3)" }],
    ["38:2::1:2:3", { colour: "rgb(1 2 3)" }],
    ["38;2;1;2;3;1", { colour: "rgb(1 2 3)", bold: true }],
    ["1;22;31;39;41;49;0", {}],
    ["1;;3", { italic: true }],
    ["38;2;999;0;0", {}],
    ["38", {}],
  ])("the parameters %s are a look", (parameters, look) => {
    expect(looks(`\x1b[${parameters}mx`)).toEqual([["x", look]]);
  });

  test("a reset ends a look, also without parameters", () => {
    expect(looks("\x1b[1ma\x1b[mb")).toEqual([
      ["a", { bold: true }],
      ["b", {}],
    ]);
  });

  test("a carriage return writes over the line", () => {
    expect(lines("50 %\r100 %\ndone\rDO")).toEqual(["100 %", "DOne"]);
    expect(lines("a\r\nb\r\n")).toEqual(["a", "b"]);
  });

  test("writing over keeps the looks of what is left", () => {
    expect(looks("\x1b[31mabcd\r\x1b[32mX")).toEqual([
      ["X", { colour: 2 }],
      ["bcd", { colour: 1 }],
    ]);
  });

  test("a backspace goes back, not beyond the start", () => expect(lines("\b\bab\bc")).toEqual(["ac"]));

  test("erasing in a line is done", () => {
    expect(lines("long text\r\x1b[Kshort")).toEqual(["short"]);
    expect(lines("abc\x1b[2K\rx")).toEqual(["x"]);
    expect(lines("abc\b\x1b[1Kd")).toEqual(["  d"]);
  });

  test("other sequences are dropped", () => {
    expect(lines("\x1b[2J\x1b[1;1Ha\x1b[?25lb\x1b(Bc\x1b=d\x1b7e")).toEqual(["abcde"]);
    expect(lines("\x1b]0;title\x07a\x1b]8;;http://x.y\x1b\\link\x1b]8;;\x1b\\b")).toEqual(["alinkb"]);
    expect(lines("bell\x07 and\x00 nul")).toEqual(["bell and nul"]);
  });

  test("a sequence that is not complete yet is not shown", () => {
    expect(lines("a\x1b")).toEqual(["a"]);
    expect(lines("a\x1b[3")).toEqual(["a"]);
    expect(lines("a\x1b]8;;http")).toEqual(["a"]);
  });

  test("only the last lines are kept, and the rest is counted", () => {
    const { before, lines: kept } = ansiText(Array.from({ length: 50 }, (_, index) => `${index}\n`).join(""), 3);
    expect(before).toBe(47);
    expect(kept.map((line) => line[0]?.text)).toEqual(["47", "48", "49"]);
  });

  test("colours go on behind lines that were cut off", () => {
    expect(ansiText("\x1b[31m" + "a\n".repeat(10), 2).lines.at(-1)?.[0]?.look).toEqual({ colour: 1 });
  });

  test("no text makes it fail, and no control character comes out", () => {
    const piece = fc.constantFrom(
      "\x1b",
      "[",
      "]",
      "m",
      "1",
      ";",
      "K",
      "\r",
      "\b",
      "\n",
      "\x9b",
      "a",
      "\x07",
      "\\",
      "38",
      ":",
      "é",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        for (const line of lines(pieces.join(""))) expect(line).not.toMatch(/[\x00-\x08\x0b-\x1f]/);
      }),
    );
  });
});
