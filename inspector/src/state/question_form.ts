// A question of the agent as fields, and the fields as its answer. Three forms there are: a schema, choices, or nothing but words.
import type { QuestionBlock } from "./blocks.js";
import { fieldsOf, listOf, numberOf, textOf } from "./json_rpc.js";

export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly kind: "text" | "number" | "boolean" | "choice" | "choices";
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly isRequired: boolean;
  readonly description?: string;
  readonly limits?: Limits;
}

export interface Limits {
  readonly isWhole?: boolean;
  /** Of a number; else of how many characters, or choices. */
  readonly least?: number;
  readonly most?: number;
}

export type FormValues = Record<string, string | boolean | string[]>;

const form = "elicitation/create"; // without fields it asks for a yes, and nothing more
const only = "answer"; // the name of the field when the question has no schema

export function fieldsOfForm({ schema, options, multiSelect, prompt, method }: QuestionBlock): FormField[] {
  const { properties, required } = fieldsOf(schema);
  const names = Object.keys(fieldsOf(properties));
  if (names.length > 0) {
    const needed = new Set(listOf(required));
    return names.map((name) => fieldOf(name, fieldsOf(fieldsOf(properties)[name]), needed.has(name)));
  }
  if (options.length === 0)
    return method === form ? [] : [{ name: only, title: prompt, kind: "text", choices: [], isRequired: false }];
  return [{ name: only, title: prompt, kind: multiSelect ? "choices" : "choice", choices: options, isRequired: true }];
}

function fieldOf(name: string, property: Record<string, unknown>, isRequired: boolean): FormField {
  const { type, items, description } = property;
  const choices = choicesOf(type === "array" ? fieldsOf(items) : property);
  const kind =
    type === "array"
      ? "choices"
      : type === "boolean"
        ? "boolean"
        : choices.length > 0
          ? "choice"
          : type === "number" || type === "integer"
            ? "number"
            : "text";
  return {
    name,
    title: textOf(property["title"]) ?? name,
    kind,
    choices,
    isRequired: isRequired && kind !== "boolean",
    ...(typeof description === "string" && { description }),
    ...limitsOf(kind, property),
  };
}

function limitsOf(kind: FormField["kind"], property: Record<string, unknown>): { limits?: Limits } {
  const names = { number: ["minimum", "maximum"], text: ["minLength", "maxLength"], choices: ["minItems", "maxItems"] };
  if (kind === "boolean" || kind === "choice") return {};
  const [least, most] = names[kind].map((name) => numberOf(property[name]));
  const limits = {
    ...(property["type"] === "integer" && { isWhole: true }),
    ...(least !== undefined && { least }),
    ...(most !== undefined && { most }),
  };
  return Object.keys(limits).length > 0 ? { limits } : {};
}

/** What is wrong with a value, in words for people; undefined: nothing. */
export function faultOf(
  { kind, isRequired, choices, limits = {} }: FormField,
  value: FormValues[string] | undefined,
): string | undefined {
  if (kind === "boolean") return undefined;
  if (kind === "choices") {
    const count = listOf(value).length;
    return count === 0 && !(isRequired && choices.length > 0)
      ? undefined
      : beyond(count, limits, "Choose at least", "Choose at most");
  }
  const said = kind === "number" ? String(value ?? "").trim() : String(value ?? "");
  if (said === "") return isRequired ? "This is needed." : undefined;
  if (kind === "text") return beyond([...said].length, limits, "Characters: at least", "Characters: at most");
  if (kind === "choice") return undefined;
  if (!Number.isFinite(Number(said))) return "This is not a number.";
  if (limits.isWhole && !Number.isInteger(Number(said))) return "A whole number is needed.";
  return beyond(Number(said), limits, "At least", "At most");
}

function beyond(size: number, { least = -Infinity, most = Infinity }: Limits, tooLittle: string, tooMuch: string) {
  return size < least ? `${tooLittle} ${least}.` : size > most ? `${tooMuch} ${most}.` : undefined;
}

function choicesOf(property: Record<string, unknown>): FormField["choices"] {
  const titled = titledOf(property);
  if (titled.length > 0)
    return titled
      .filter((choice) => choice["const"] !== undefined)
      .map((choice) => ({ value: wordOf(choice["const"]), label: textOf(choice["title"]) ?? wordOf(choice["const"]) }));
  const names = listOf(property["enumNames"]);
  return listOf(property["enum"]).map((value, index) => ({
    value: wordOf(value),
    label: textOf(names[index]) ?? wordOf(value),
  }));
}

// Anything can be offered, also what is no text.
const wordOf = (value: unknown) => textOf(value) ?? JSON.stringify(value);

const titledOf = (property: Record<string, unknown>) =>
  [...listOf(property["oneOf"]), ...listOf(property["anyOf"])].map(fieldsOf);

export function answerOfForm(ask: QuestionBlock, fields: readonly FormField[], values: FormValues): object {
  const given = fields.flatMap((field): [string, unknown][] => {
    const value = valueOf(field, Object.hasOwn(values, field.name) ? values[field.name] : undefined, ask);
    return value === undefined ? [] : [[field.name, value]];
  });
  if (ask.method === form) return { action: "accept", content: Object.fromEntries(given) };
  const answer = given[0]?.[1];
  return {
    outcome: "answered",
    _meta: { "sandboxagent.dev": { answers: [Array.isArray(answer) ? answer : [textOf(answer) ?? ""]] } },
  };
}

/** What the fields say before the user does. */
export function firstValues({ schema }: QuestionBlock, fields: readonly FormField[]): FormValues {
  const given = fields.flatMap(({ name, kind }): [string, string | boolean | string[]][] => {
    const value = fieldsOf(fieldsOf(fieldsOf(schema)["properties"])[name])["default"];
    if (value === undefined || value === null) return [];
    if (kind === "boolean") return [[name, value === true]];
    return [[name, kind === "choices" ? listOf(value).map(wordOf) : wordOf(value)]];
  });
  return Object.fromEntries(given);
}

// Undefined: the field says nothing.
function valueOf({ name, kind, isRequired, limits = {} }: FormField, value: unknown, { schema }: QuestionBlock): unknown {
  switch (kind) {
    case "boolean":
      return value === true;
    case "choices":
      if (isRequired) return listOf(value);
      return listOf(value).length > 0 || (value && !limits.least) ? value : undefined; // "none" is an answer where it may be
    case "choice":
      return value === undefined || value === ""
        ? undefined
        : offered(fieldsOf(fieldsOf(fieldsOf(schema)["properties"])[name]), value);
    case "number":
      return typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : undefined;
    case "text":
      return value === undefined || value === "" ? (isRequired ? "" : undefined) : value;
  }
}

// A choice is text on the page, and may be a number in the form.
function offered(property: Record<string, unknown>, value: unknown): unknown {
  const all = [...listOf(property["enum"]), ...titledOf(property).map((choice) => choice["const"])];
  return all.find((each) => wordOf(each) === value) ?? value;
}
