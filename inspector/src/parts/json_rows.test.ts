import { describe, expect, test } from "vitest";
import { jsonMove, jsonPath, jsonRows, type JsonShown } from "./json_rows.js";

const shown = (depth: number, change: Partial<JsonShown> = {}): JsonShown => ({
  depth,
  toggled: new Map(),
  pages: new Map(),
  ...change,
});
const write = (value: unknown, how: JsonShown) =>
  jsonRows(value, how).map(({ keys, kind, open }) => [jsonPath(keys), kind, open]);

describe("the rows of a value", () => {
  const value = { a: [1, "x"], b: { c: null }, d: {} };

  test("are open down to the depth", () => {
    expect(write(value, shown(1))).toEqual([
      ["$", "object", true],
      ["$.a", "array", false],
      ["$.b", "object", false],
      ["$.d", "object", undefined],
    ]);
    expect(write(value, shown(2))).toHaveLength(7);
  });

  test("follow what was opened and closed", () => {
    expect(write(value, shown(1, { toggled: new Map([['["a"]', true]]) }))).toHaveLength(6);
    expect(write(value, shown(5, { toggled: new Map([["[]", false]]) }))).toEqual([["$", "object", false]]);
  });

  test("know their place among their neighbours", () => {
    expect(jsonRows(value, shown(1)).map(({ level, position, size }) => [level, position, size])).toEqual([
      [1, 1, 1],
      [2, 1, 3],
      [2, 2, 3],
      [2, 3, 3],
    ]);
  });

  test("of a long list come in pages", () => {
    const rows = jsonRows(
      Array.from({ length: 250 }, (_, index) => index),
      shown(1),
    );
    expect(rows).toHaveLength(102);
    expect(rows.at(-1)).toMatchObject({ kind: "more", count: 150, position: 101, size: 101, level: 2 });
    expect(jsonRows(Array.from({ length: 250 }), shown(1, { pages: new Map([["[]", 300]]) }))).toHaveLength(251);
  });

  test("a long text can be opened", () => {
    expect(jsonRows("x".repeat(300), shown(1))[0]?.open).toBe(false);
    expect(jsonRows("short", shown(1))[0]?.open).toBeUndefined();
  });
});

test("a path is written as one would in a program", () => {
  expect(jsonPath(["a", 0, "b c", "_d", "1"])).toBe('$.a[0]["b c"]._d["1"]');
  expect(jsonPath([])).toBe("$");
});

test("keys move among the rows", () => {
  const rows = jsonRows({ a: [1], b: 2 }, shown(2)); // $, a, a[0], b
  expect(jsonMove(rows, 0, "up")).toBe(0);
  expect(jsonMove(rows, 0, "child")).toBe(1);
  expect(jsonMove(rows, 2, "parent")).toBe(1);
  expect(jsonMove(rows, 3, "parent")).toBe(0);
  expect(jsonMove(rows, 3, "down")).toBe(3);
  expect(jsonMove(rows, 3, "child")).toBe(3);
  expect([jsonMove(rows, 2, "first"), jsonMove(rows, 1, "last")]).toEqual([0, 3]);
});
