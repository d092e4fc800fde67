// Reading values of which nothing is known. None of these throws.

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value's members; none when it is no object. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Text that says something. */
export function wordOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function listOf(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? [...(value as unknown[])] : undefined; // without holes
}

/** The object without members that are undefined. */
export function known<Value extends object>(value: Value): Value {
  for (const key in value) if (value[key] === undefined) delete value[key];
  return value;
}

export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return ""; // cycles, big integers
  }
}
