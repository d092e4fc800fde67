import { expect, test } from "vitest";
import { fieldsOf, keyOf, listOf, numberOf, textOf } from "./json_rpc.js";

test("what is not of a kind is looked at as if it were not there", () => {
  for (const value of [undefined, null, 1, "x", true, []]) expect(fieldsOf(value)).toEqual({});
  for (const value of [undefined, null, 1, "x", {}]) expect(listOf(value)).toEqual([]);
  for (const value of [undefined, null, "1", Number.NaN, Infinity]) expect(numberOf(value)).toBeUndefined();
  for (const value of [undefined, null, 1, {}]) expect(textOf(value)).toBeUndefined();
  expect([fieldsOf({ a: 1 }), listOf([1]), numberOf(0), textOf("")]).toEqual([{ a: 1 }, [1], 0, ""]);
});

test("ids that differ have different keys", () => {
  const ids = [1, "1", 0, "", null, undefined, "null", true];
  expect(new Set(ids.map(keyOf)).size).toBe(ids.length);
});
