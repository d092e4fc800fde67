import fc from "fast-check";
import { expect, test } from "vitest";
import { prettyJson } from "./envelope_pretty.js";

test("JSON is broken into lines as everybody does it", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(prettyJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

test("numbers and escapes keep their spelling", () => {
  expect(prettyJson('{"a":12345678901234567890,"a":1.0,"b":"\\u0041\\"{"}')).toBe(
    '{\n  "a": 12345678901234567890,\n  "a": 1.0,\n  "b": "\\u0041\\"{"\n}',
  );
});

test("what is empty stays short", () => {
  expect(prettyJson('{"a": { } ,"b":[ ]}')).toBe('{\n  "a": {},\n  "b": []\n}');
});

test("text that is no JSON and text without end do no harm", () => {
  expect(prettyJson('not json }} "open')).toBe('notjson\n}\n}"open');
  expect(prettyJson(`[${"1,".repeat(1e6)}1]`, 1000).length).toBeLessThan(1100);
});
