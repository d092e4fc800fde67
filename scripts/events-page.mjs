// Prints docs/reference/events.md. The members of the events come from their schema; each example is what the converter makes of the
// log below, and is held against the schema. A type of event without meaning or example is an error.
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { toTranscript } from "../sdk/sandbox-agent/dist/transcript/index.js";

const schema = JSON.parse(readFileSync(new URL("../docs/reference/transcript.schema.json", import.meta.url), "utf8"));
const { definitions } = schema;
const ajv = new Ajv({ strict: false });
addFormats.default(ajv);
const isEvent = ajv.compile(schema);

const meanings = {
  "session.started": "The session is there: it was made, loaded, resumed or forked.",
  "session.ended": "The session is over: the agent or the client ended it, or the agent's process did.",
  "turn.started": "The client sent a prompt. The user's words follow as an item.",
  "turn.ended": "The prompt was answered, with a result or an error; or it never will be.",
  "item.started": "A message, a thought, a tool call, a plan or a status begins.",
  "item.delta": "An item that has begun changes.",
  "item.completed": "An item is over, and is told as it is for good.",
  error: "Something failed: a request, the agent, or events were lost.",
  "permission.requested": "The agent asks whether it may do something, and waits.",
  "permission.resolved": "That question is settled: by an answer, by a cancelled turn, or because the agent is gone.",
  "question.requested": "The agent asks the user something else, and waits.",
  "question.resolved": "That question is settled.",
  "agent.unparsed": "Something was said that is no message. It is kept as text.",
};

// The log the examples are made from: a session with two turns, in the order of the wire.
const session = { sessionId: "s1" };
const text = (words) => ({ type: "text", text: words });
const says = (words) => ({ sessionUpdate: "agent_message_chunk", content: text(words) });
const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
const toolCall = { toolCallId: "call-1", title: "Run the tests", kind: "execute" };
const colour = { type: "string", enum: ["red", "blue"] };
const conversation = [
  ["client", { id: 1, method: "session/new", params: { cwd: "/project", mcpServers: [] } }],
  ["agent", { id: 1, result: session }],
  ["client", { id: 2, method: "session/prompt", params: { ...session, prompt: [text("test it")] } }],
  ["agent", { method: "session/update", params: { ...session, update: says("I run ") } }],
  ["agent", { method: "session/update", params: { ...session, update: says("the tests.") } }],
  ["agent", { id: 7, method: "session/request_permission", params: { ...session, toolCall, options } }],
  ["client", { id: 7, result: { outcome: { outcome: "selected", optionId: "yes" } } }],
  ["agent", { id: 8, method: "elicitation/create", params: { ...session, mode: "form", message: "Which colour?", requestedSchema: { type: "object", properties: { colour } } } }],
  ["client", { id: 8, result: { action: "accept", content: { colour: "red" } } }],
  ["agent", { id: 2, result: { stopReason: "end_turn" } }],
  ["client", { id: 3, method: "session/prompt", params: { ...session, prompt: [text("again")] } }],
  ["agent", { id: 3, error: { code: -32000, message: "The model is not available." } }],
  ["agent", { method: "_adapter/invalid_stdout", params: { error: "not JSON", raw: "warning: low disk" } }],
  ["agent", { method: "_adapter/agent_exited", params: { success: false, code: 1, signal: null } }],
];

function logOf(messages) {
  let eventId = 0;
  let nth = 0;
  const begin = Date.UTC(2026, 0, 1);
  return messages.map(([from, message], place) => {
    if (from === "agent") [eventId, nth] = [eventId + 1, 0];
    else nth++;
    return { from, eventId, nth, epoch: 1, at: begin + 1000 * place, message: { jsonrpc: "2.0", ...message } };
  });
}

function examples() {
  const found = new Map();
  for (const event of toTranscript(logOf(conversation), { sessionId: "mine", agent: "mock" })) {
    if (!isEvent(event)) throw new Error(`${event.type} is not what the schema says: ${ajv.errorsText(isEvent.errors)}`);
    if (!found.has(event.type)) found.set(event.type, event);
  }
  return found;
}

const cell = (words) => words.replaceAll("|", "\\|").replaceAll("\n", " ");
const nameOf = (reference) => reference.slice(reference.lastIndexOf("/") + 1);
const isShape = (name) => definitions[name].properties !== undefined || definitions[name].anyOf !== undefined;

