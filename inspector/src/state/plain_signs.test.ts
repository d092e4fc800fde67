import fc from "fast-check";
import { expect, test } from "vitest";
import { piecesOf, plainLines, plainly } from "./plain_signs.js";

test("what hides or turns other words is written out", () => {
  expect(plainly("rm -rf /\recho ok")).toBe("rm -rf /\\recho ok");
  expect(plainly("\x1b[2K\x07\x7f\x85\b\0")).toBe("\\x1b[2K\\x07\\x7f\\x85\\b\\0");
  expect(plainly("a\u202etxt.exe\u2066\u200f\u061c")).toBe("a\\u202Etxt.exe\\u2066\\u200F\\u061C");
  expect(plainly("r\u200bm\u00ad\ufeff\u2028\u{e0041}")).toBe("r\\u200Bm\\xad\\uFEFF\\u2028\\u{E0041}");
});

test("signs that are blank in every font are written out", () => {
  expect(plainly("r\u3164m\u2800\uffa0\u115f\u034f a\ufe0f\u{e0100}")).toBe(
    "r\\u3164m\\u2800\\uFFA0\\u115F\\u034F a\\uFE0F\\u{E0100}",
  );
  expect(plainly("❤\ufe0f 1\ufe0f\u20e3 🏳\ufe0f\u200d🌈")).toBe("❤\ufe0f 1\ufe0f\u20e3 🏳\ufe0f\u200d🌈");
});

test("lines, tabs and words of every script stay as they are", () => {
  const text = "a\tb\nc\\r \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 👩\u200d💻 größer 日本";
  expect(plainly(text)).toBe(text);
});

test("signs that join nothing do not stay", () => {
  expect(plainly("rm\u200d -rf \u200c/")).toBe("rm\\u200D -rf \\u200C/");
  expect(plainly("é\u200d\u200d")).toBe("é\u200d\\u200D");
});

test("what was written out is told from what the agent wrote", () => {
  expect(piecesOf("\\r\r.")).toEqual(["\\r", "\\r", "."]);
});

test("the ends of lines of a file stay", () => {
  expect(plainLines("a\r\nb\rc\u202e")).toBe("a\r\nb\\rc\\u202E");
});

const signs = ["a", "\\", "\r", "\n", "\t", "\x1b", "\u202e", "\u2066", "\u200d", "\u200f", "é", "👩"];
const words = fc.array(fc.constantFrom(...signs)).map((all) => all.join(""));

test("no text keeps a sign that turns its direction, and none loses a letter", () => {
  fc.assert(
    fc.property(words, (text) => {
      const plain = plainly(text);
      expect(plain).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
      expect(plain.length).toBeGreaterThanOrEqual(text.length);
    }),
  );
});
