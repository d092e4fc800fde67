import { expect, test } from "vitest";
import {
  childOf,
  isWithin,
  moveFault,
  movedPath,
  nameFault,
  nameOf,
  parentOf,
  plainPath,
  shownName,
  wayDown,
} from "./file_paths.js";

test("a path is made plain, and what is not absolute begins at the base", () => {
  expect(plainPath("/a//b/./c/../d/")).toBe("/a/b/d");
  expect(plainPath("x/y", "/home")).toBe("/home/x/y");
  expect(plainPath("../../..", "/home")).toBe("/");
  expect(plainPath("")).toBe("/");
});

test("parents, names and children also of the root", () => {
  expect([parentOf("/a/b"), parentOf("/a"), parentOf("/")]).toEqual(["/a", "/", "/"]);
  expect([nameOf("/a/b"), nameOf("/")]).toEqual(["b", "/"]);
  expect([childOf("/", "a"), childOf("/a", "b")]).toEqual(["/a", "/a/b"]);
});

test("a neighbour with a longer name is not within a folder", () => {
  expect([isWithin("/a/b", "/a"), isWithin("/a", "/a"), isWithin("/ab", "/a"), isWithin("/ab", "/")]).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

test("the way down has both ends", () => {
  expect(wayDown("/a", "/a/b/c")).toEqual(["/a", "/a/b", "/a/b/c"]);
  expect(wayDown("/", "/a")).toEqual(["/", "/a"]);
  expect(wayDown("/", "/")).toEqual(["/"]);
});

test("what lay below a moved folder lies below its new place", () => {
  expect(movedPath("/a/b/c", "/a/b", "/x")).toBe("/x/c");
  expect(movedPath("/a/bc", "/a/b", "/x")).toBe("/a/bc");
});

test("what cannot be a name is refused", () => {
  for (const bad of ["", " ", "/", "//", ".", "..", "a/..", "/a/./"]) expect(nameFault(bad)).toBeDefined();
  for (const good of ["a", ".env", "...", "../a", "/a/b/", "a b"]) expect(nameFault(good)).toBeUndefined();
});

test("nothing is moved into itself, nor to where a folder above it is", () => {
  expect(moveFault("/a", "/a/b")).toMatch("into itself");
  expect(moveFault("/a/b", "/a")).toMatch("It lies in /a");
  expect([moveFault("/a", "/ab"), moveFault("/a/b", "/a/c"), moveFault("/a", "/a")]).toEqual([undefined, undefined, undefined]);
});

test("what would break or turn a line is seen in a name", () => {
  expect(shownName("\u202egpj.exe")).toBe("\\u{202e}gpj.exe");
  expect(shownName("a\nb\u007f\u0085")).toBe("a␊b␡\\u{85}");
  expect(shownName("plain ä ש 日本 👩\u200d💻.txt")).toBe("plain ä ש 日本 👩\u200d💻.txt");
});
