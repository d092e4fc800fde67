// One message in words: what it is, whose, and what it says. Whatever it holds, this does not fail.
import { seqOf } from "./log.js";
import type { Trace, TraceRow } from "./trace.js";
import { errorText, exitText, gapText } from "./trace_preview.js";
import { contentText, fieldsOf, listOf, spelled, wordOf, type Fields } from "./trace_fields.js";

export interface Said {
  readonly label: string;
  readonly value: string;
  /** It is text of the conversation: long, with line breaks. */
  readonly isText?: boolean;
}

export function inWords(trace: Trace, row: TraceRow): Said[] {
  const message = fieldsOf(row.entry.message);
  const words = [said("What", whatIs(row))];
  if (row.kind === "request" || row.kind === "answer" || row.kind === "error") words.push(said("Id", spelled(message["id"])));
  words.push(...placeOf(trace, row), ...contentOf(trace, row, message));
  return words.filter(({ value }) => value !== "");
}

function whatIs({ kind, method, entry }: TraceRow): string {
  const way = entry.from === "client" ? "from the client to the agent" : "from the agent";
  const name = method ?? "an unknown request";
  switch (kind) {
    case "request":
      return `Request ${name}, ${way}`;
    case "notification":
      return method?.startsWith("_adapter/") ? `Word of the daemon: ${method}` : `Notification ${name}, ${way}`;
    case "answer":
      return `Answer to ${name}, ${way}`;
    case "error":
      return `Error in answer to ${name}, ${way}`;
    case "gap":
      return "Word of the daemon: events are lost";
    case "invalid":
      return `Not a message of JSON-RPC, ${way}`;
  }
}

function placeOf(trace: Trace, row: TraceRow): Said[] {
  const words: Said[] = [];
  const pair = row.pair === undefined ? undefined : trace.at(row.pair);
  const after = row.latencyMs === undefined ? "" : ` after ${row.latencyMs.toFixed(0)} ms`;
  if (pair !== undefined) words.push(said(row.kind === "request" ? "Answered by" : "Answers", `${seqOf(pair.entry)}${after}`));
  else if (row.kind === "request") words.push(said("Answered by", trace.isOpen(row) ? "nobody yet" : "nobody that is known"));
  if (row.sessionId !== undefined) words.push(said("Session", row.sessionId));
  if (row.turn !== undefined) words.push(said("Turn", String(row.turn)));
  return words;
}

function contentOf(trace: Trace, row: TraceRow, message: Fields): Said[] {
  if (row.kind === "gap") return [said("Lost", gapText(message))];
  if (row.kind === "invalid") return [];
  if (row.kind === "error") return errorWords(message["error"]);
  if (row.kind === "answer") return answerWords(row.method, fieldsOf(message["result"]));
  const params = fieldsOf(message["params"]);
  switch (row.method) {
    case "session/update":
      return updateWords(trace, row, fieldsOf(params["update"]));
    case "session/prompt":
      return [text("Prompt", listOf(params["prompt"]).map(contentText).join("\n"))];
    case "session/request_permission":
      return [...toolWords(trace, row, fieldsOf(params["toolCall"])), said("Options", optionsOf(params["options"]))];
    case "session/new":
    case "session/load":
    case "session/resume":
      return [said("Folder", spelled(params["cwd"] ?? "")), said("MCP servers", namesOf(params["mcpServers"], "name"))];
    case "initialize":
      return handshake(params, "client");
    case "elicitation/create":
      return [text("Question", spelled(params["message"] ?? ""))];
    case "_adapter/agent_exited":
      return [said("Ended with", exitText(params))];
    case "_adapter/invalid_stdout":
      return [said("Why", spelled(params["error"] ?? "")), text("The agent wrote", spelled(params["raw"] ?? ""))];
    default:
      return [];
  }
}

const errorNames = new Map<unknown, string>([
  [-32700, "parse error"],
  [-32600, "invalid request"],
  [-32601, "method not found"],
  [-32602, "invalid parameters"],
  [-32603, "internal error"],
  [-32800, "request cancelled"],
  [-32000, "authentication required"],
  [-32002, "not found"],
]);

function errorWords(value: unknown): Said[] {
  const error = fieldsOf(value);
  const code = error["code"];
  const name = errorNames.get(code);
  return [
    said("Code", code === undefined ? "" : name === undefined ? spelled(code) : `${spelled(code)} (${name})`),
    text("Message", wordOf(error["message"]) ?? errorText(value)),
    text("Data", spelled(error["data"] ?? "")),
  ];
}

