// Content of the protocol as parts of items. What cannot be understood becomes a raw part.
import type { ContentPart, PlanPart } from "./events.js";
import { fieldsOf, isFields, known, listOf, numberOf, textOf } from "./json.js";

export const rawPart = (label: string, data: unknown): ContentPart => ({ type: "raw", label, data: data ?? null });

/** A content block: text, image, audio, link, resource. */
export function partOf(block: unknown): ContentPart {
  if (!isFields(block)) return rawPart("content", block);
  const { type, text } = block;
  if (type === "text") return typeof text === "string" ? { type, text } : rawPart("text", block);
  const [data, uri, mime_type] = [textOf(block["data"]), textOf(block["uri"]), textOf(block["mimeType"])];
  switch (type) {
    case "image":
      return known({ type: "image", mime_type, data, uri });
    case "audio":
      return known({ type: "audio", mime_type, data });
    case "resource_link":
      if (uri === undefined) return rawPart("resource_link", block);
      return known({
        type: "resource",
        uri,
        name: textOf(block["name"]),
        title: textOf(block["title"]),
        description: textOf(block["description"]),
        mime_type,
        size: numberOf(block["size"]),
      });
    case "resource":
      return resourceOf(block);
    default:
      return rawPart(textOf(block["type"]) ?? "content", block);
  }
}

function resourceOf(block: Record<string, unknown>): ContentPart {
  const resource = fieldsOf(block["resource"]);
  const uri = textOf(resource["uri"]);
  if (uri === undefined) return rawPart("resource", block);
  return known({
    type: "resource",
    uri,
    mime_type: textOf(resource["mimeType"]),
    text: textOf(resource["text"]),
    data: textOf(resource["blob"]),
  });
}

/** What a tool shows: its text, and everything else as parts. */
export function toolContentOf(content: readonly unknown[]): { text: string | undefined; parts: ContentPart[] } {
  const texts: string[] = [];
  const parts: ContentPart[] = [];
  for (const each of content) {
    const part = toolPartOf(each);
    if (part.type === "text") texts.push(part.text);
    else parts.push(part);
  }
  return { text: texts.length > 0 ? texts.join("\n") : undefined, parts };
}

function toolPartOf(content: unknown): ContentPart {
  const fields = fieldsOf(content);
  const [path, new_text, terminal_id] = [textOf(fields["path"]), textOf(fields["newText"]), textOf(fields["terminalId"])];
  if (fields["type"] === "content") return partOf(fields["content"]);
  if (fields["type"] === "diff" && path !== undefined && new_text !== undefined) {
    const old_text = textOf(fields["oldText"]) ?? null;
    return { type: "file_ref", path, action: old_text === null ? "create" : "update", diff: { old_text, new_text } };
  }
  if (fields["type"] === "terminal" && terminal_id !== undefined) return { type: "terminal", terminal_id };
  return rawPart(textOf(fields["type"]) ?? "content", content);
}

export function planOf(entries: unknown): PlanPart {
  const all = (listOf(entries) ?? []).map(fieldsOf);
  return {
    type: "plan",
    entries: all.map((each) =>
      known({
        content: textOf(each["content"]) ?? "",
        priority: textOf(each["priority"]),
        status: textOf(each["status"]),
      }),
    ),
  };
}
