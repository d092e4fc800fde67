// What can be chosen in a question: the options of the extension, or those of a form that asks for one thing.
import type { QuestionOption } from "./events.js";
import { fieldsOf, isFields, listOf, textOf, type Fields } from "./json.js";

export interface Choices {
  options: QuestionOption[];
  multi_select: boolean;
}

export function choicesOf(params: Fields): Choices {
  const offered = listOf(params["options"]);
  if (offered) {
    const multi_select = params["multi_select"] === true || params["multiSelect"] === true;
    return { options: offered.flatMap(optionOf), multi_select };
  }
  const properties = Object.values(fieldsOf(fieldsOf(params["requestedSchema"])["properties"]));
  return properties.length === 1 ? choicesOfProperty(properties[0]) : { options: [], multi_select: false };
}

/** The options of one property of a form. */
export function choicesOfProperty(property: unknown): Choices {
  const fields = fieldsOf(property);
  const multi_select = fields["type"] === "array";
  const from = multi_select ? fieldsOf(fields["items"]) : fields;
  const offered = listOf(from["oneOf"]) ?? listOf(from["anyOf"]) ?? listOf(from["enum"]) ?? [];
  return { options: offered.flatMap(optionOf), multi_select };
}

function optionOf(option: unknown): QuestionOption[] {
  if (typeof option === "string") return [{ value: option, label: option }];
  if (!isFields(option)) return [];
  const label = textOf(option["label"]) ?? textOf(option["title"]) ?? textOf(option["name"]);
  const value = textOf(option["value"]) ?? textOf(option["const"]) ?? textOf(option["id"]) ?? label;
  const description = textOf(option["description"]);
  if (value === undefined) return [];
  return [{ value, label: label ?? value, ...(description !== undefined && { description }) }];
}
