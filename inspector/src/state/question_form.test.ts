import fc from "fast-check";
import { expect, test } from "vitest";
import type { QuestionBlock } from "./blocks.js";
import { answerOfForm, faultOf, fieldsOfForm, firstValues, type FormValues } from "./question_form.js";
import { Talk } from "./talk_for_tests.js";

const extension = "_sandboxagent/session/request_question";
const asked = (method: string, params: Record<string, unknown>): QuestionBlock =>
  new Talk().begin().prompt(1, "go").ask("q", method, params).questions[0]!;
const form = (properties: unknown, required: unknown = []) =>
  asked("elicitation/create", { message: "Tell me", mode: "form", requestedSchema: { type: "object", properties, required } });
const kinds = (ask: QuestionBlock) => fieldsOfForm(ask).map(({ name, kind }) => `${name}: ${kind}`);
const answer = (ask: QuestionBlock, values: Parameters<typeof answerOfForm>[2]) => answerOfForm(ask, fieldsOfForm(ask), values);

const titled = [
  { const: "r", title: "Red" },
  { const: "g", title: "Green" },
];

test("a form has a field for each of its properties, in their order", () => {
  const ask = form({
    name: { type: "string", title: "Your name", description: "As on the door" },
    size: { type: "string", enum: ["s", "l"], enumNames: ["Small"] },
    colour: { type: "string", oneOf: titled },
    agreed: { type: "boolean" },
    age: { type: "integer" },
    weight: { type: "number" },
    days: { type: "array", items: { type: "string", enum: ["mo", "tu"] } },
    more: { type: "array", items: { anyOf: titled } },
    strange: 5,
  });
  expect(kinds(ask)).toEqual([
    "name: text",
    "size: choice",
    "colour: choice",
    "agreed: boolean",
    "age: number",
    "weight: number",
    "days: choices",
    "more: choices",
    "strange: text",
  ]);
  const [name, size, colour] = fieldsOfForm(ask);
  expect(name).toMatchObject({ title: "Your name", description: "As on the door" });
  expect(size).toMatchObject({
    title: "size",
    choices: [
      { value: "s", label: "Small" },
      { value: "l", label: "l" },
    ],
  });
  expect(colour?.choices).toEqual([
    { value: "r", label: "Red" },
    { value: "g", label: "Green" },
  ]);
});

test("what is required must be said, but a box need not be ticked", () => {
  const ask = form({ a: { type: "string" }, b: { type: "string" }, c: { type: "boolean" } }, ["a", "c"]);
  expect(fieldsOfForm(ask).map(({ isRequired }) => isRequired)).toEqual([true, false, false]);
});

test("a form is answered with values of the types it asks for", () => {
  const ask = form({
    name: { type: "string" },
    colour: { type: "string", oneOf: titled },
    agreed: { type: "boolean" },
    age: { type: "integer" },
    days: { type: "array", items: { enum: ["mo", "tu"] } },
    level: { type: "integer", enum: [1, 2] },
  });
  expect(answer(ask, { name: "Ann", colour: "g", agreed: true, age: "42", days: ["tu"], level: "2" })).toEqual({
    action: "accept",
    content: { name: "Ann", colour: "g", agreed: true, age: 42, days: ["tu"], level: 2 },
  });
});

test("what was left empty is left out, and a box that was not ticked says no", () => {
  const ask = form({
    name: { type: "string" },
    agreed: { type: "boolean" },
    age: { type: "number" },
    days: { type: "array", items: { enum: ["mo"] } },
  });
  expect(answer(ask, { name: "", age: " " })).toEqual({ action: "accept", content: { agreed: false } });
  expect(answer(ask, { age: "many" })).toEqual({ action: "accept", content: { agreed: false } });
});

test("a form begins with the values it proposes", () => {
  const ask = form({
    name: { type: "string", default: "Ann" },
    agreed: { type: "boolean", default: true },
    age: { type: "integer", default: 7 },
    days: { type: "array", items: { enum: ["mo", "tu"] }, default: ["tu"] },
    other: { type: "string" },
  });
  const values = firstValues(ask, fieldsOfForm(ask));
  expect(values).toEqual({ name: "Ann", agreed: true, age: "7", days: ["tu"] });
  expect(answer(ask, values)).toEqual({ action: "accept", content: { name: "Ann", agreed: true, age: 7, days: ["tu"] } });
});

const faults = (property: object, values: FormValues[string][], required: string[] = []) => {
  const [field] = fieldsOfForm(form({ it: property }, required));
  return values.map((value) => faultOf(field!, value));
};

test("a number has its limits, and may be written as numbers are", () => {
  const most = { type: "number", minimum: -1, maximum: 5.5 };
  expect(faults(most, ["-1", "5.5", "1e-7", " 3 ", "", "-1.1", "6", "many", "1e999"])).toEqual([
    ...Array<undefined>(5).fill(undefined),
    "At least -1.",
    "At most 5.5.",
    "This is not a number.",
    "This is not a number.",
  ]);
  expect(faults({ type: "integer", minimum: 1 }, ["2", "2.0", "1.5", "0"])).toEqual([
    undefined,
    undefined,
    "A whole number is needed.",
    "At least 1.",
  ]);
  expect(faults({ type: "integer" }, ["", " "], ["it"])).toEqual(["This is needed.", "This is needed."]);
});

