// Reading messages of which nothing is known. None of these throws.

export type Fields = Readonly<Record<string, unknown>>;

const none: Fields = {};

/** The value's members; none when it is no object. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : none;
}

/** Text that says something. */
export function wordOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value as one would write it: text as it is, everything else as JSON. */
export function spelled(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return ""; // cycles, big integers
  }
}

/** The text of a content block, or a word in brackets for what is no text. */
export function contentText(value: unknown): string {
  const content = fieldsOf(value);
  const type = wordOf(content["type"]);
  if (type === "text") return spelled(content["text"] ?? "");
  if (type === "content") return contentText(content["content"]);
  const resource = fieldsOf(content["resource"]);
  const name = wordOf(content["name"]) ?? wordOf(content["uri"]) ?? wordOf(resource["uri"]) ?? wordOf(content["path"]);
  const more = name ?? wordOf(content["mimeType"]) ?? wordOf(content["terminalId"]);
  return type === undefined ? "" : `[${type}${more === undefined ? "" : ` ${more}`}]`;
}

/** Names of JSON-RPC ids: 1 is not "1". */
export function idKey(id: unknown): string {
  return typeof id === "string" ? `"${id}` : typeof id === "number" ? String(id) : spelled(id);
}
