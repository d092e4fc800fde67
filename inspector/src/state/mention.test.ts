import { expect, test } from "vitest";
import { mentionAt, mentionOf, withMention } from "./mention.js";
import { matching } from "./mention_match.js";

test.each([
  ["@", { from: 0, query: "" }],
  ["look at @sr", { from: 8, query: "sr" }],
  ["(@a/b.ts", { from: 1, query: "a/b.ts" }],
  ["line\n@x", { from: 5, query: "x" }],
  ["mail@example", undefined],
  ["@a b", undefined],
  ["", undefined],
])("%j means %j", (text, expected) => {
  expect(mentionAt(text, text.length)).toEqual(expected);
});

test("only what is before the caret counts", () => {
  expect(mentionAt("see @ab and so on", 6)).toEqual({ from: 4, query: "a" });
});

test("the path replaces the word, and one writes on behind it", () => {
  expect(withMention("see @ma", { from: 4, query: "ma" }, "src/main.ts")).toEqual({ text: "see @src/main.ts ", caret: 17 });
  expect(withMention("see @ma, then", { from: 4, query: "ma" }, "a b.ts").text).toBe("see @a b.ts , then");
  expect(withMention("@m then", { from: 0, query: "m" }, "x")).toEqual({ text: "@x then", caret: 3 });
});

test("the address of a file has no signs that an address may not have", () => {
  expect(mentionOf("/project/my project/", "src/ü #1.ts")).toEqual({
    path: "src/ü #1.ts",
    uri: "file:///project/my%20project/src/%C3%BC%20%231.ts",
  });
});

const paths = ["README.md", "src/main.ts", "src/lib/domain.ts", "docs/main/index.md", "tests/mail_in.ts"];
test.each([
  ["main.ts", ["src/main.ts", "src/lib/domain.ts", "tests/mail_in.ts"]],
  ["main", ["src/main.ts", "src/lib/domain.ts", "docs/main/index.md", "tests/mail_in.ts"]],
  ["sm", ["src/main.ts", "tests/mail_in.ts", "docs/main/index.md", "src/lib/domain.ts"]],
  ["SRC/L", ["src/lib/domain.ts"]],
  ["read", ["README.md"]],
  ["zzz", []],
])("%j finds %j, best first", (query, expected) => {
  expect(matching(paths, query, 10)).toEqual(expected);
});

test("without letters the shallowest come first, and never more than wanted", () => {
  expect(matching(paths, "", 2)).toEqual(["README.md", "src/main.ts"]);
});
