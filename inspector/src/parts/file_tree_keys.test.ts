import { expect, test } from "vitest";
import { nextRow } from "./file_tree_keys.js";

const rows = [{ level: 1, isOpen: true }, { level: 2, isOpen: false }, { level: 2, isOpen: true }, { level: 3 }, { level: 2 }];
const press = (key: string, at: number) => nextRow(key, rows, at, 3);

test("arrows move by one and stay within the rows", () => {
  expect([press("ArrowDown", 0), press("ArrowDown", 4), press("ArrowUp", 0), press("j", 1), press("k", 1)]).toEqual([
    1, 4, 0, 2, 0,
  ]);
});

test("Home, End and the page keys move further", () => {
  expect([press("Home", 3), press("End", 0), press("PageDown", 0), press("PageUp", 4)]).toEqual([0, 4, 3, 1]);
});

test("right opens, then goes to the first child; left closes, then goes to the parent", () => {
  expect([press("ArrowRight", 1), press("ArrowRight", 2), press("ArrowRight", 3)]).toEqual(["open", 3, undefined]);
  expect([press("ArrowLeft", 2), press("ArrowLeft", 3), press("ArrowLeft", 4)]).toEqual(["close", 2, 0]);
});

test("Enter chooses, letters are left to others, and an empty tree has no next row", () => {
  expect([press("Enter", 1), press("n", 1), nextRow("Home", [], -1, 3)]).toEqual(["choose", undefined, undefined]);
});
