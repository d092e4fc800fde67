import fc from "fast-check";
import { expect, test } from "vitest";
import { markAt, offsetOf, placeOf, readJson } from "./json_mark.js";

const faultOf = (text: string) => {
  const read = readJson(text);
  if (!("fault" in read)) return undefined;
  const { line, column } = markAt(text, read.offset);
  return `${line}:${column} ${read.fault}`;
};

test("what is JSON is read, with the place of every value", () => {
  const text = '{\n  "env": { "A.B": "x" },\n  "list": [1, {"type": null}]\n}';
  const read = readJson(text);
  if (!("value" in read)) throw new Error(read.fault);
  expect(read.value).toEqual({ env: { "A.B": "x" }, list: [1, { type: null }] });
  expect(markAt(text, placeOf(read.offsets, "env.A.B"))).toEqual({ line: 2, column: 19 });
  expect(markAt(text, placeOf(read.offsets, "list[1].type"))).toEqual({ line: 3, column: 24 });
});

test("the place of what is missing is the place of what it is missing in", () => {
  const text = '{\n  "list": [\n    {"a": 1}\n  ]\n}';
  const read = readJson(text);
  if (!("value" in read)) throw new Error(read.fault);
  expect(markAt(text, placeOf(read.offsets, "list[0].type")).line).toBe(3);
  expect(markAt(text, placeOf(read.offsets, "list[7]")).line).toBe(2);
  expect(markAt(text, placeOf(read.offsets, "command"))).toEqual({ line: 1, column: 1 });
});

test("what is not JSON is marked where it goes wrong, in words that say what to do", () => {
  expect(faultOf('{\n  "a": 1\n  "b": 2\n}')).toBe("3:3 A comma or the closing } is missing before this.");
  expect(faultOf('{"a": 1,}')).toBe("1:9 There is a comma too many before this.");
  expect(faultOf("[1, ]")).toBe("1:5 There is a comma too many before this.");
  expect(faultOf('{\n  "a": }')).toBe("2:8 A value is missing here.");
  expect(faultOf("{a: 1}")).toBe("1:2 A name in double quotes is expected here.");
  expect(faultOf('{"a" 1}')).toBe("1:6 A colon is missing before this.");
  expect(faultOf("{'a': 1}")).toBe("1:2 A name in double quotes is expected here.");
  expect(faultOf('{"a": yes}')).toBe("1:7 This is no value; texts stand in double quotes.");
  expect(faultOf("{\"a\": 'x'}")).toBe("1:7 Texts stand in double quotes.");
  expect(faultOf('{"a": "x}')).toBe("1:7 The closing quote of this text is missing.");
  expect(faultOf('{"a": "\\x"}')).toBe("1:7 This text has a character or a \\ that must be escaped.");
  expect(faultOf('{"a": "x"')).toBe("1:10 The text ends before the closing }.");
  expect(faultOf("[1")).toBe("1:3 The text ends before the closing ].");
  expect(faultOf("")).toBe("1:1 The text ends where a value is expected.");
  expect(faultOf("{} {}")).toBe("1:4 Only one value is expected; something follows it.");
  expect(faultOf("01")).toBe("1:2 Only one value is expected; something follows it.");
  expect(faultOf("nullx")).toBe("1:1 This is no value; texts stand in double quotes.");
});

test("whatever JSON.parse takes is taken, and whatever it refuses is refused", () => {
  const texts = [
    '"\\ud800"',
    "-0.5e+3",
    "[[],{}]",
    " \n1 ",
    '{"":{"":0}}',
    "-",
    "1.",
    "+1",
    "[,]",
    "{,}",
    '"\t"',
    "\ufeff1",
    "tru",
    "NaN",
  ];
  for (const text of texts) {
    let isJson = true;
    try {
      JSON.parse(text);
    } catch {
      isJson = false;
    }
    expect([text, faultOf(text) === undefined]).toEqual([text, isJson]);
  }
  expect(faultOf("[".repeat(300))).toContain("too deep");
});

test("every value has its place, and what is cut off is wrong at some place in it", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(4), fc.nat(), (value, indent, cut) => {
      const text = JSON.stringify(value, null, indent);
      const read = readJson(text);
      if (!("value" in read)) throw new Error(read.fault);
      expect(read.offsets.size).toBeGreaterThan(0);
      const part = text.slice(0, cut % text.length);
      const broken = readJson(`${part}\\`);
      expect("fault" in broken && broken.offset <= part.length && broken.fault !== "This is not JSON.").toBe(true);
    }),
  );
});

test("a very long text is JSON like a short one, also where something behind it is looked for", () => {
  const text = JSON.stringify({ long: "é".repeat(20_000_000), next: 1 });
  const read = readJson(text);
  if (!("value" in read)) throw new Error(read.fault);
  expect(read.offsets.get("next")).toBe(text.length - 2);
  expect(readJson(`${text}x`)).toMatchObject({ offset: text.length });
});

test("a mark leads back to its place", () => {
  const text = "a\nbc\n\nd";
  for (let offset = 0; offset <= text.length; ++offset) expect(offsetOf(text, markAt(text, offset))).toBe(offset);
});