// A type in words; a definition that has a section of its own is a link.
function words(type) {
  if (type.$ref) {
    const name = nameOf(type.$ref);
    return isShape(name) ? `[${name}](#${name.toLowerCase()})` : words(definitions[name]);
  }
  if (type.anyOf) return type.anyOf.map(words).join(" or ");
  if (type.const !== undefined) return `\`${JSON.stringify(type.const)}\``;
  if (type.enum) return type.enum.map((one) => `\`${JSON.stringify(one)}\``).join(", ");
  if (type.type === "array") return `list of ${words(type.items)}`;
  if (type.properties) {
    const mark = (name) => (type.required?.includes(name) ? name : `${name}?`);
    return `{ ${Object.entries(type.properties).map(([name, one]) => `${mark(name)}: ${words(one)}`).join(", ")} }`;
  }
  return [type.type ?? "any"].flat().join(" or ");
}

// A reference may say nothing; then what it refers to does.
const meaning = (type) => type.description ?? (type.$ref && !isShape(nameOf(type.$ref)) ? definitions[nameOf(type.$ref)].description : undefined) ?? "";

function table({ properties, required = [] }, but = []) {
  const rows = Object.entries(properties).filter(([name]) => !but.includes(name));
  const row = ([name, type]) => `| \`${name}\`${required.includes(name) ? "" : "?"} | ${cell(words(type))} | ${cell(meaning(type))} |`;
  return ["| Member | Type | Meaning |", "|---|---|---|", ...rows.map(row), ""];
}

function shapeSection(name) {
  const shape = definitions[name];
  const about = shape.description ? [shape.description, ""] : [];
  return [`### ${name}`, "", ...about, ...(shape.anyOf ? [`One of ${shape.anyOf.map(words).join(", ")}.`, ""] : table(shape))];
}

const eventShapes = definitions.UniversalEvent.anyOf.map(({ $ref }) => definitions[nameOf($ref)]);
const types = eventShapes.map(({ properties }) => properties.type.const);
const [given, missing] = [Object.keys(meanings), types.filter((type) => !(type in meanings))];
if (missing.length > 0) throw new Error(`say in scripts/events-page.mjs what these events mean: ${missing.join(", ")}`);
if (given.length !== types.length) throw new Error("scripts/events-page.mjs explains an event that is not in the schema");
const found = examples();
const without = types.filter((type) => !found.has(type));
if (without.length > 0) throw new Error(`the log in scripts/events-page.mjs gives no example of: ${without.join(", ")}`);

function eventSection(shape) {
  const type = shape.properties.type.const;
  const data = shape.properties.data.$ref ? definitions[nameOf(shape.properties.data.$ref)] : shape.properties.data;
  const example = JSON.stringify({ type, data: found.get(type).data }, null, 2);
  return [`### ${type}`, "", meanings[type], "", ...table(data), "```json", example, "```", ""];
}

const dataShapes = new Set(eventShapes.flatMap(({ properties }) => (properties.data.$ref ? [nameOf(properties.data.$ref)] : [])));
const eventNames = new Set(definitions.UniversalEvent.anyOf.map(({ $ref }) => nameOf($ref)));
const others = Object.keys(definitions).filter((name) => isShape(name) && !dataShapes.has(name) && !eventNames.has(name) && name !== "UniversalEvent");

const lines = [
  "# Universal events",
  "",
  "<!-- generated from transcript.schema.json and the converter by `make reference`; meanings and the log are in scripts/events-page.mjs -->",
  "",
  "What a session said, in a form that is the same for all agents. `sandbox-agent/transcript` makes them from a log; [the guide](../guide/transcript.md)",
  "says how, from which messages, and when an item is complete. For programs: [transcript.schema.json](transcript.schema.json). Members with `?` may be",
  "missing. The examples are what the converter makes of one log, cut down to `type` and `data`; a whole event is shown first.",
  "",
  "| Event | Meaning |",
  "|---|---|",
  ...types.map((type) => `| [\`${type}\`](#${type.replace(".", "")}) | ${meanings[type]} |`),
  "",
  "## What all have",
  "",
  ...table(eventShapes[0], ["type", "data"]),
  "```json",
  JSON.stringify(found.get("item.delta"), null, 2),
  "```",
  "",
  "## Events",
  "",
  ...eventShapes.flatMap(eventSection),
  "## Shapes",
  "",
  ...others.flatMap(shapeSection),
];
process.stdout.write(`${lines.join("\n").trimEnd()}\n`);