test("words have a length, counted as people do", () => {
  const property = { type: "string", minLength: 2, maxLength: 3 };
  expect(faults(property, ["ab", "👩👩👩", "", "a", "abcd"])).toEqual([
    undefined,
    undefined,
    undefined,
    "Characters: at least 2.",
    "Characters: at most 3.",
  ]);
  expect(faults({ type: "string" }, ["", " "], ["it"])).toEqual(["This is needed.", undefined]);
});

test("of choices there may be too few, and too many", () => {
  const property = { type: "array", items: { enum: ["a", "b", "c"] }, minItems: 2, maxItems: 2 };
  expect(faults(property, [[], ["a"], ["a", "b"], ["a", "b", "c"]])).toEqual([
    undefined,
    "Choose at least 2.",
    undefined,
    "Choose at most 2.",
  ]);
  expect(faults(property, [[]], ["it"])).toEqual(["Choose at least 2."]);
  expect(faults({ type: "string", enum: ["a"] }, ["", "a"], ["it"])).toEqual(["This is needed.", undefined]);
  expect(faults({ type: "boolean" }, [false], ["it"])).toEqual([undefined]);
});

test("no choice is said where it is an answer, and left out where it would be none", () => {
  const days = { type: "array", items: { enum: ["a", "b"] } };
  const said = (property: object, value: string[]) => answer(form({ days: property }), { days: value });
  expect(said(days, [])).toEqual({ action: "accept", content: { days: [] } });
  expect(said({ ...days, minItems: 2 }, [])).toEqual({ action: "accept", content: {} });
  expect(answer(form({ days }), {})).toEqual({ action: "accept", content: {} });
});

test("where there is nothing to choose, too few are no fault", () => {
  expect(faults({ type: "array", minItems: 1 }, [[]], ["it"])).toEqual([undefined]);
});

test("a limit that is none limits nothing", () => {
  expect(faults({ type: "number", minimum: "5", maximum: null }, ["1"])).toEqual([undefined]);
});

test("fields may have any name", () => {
  const properties = JSON.parse('{"constructor":{"type":"string"},"__proto__":{"type":"boolean"}}') as object;
  expect(JSON.stringify(answer(form(properties), {}))).toBe('{"action":"accept","content":{"__proto__":false}}');
});

test("a form without fields wants a yes only", () => {
  const ask = form({});
  expect(fieldsOfForm(ask)).toEqual([]);
  expect(answer(ask, {})).toEqual({ action: "accept", content: {} });
});

test("a question of the extension has its options to choose from", () => {
  const one = asked(extension, { prompt: "Which?", options: ["a", { value: "b", label: "Bee" }] });
  expect(fieldsOfForm(one)).toMatchObject([{ title: "Which?", kind: "choice", isRequired: true }]);
  expect(fieldsOfForm(one)[0]?.choices).toEqual([
    { value: "a", label: "a" },
    { value: "b", label: "Bee" },
  ]);
  const answers = (chosen: string[]) => ({ outcome: "answered", _meta: { "sandboxagent.dev": { answers: [chosen] } } });
  expect(answer(one, { answer: "b" })).toEqual(answers(["b"]));
  const many = asked(extension, { prompt: "Which?", options: ["a", "b"], multi_select: true });
  expect(kinds(many)).toEqual(["answer: choices"]);
  expect(answer(many, { answer: ["a", "b"] })).toEqual(answers(["a", "b"]));
  expect(answer(many, {})).toEqual(answers([]));
});

test("a question of the extension without options is answered in words", () => {
  const ask = asked(extension, { prompt: "Why?" });
  expect(kinds(ask)).toEqual(["answer: text"]);
  expect(answer(ask, { answer: "Because." })).toMatchObject({ _meta: { "sandboxagent.dev": { answers: [["Because."]] } } });
});

test("a form that is nonsense never throws, and neither does its answer", () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const property = fc.oneof(
    json,
    fc.record({
      type: fc.oneof(fc.constantFrom("string", "array", "number", "boolean"), json),
      oneOf: json,
      enum: json,
      items: json,
    }),
    fc.record({ enum: fc.array(fc.oneof(json, fc.constant({ toString: 1 }))), oneOf: fc.array(fc.record({ const: json })) }),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.string(), property), json, json, (properties, required, options) => {
      for (const ask of [form(properties, required), asked(extension, { prompt: required, options })]) {
        const fields = fieldsOfForm(ask);
        answerOfForm(ask, fields, {});
        for (const value of ["x", true, ["y"]]) for (const field of fields) faultOf(field, value);
        for (const value of ["x", true, ["y"]])
          JSON.stringify(answerOfForm(ask, fields, Object.fromEntries(fields.map(({ name }) => [name, value]))));
      }
    }),
    { numRuns: 200 },
  );
});
