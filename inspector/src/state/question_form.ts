// A question of the agent as fields, and the fields as its answer. Three forms there are: a schema, choices, or nothing but words.
import type { QuestionBlock } from "./blocks.js";
import { fieldsOf, listOf, textOf } from "./json_rpc.js";

export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly kind: "text" | "number" | "boolean" | "choice" | "choices";
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly isRequired: boolean;
  readonly description?: string;
}

const only = "answer"; // the name of the field when the question has no schema

export function fieldsOfForm({ schema, options, multiSelect, prompt }: QuestionBlock): FormField[] {
  const { properties, required } = fieldsOf(schema);
  const names = Object.keys(fieldsOf(properties));
  if (names.length > 0) {
    const needed = new Set(listOf(required));
    return names.map((name) => fieldOf(name, fieldsOf(fieldsOf(properties)[name]), needed.has(name)));
  }
  if (options.length === 0)
    return schema === undefined ? [] : [{ name: only, title: prompt, kind: "text", choices: [], isRequired: false }];
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
          : /^(number|integer)$/.test(String(type))
            ? "number"
            : "text";
  return {
    name,
    title: textOf(property["title"]) ?? name,
    kind,
    choices,
    isRequired: isRequired && kind !== "boolean",
    ...(typeof description === "string" && { description }),
  };
}

function choicesOf(property: Record<string, unknown>): FormField["choices"] {
  const titled = [...listOf(property["oneOf"]), ...listOf(property["anyOf"])].map(fieldsOf);
  if (titled.length > 0)
    return titled.map((choice) => ({
      value: String(choice["const"]),
      label: textOf(choice["title"]) ?? String(choice["const"]),
    }));
  const names = listOf(property["enumNames"]);
  return listOf(property["enum"]).map((value, index) => ({
    value: String(value),
    label: textOf(names[index]) ?? String(value),
  }));
}

export function answerOfForm(
  ask: QuestionBlock,
  fields: readonly FormField[],
  values: Record<string, string | boolean | string[]>,
): object {
  const content: Record<string, unknown> = {};
  for (const { name, kind, isRequired } of fields) {
    const value = values[name];
    if (kind === "boolean") content[name] = value === true;
    else if (kind === "choices") content[name] = Array.isArray(value) ? value : [];
    else if (value !== undefined && value !== "") content[name] = kind === "number" ? Number(value) : value;
    else if (isRequired) content[name] = "";
  }
  if (ask.method === "elicitation/create") return { action: "accept", content };
  const answer = content[only];
  return {
    outcome: "answered",
    _meta: { "sandboxagent.dev": { answers: [Array.isArray(answer) ? answer : [String(answer ?? "")]] } },
  };
}
