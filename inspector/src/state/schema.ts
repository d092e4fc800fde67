// Whether a message keeps to the schema of the protocol. The schema is given: it is big, and comes when it is first wanted.
import { dereference, validate, type OutputUnit, type Schema } from "@cfworker/json-schema";
import type { TraceRow } from "./trace.js";
import { fieldsOf } from "./trace_fields.js";

/** The protocol's own schema: definitions that name their method and the side that answers it. */
export interface ProtocolSchema {
  readonly $defs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export type SchemaResult =
  | { readonly state: "valid"; readonly name: string }
  | { readonly state: "invalid"; readonly name: string; readonly path: string; readonly why: string }
  /** There is nothing to compare with. */
  | { readonly state: "none"; readonly why: string };

type Part = "Request" | "Response" | "Notification";
const base = "acp:schema";

export class SchemaCheck {
  readonly #lookup: Record<string, Schema | boolean>;
  readonly #names = new Map<string, string>(); // by side, method and part

  constructor({ $defs }: ProtocolSchema) {
    this.#lookup = dereference({ $id: base, $defs: $defs as Record<string, Schema> });
    for (const [name, definition] of Object.entries($defs)) {
      const part = /(Request|Response|Notification)$/.exec(name)?.[1];
      const method = definition["x-method"];
      if (part !== undefined && typeof method === "string")
        this.#names.set(`${String(definition["x-side"])} ${method} ${part}`, name);
    }
  }

  check({ kind, method, entry }: TraceRow): SchemaResult {
    if (kind === "gap") return { state: "none", why: "no schema: a word of the daemon" };
    const message = fieldsOf(entry.message);
    if (kind === "invalid")
      return { state: "invalid", name: "JSON-RPC", path: "", why: "is no request, answer or notification" };
    if (message["jsonrpc"] !== "2.0") return { state: "invalid", name: "JSON-RPC", path: "jsonrpc", why: 'must be "2.0"' };
    if (kind === "error") return this.#validate("Error", message["error"], "error");
    if (method === undefined) return { state: "none", why: "no schema: its request is not known" };
    const isAnswer = kind === "answer";
    const side = (entry.from === "agent") === isAnswer ? "agent" : "client"; // who serves the method
    const name = this.#nameOf(side, method, isAnswer ? "Response" : kind === "request" ? "Request" : "Notification");
    if (name === undefined) return { state: "none", why: `no schema for ${method}` };
    const member = isAnswer ? "result" : "params";
    return this.#validate(name, message[member], member);
  }

  #nameOf(side: string, method: string, part: Part): string | undefined {
    return this.#names.get(`${side} ${method} ${part}`) ?? this.#names.get(`protocol ${method} ${part}`);
  }

  #validate(name: string, value: unknown, member: string): SchemaResult {
    if (value === undefined) return { state: "invalid", name, path: member, why: "is missing" };
    const { valid, errors } = validate(value, { $ref: `${base}#/$defs/${name}` }, "2020-12", this.#lookup, false);
    if (valid) return { state: "valid", name };
    const { instanceLocation, error } = tellingOf(errors);
    return { state: "invalid", name, path: pathOf(member, instanceLocation), why: whyOf(error) };
  }
}

const joints = new Set(["$ref", "properties", "items", "allOf", "anyOf", "oneOf", "additionalProperties", "not"]);

// Of all that a validator says of alternatives, what somebody wants to know: an alternative whose own mark ("sessionUpdate", "type")
// is another was not meant; of the others, the fault that lies deepest.
function tellingOf(errors: readonly OutputUnit[]): OutputUnit {
  const meantNot = errors
    .filter(({ keyword, keywordLocation }) => keyword === "const" && /\/(?:oneOf|anyOf)\/\d+\//.test(keywordLocation))
    .map(({ keywordLocation }) => /^(.*\/(?:oneOf|anyOf)\/\d+)\//.exec(keywordLocation)?.[1] ?? "");
  const isMeant = ({ keywordLocation }: OutputUnit) => !meantNot.some((place) => keywordLocation.startsWith(`${place}/`));
  const leaves = errors.filter(({ keyword }) => !joints.has(keyword));
  const meant = leaves.filter(isMeant);
  const candidates = meant.length > 0 ? meant : errors.filter(({ keyword }) => keyword === "oneOf" || keyword === "anyOf");
  const from = candidates.length > 0 ? candidates : errors;
  return from.reduce((best, one) => (depthOf(one) > depthOf(best) ? one : best));
}

const depthOf = ({ instanceLocation }: OutputUnit) => instanceLocation.split("/").length;

/** "params.update.content[0].text" */
function pathOf(member: string, pointer: string): string {
  const keys = pointer.split("/").slice(1);
  const words = keys.map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"));
  return words.reduce((path, key) => (/^\d+$/.test(key) ? `${path}[${key}]` : `${path}.${key}`), member);
}

function whyOf(error: string): string {
  const [, got, wanted] = /^Instance type "(.*)" is invalid\. Expected "(.*)"\.$/.exec(error) ?? [];
  if (got !== undefined) return `is ${article(got)}, must be ${article(wanted!.replaceAll('", "', " or "))}`;
  const [, missing] = /required property "(.*)"\.$/.exec(error) ?? [];
  if (missing !== undefined) return `has no "${missing}"`;
  if (/exactly one subschema|any subschemas/.test(error)) return "is none of the kinds the protocol has";
  return error.replace(/^Instance /, "").replace(/\.$/, "");
}

const article = (word: string) => (word === "null" ? word : /^[aeiou]/.test(word) ? `an ${word}` : `a ${word}`);
