import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changesBetween, foldsOf, linesOf, pairsOf, wordMarks, type DiffLine } from "./diff_lines.js";

const signs = { same: " ", added: "+", removed: "-" };
const write = (lines: readonly DiffLine[]) =>
  lines.map((line) => signs[line.kind] + line.parts.map(({ text }) => text).join(""));
const changes = (before: string | null, after: string) => changesBetween(before, after)!;

describe("the lines of a change", () => {
  test("are the same, new or gone, with their numbers", () => {
    const { lines, added, removed } = changes("a\nb\nc\n", "a\nB\nc\nd\n");
    expect(write(lines)).toEqual([" a", "-b", "+B", " c", "+d"]);
    expect(lines.map((line) => [line.old, line.new])).toEqual([
      [1, 1],
      [2, undefined],
      [undefined, 2],
      [3, 3],
      [undefined, 4],
    ]);
    expect([added, removed]).toEqual([2, 1]);
  });

  test("are all new when there was no file", () => expect(write(changes(null, "a\nb").lines)).toEqual(["+a", "+b"]));

  test("are none when nothing is there", () => expect(changes("", "").lines).toEqual([]));

  test("say when no line break ends the text", () => {
    expect(changes("a\n", "a").lines.map(({ kind, open }) => [kind, open])).toEqual([
      ["removed", undefined],
      ["added", true],
    ]);
  });

  test("give both texts back, whatever the change", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", "\n", "word ", "\r\n"), { maxLength: 40 }).map((all) => all.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { lines, added, removed } = changes(before, after);
        const textOf = (skip: string) =>
          lines.filter(({ kind }) => kind !== skip).map(({ parts }) => parts.map((part) => part.text).join(""));
        const shown = (all: string) => linesOf(all).map((line) => line.replace(/\r?\n$/, ""));
        expect(textOf("added")).toEqual(shown(before));
        expect(textOf("removed")).toEqual(shown(after));
        expect(lines.filter(({ kind }) => kind === "added").length).toBe(added);
        expect(lines.filter(({ kind }) => kind === "removed").length).toBe(removed);
      }),
    );
  });

  test("are not sought in a text that is too large", () => expect(changesBetween("a", "b\n".repeat(300_000))).toBeUndefined());

  test("are not sought for long when nothing is alike", () => {
    const text = (word: string) => Array.from({ length: 5000 }, (_, index) => `${word} ${index}\n`).join("");
    expect(changesBetween(text("old"), text("new"))).toBeUndefined();
  });

  test("a large text with a small change is no trouble", () => {
    const text = (word: string) => "same\n".repeat(20_000) + word + "\n" + "same\n".repeat(20_000);
    expect([changes(text("x"), text("y")).added, changes(text("x"), text("y")).removed]).toEqual([1, 1]);
  });
});

describe("the words of a changed line", () => {
  test("are marked on both sides", () => {
    expect(wordMarks("let a = 1;\n", "let b = 1;\n")).toEqual({
      old: [
        { text: "let ", changed: false },
        { text: "a", changed: true },
        { text: " = 1;", changed: false },
      ],
      new: [
        { text: "let ", changed: false },
        { text: "b", changed: true },
        { text: " = 1;", changed: false },
      ],
    });
  });

  test("are not marked when the lines are not alike", () => expect(wordMarks("one two three", "x y z")).toBeUndefined());
});

describe("two sides", () => {
  test("have what went beside what came", () => {
    const pairs = pairsOf(changes("a\nb\nc\nd\n", "a\nX\nd\n").lines);
    expect(pairs.map(({ left, right }) => [left?.old, right?.new])).toEqual([
      [1, 1],
      [2, 2],
      [3, undefined],
      [4, 3],
    ]);
  });
});

describe("stretches without change", () => {
  const text = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `${from + index}\n`).join("");

  test("are folded, save three lines beside a change", () => {
    const { lines } = changes(text(0, 40) + "x\n" + text(40, 80), text(0, 40) + "y\n" + text(40, 80));
    expect(foldsOf(lines)).toEqual([
      { from: 0, count: 37 },
      { from: 45, count: 37 },
    ]);
  });

  test("between two changes keep three lines at both ends", () => {
    const { lines } = changes("x\n" + text(0, 20) + "x\n", "y\n" + text(0, 20) + "y\n");
    expect(foldsOf(lines)).toEqual([{ from: 5, count: 14 }]);
  });

  test("that are short stay", () =>
    expect(foldsOf(changes("x\n" + text(0, 12) + "x\n", "y\n" + text(0, 12) + "y\n").lines)).toEqual([]));
});