const stops = new Map<unknown, string>([
  ["end_turn", "done"],
  ["cancelled", "cancelled"],
  ["max_tokens", "stopped: token limit"],
  ["max_turn_requests", "stopped: request limit"],
  ["refusal", "refused"],
]);

function answerWords(method: string | undefined, result: Fields): Said[] {
  const outcome = fieldsOf(result["outcome"]);
  const stop = result["stopReason"];
  const usage = Object.entries(fieldsOf(result["usage"])).filter(([, value]) => typeof value === "number");
  return [
    said("Stop reason", stop === undefined ? "" : `${spelled(stop)} (${stops.get(stop) ?? "unknown"})`),
    said("Outcome", [wordOf(outcome["outcome"]), wordOf(outcome["optionId"])].filter(Boolean).join(": ")),
    said("Answer", method === "elicitation/create" ? spelled(result["action"] ?? "") : ""),
    said("Usage", usage.map(([name, value]) => `${name} ${String(value)}`).join(", ")),
    said("Mode", spelled(fieldsOf(result["modes"])["currentModeId"] ?? "")),
    said("Model", spelled(fieldsOf(result["models"])["currentModelId"] ?? "")),
    said("Options", namesOf(result["configOptions"], "name")),
    ...(method === "initialize" ? handshake(result, "agent") : []),
  ];
}

function handshake(fields: Fields, who: "client" | "agent"): Said[] {
  const info = fieldsOf(fields[`${who}Info`]);
  const name = [wordOf(info["title"]) ?? wordOf(info["name"]), wordOf(info["version"])].filter(Boolean).join(" ");
  return [
    said("Protocol", spelled(fields["protocolVersion"] ?? "")),
    said(who === "agent" ? "Agent" : "Client", name),
    said("Can", abilities(fields[`${who}Capabilities`]).join(", ")),
    said("Signs in by", namesOf(fields["authMethods"], "name")),
  ];
}

/** The capabilities that are there, as paths: "fs.readTextFile". */
function abilities(value: unknown, path = "", depth = 0): string[] {
  if (value === true) return [path];
  if (depth > 4) return [];
  return Object.entries(fieldsOf(value)).flatMap(([name, inner]) =>
    name === "_meta" ? [] : abilities(inner, path === "" ? name : `${path}.${name}`, depth + 1),
  );
}

function updateWords(trace: Trace, row: TraceRow, update: Fields): Said[] {
  const kind = wordOf(update["sessionUpdate"]) ?? "";
  if (kind.startsWith("tool_call")) return [said("Update", kind), ...toolWords(trace, row, update)];
  const content = update["content"];
  const words = Array.isArray(content)
    ? content.map(contentText).join("\n")
    : content === undefined
      ? ""
      : contentText(content);
  const plan = listOf(update["entries"]).map(fieldsOf);
  const steps = plan.map((entry) => `${spelled(entry["status"] ?? "?")}: ${spelled(entry["content"] ?? "")}`);
  return [
    said("Update", kind),
    text("Text", words),
    text("Plan", kind === "plan" ? steps.join("\n") : ""),
    said("Mode", spelled(update["currentModeId"] ?? "")),
    said("Title", spelled(update["title"] ?? "")),
    said("Commands", namesOf(update["availableCommands"], "name")),
    said("Options", namesOf(update["configOptions"], "name")),
  ];
}

function toolWords(trace: Trace, row: TraceRow, call: Fields): Said[] {
  const callId = wordOf(call["toolCallId"]) ?? "";
  const places = listOf(call["locations"]).map((location) => {
    const { path, line } = fieldsOf(location);
    return typeof line === "number" ? `${spelled(path)}:${line}` : spelled(path ?? "");
  });
  return [
    said("Tool", wordOf(call["title"]) ?? trace.toolTitle(row.sessionId, callId) ?? ""),
    said("Tool call", callId),
    said("Kind", spelled(call["kind"] ?? "")),
    said("State", spelled(call["status"] ?? "")),
    said("Places", places.join(", ")),
    text("Content", listOf(call["content"]).map(contentText).join("\n")),
  ];
}

function optionsOf(value: unknown): string {
  const named = listOf(value).map(fieldsOf);
  return named.map((option) => `${spelled(option["name"] ?? "?")} (${spelled(option["optionId"] ?? "?")})`).join(", ");
}

function namesOf(value: unknown, member: string): string {
  return listOf(value)
    .map((item) => wordOf(fieldsOf(item)[member]) ?? "?")
    .join(", ");
}

function said(label: string, value: string): Said {
  return { label, value };
}

function text(label: string, value: string): Said {
  return { label, value, isText: true };
}
