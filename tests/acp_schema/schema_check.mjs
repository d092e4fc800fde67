// Judges single ACP messages by the published JSON schema. Beyond plain validity no property may be unknown to the schema,
// except where it leaves the value open (_meta, rawInput, rawOutput, data of an error).
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const require = createRequire(import.meta.url);
const load = (name) => JSON.parse(readFileSync(require.resolve(`@agentclientprotocol/sdk/schema/${name}`), "utf8"));
const stable = load("v1/schema.json").$defs;
const unstable = load("v1/schema.unstable.json").$defs;

// Types in which we use a property that only the unstable schema has, and which.
const usesUnstable = { InitializeResponse: "agentCapabilities.sessionCapabilities.fork" };

// --- schemas that know no further properties ---

const compositions = ["allOf", "anyOf", "oneOf"];
const isOpen = (schema) => !["$ref", "type", "properties", "const", ...compositions].some((key) => key in schema);
const mapValues = (object, map) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));

// Closing happens where a value stands (a property, an item), not where types are composed: a part does not know the whole.
function closed(schema) {
  if (typeof schema !== "object" || isOpen(schema)) return schema;
  return { allOf: [withClosedParts(schema)], unevaluatedProperties: false };
}

function withClosedParts(schema) {
  const result = { ...schema };
  if (schema.properties) result.properties = mapValues(schema.properties, closed);
  if (schema.items) result.items = closed(schema.items);
  if (typeof schema.additionalProperties === "object") result.additionalProperties = closed(schema.additionalProperties);
  for (const key of compositions) if (schema[key]) result[key] = schema[key].map(withClosedParts);
  return result;
}

function compiler(definitions, { open }) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  for (const [name, highest] of [["uint16", 2 ** 16 - 1], ["uint32", 2 ** 32 - 1], ["uint64", Number.MAX_SAFE_INTEGER]]) {
    ajv.addFormat(name, { type: "number", validate: (value) => Number.isInteger(value) && value >= 0 && value <= highest });
  }
  ajv.addSchema({ $id: "acp", $defs: open ? definitions : mapValues(definitions, withClosedParts) });
  const compiled = new Map();
  return (type) => {
    if (!(type in definitions)) return undefined;
    const part = { $ref: `acp#/$defs/${type}` };
    if (!compiled.has(type)) compiled.set(type, ajv.compile(open ? part : { ...part, unevaluatedProperties: false }));
    return compiled.get(type);
  };
}

const openStable = compiler(stable, { open: true });
const closedStable = compiler(stable, { open: false });
const closedUnstable = compiler(unstable, { open: false });

function checkType(type, value) {
  const validators = type in stable
    ? [openStable(type), type in usesUnstable ? closedUnstable(type) : closedStable(type)]
    : [closedUnstable(type)];
  const inWords = (error) => `${type}${error.instancePath}: ${error.message} ${JSON.stringify(error.params)}`;
  return validators.flatMap((validate) => (validate(value) ? [] : validate.errors.map(inWords)));
}

// --- which type a method has ---

const methods = new Map();  // method -> { side, Request, Response, Notification: type names, isStable }
for (const [definitions, isStable] of [[stable, true], [unstable, false]]) {
  for (const [type, schema] of Object.entries(definitions)) {
    const method = schema["x-method"];
    const role = type.match(/(Request|Response|Notification)$/)?.[1];
    if (!method || !role || (methods.get(method)?.isStable && !isStable)) continue;
    methods.set(method, { isStable, side: schema["x-side"], ...methods.get(method), [role]: type });
  }
}

// Every request the stable schema lets a client send to an agent.
export const agentMethods = [...methods]
  .filter(([, { isStable, side, Request }]) => isStable && side === "agent" && Request)
  .map(([method]) => method);

// --- messages ---

const envelopes = {
  request: ["id", "jsonrpc", "method", "params"],
  notification: ["jsonrpc", "method", "params"],
  result: ["id", "jsonrpc", "result"],
  error: ["error", "id", "jsonrpc"],
};

export function kindOf(message) {
  if (message === null || typeof message !== "object") return undefined;
  const keys = Object.keys(message).sort().join();
  return Object.keys(envelopes).find((kind) => envelopes[kind].join() === keys);
}

// What is wrong with a message; empty when nothing is. `answers`: the method of the request a response belongs to.
export function problemsOf(message, answers) {
  const kind = kindOf(message);
  if (!kind) return [`no JSON-RPC message: ${JSON.stringify(message)}`];
  if (message.jsonrpc !== "2.0") return [`jsonrpc is ${JSON.stringify(message.jsonrpc)}`];
  if (kind === "error") return [...checkType("RequestId", message.id), ...checkType("Error", message.error)];

  const method = kind === "result" ? answers : message.method;
  const role = { request: "Request", notification: "Notification", result: "Response" }[kind];
  const type = methods.get(method)?.[role];
  if (!type) return [`the schema knows no ${kind} of ${JSON.stringify(method)}`];
  const idProblems = kind === "notification" ? [] : checkType("RequestId", message.id);
  return [...idProblems, ...checkType(type, kind === "result" ? message.result : message.params)];
}
