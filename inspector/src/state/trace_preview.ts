// One line that tells what a message says. Made only for rows that are shown.
import type { Trace, TraceRow } from "./trace.js";
import { contentText, fieldsOf, listOf, spelled, wordOf, type Fields } from "./trace_fields.js";

const longest = 200;

export function previewOf(trace: Trace, row: TraceRow): string {
  const message = fieldsOf(row.entry.message);
  if (row.kind === "gap") return gapText(message);
  if (row.kind === "invalid") return line(row.entry.json);
  if (row.kind === "error") return line(errorText(message["error"]));
  if (row.kind === "answer") return line(answerText(row.method, message["result"]));
  return line(saidText(trace, row, fieldsOf(message["params"])));
}

/** "3 events lost (12–14)", and what else the daemon said of it. */
export function gapText(gap: Fields): string {
  const { from, to, reason, clientMessages } = gap;
  const known = typeof from === "number" && typeof to === "number";
  const parts = [known ? `${to - from + 1} ${to === from ? "event" : "events"} lost (${from}–${to})` : "events lost"];
  if (typeof clientMessages === "number") parts.push(`${clientMessages} of clients`);
  if (reason === "unknown_position") parts.push("the position is unknown, the log begins anew");
  else if (wordOf(reason) !== undefined) parts.push(String(reason));
  return parts.join(" · ");
}

export function errorText(value: unknown): string {
  const error = fieldsOf(value);
  const code = error["code"];
  const text = wordOf(error["message"]) ?? spelled(value);
  return code === undefined ? text : `${spelled(code)} ${text}`;
}

function answerText(method: string | undefined, value: unknown): string {
  const result = fieldsOf(value);
  const outcome = fieldsOf(result["outcome"]);
  const telling =
    wordOf(result["stopReason"]) ??
    wordOf(result["sessionId"]) ??
    wordOf(outcome["optionId"]) ??
    wordOf(outcome["outcome"]) ??
    wordOf(result["action"]) ??
    wordOf(result["terminalId"]) ??
    wordOf(result["content"]);
  if (telling !== undefined) return telling;
  if (method === "initialize") return nameAndVersion(result["agentInfo"]) ?? `protocol ${spelled(result["protocolVersion"])}`;
  return value === null || (Object.keys(result).length === 0 && typeof value === "object") ? "" : spelled(value);
}

function saidText(trace: Trace, row: TraceRow, params: Fields): string {
  switch (row.method) {
    case "session/update":
      return updateText(trace, row.sessionId, fieldsOf(params["update"]));
    case "session/prompt":
      return listOf(params["prompt"]).map(contentText).join(" ");
    case "session/request_permission":
      return permissionText(trace, row.sessionId, params);
    case "initialize":
      return nameAndVersion(params["clientInfo"]) ?? `protocol ${spelled(params["protocolVersion"])}`;
    case "_adapter/agent_exited":
      return exitText(params);
    case "_adapter/invalid_stdout":
      return wordOf(params["raw"]) ?? wordOf(params["error"]) ?? "";
    default:
      return tellingParams(params);
  }
}

export function exitText({ code, signal, reason }: Fields): string {
  if (wordOf(reason) !== undefined) return String(reason);
  if (wordOf(signal) !== undefined) return `signal ${String(signal)}`;
  return typeof code === "number" ? `exit code ${code}` : "";
}

function permissionText(trace: Trace, sessionId: string | undefined, params: Fields): string {
  const call = fieldsOf(params["toolCall"]);
  const title = wordOf(call["title"]) ?? trace.toolTitle(sessionId, wordOf(call["toolCallId"]) ?? "") ?? "";
  const options = listOf(params["options"]).map((option) => wordOf(fieldsOf(option)["name"]) ?? "?");
  return [title, options.join(" / ")].filter((part) => part !== "").join(": ");
}

function updateText(trace: Trace, sessionId: string | undefined, update: Fields): string {
  const kind = wordOf(update["sessionUpdate"]) ?? "?";
  const callId = wordOf(update["toolCallId"]);
  if (callId !== undefined && kind.startsWith("tool_call")) {
    const title = wordOf(update["title"]) ?? trace.toolTitle(sessionId, callId) ?? callId;
    return [kind, title, wordOf(update["status"])].filter((part) => part !== undefined).join(" · ");
  }
  const text = updateDetail(kind, update);
  return text === "" ? kind : `${kind} · ${text}`;
}

function updateDetail(kind: string, update: Fields): string {
  if (kind === "plan") {
    const entries = listOf(update["entries"]).map(fieldsOf);
    const done = entries.filter((entry) => entry["status"] === "completed").length;
    const next = entries.find((entry) => entry["status"] !== "completed");
    return `${done}/${entries.length} ${wordOf(next?.["content"]) ?? ""}`.trimEnd();
  }
  if (kind === "available_commands_update") {
    const names = listOf(update["availableCommands"]).map((command) => `/${wordOf(fieldsOf(command)["name"]) ?? "?"}`);
    return names.join(" ");
  }
  const content = update["content"];
  if (Array.isArray(content)) return content.map(contentText).join(" ");
  if (content !== undefined) return contentText(content);
  return tellingParams(update);
}

const silent = new Set(["sessionId", "sessionUpdate", "_meta", "messageId"]);

/** The members that say something, shortly: `cwd: /work · mcpServers: 2`. */
function tellingParams(params: Fields): string {
  const told: string[] = [];
  for (const [name, value] of Object.entries(params)) {
    if (silent.has(name) || value === null || value === "") continue;
    if (Array.isArray(value)) told.push(`${name}: ${value.length}`);
    else if (typeof value !== "object") told.push(`${name}: ${String(value).slice(0, longest)}`);
    if (told.length === 4) break;
  }
  return told.join(" · ");
}

function nameAndVersion(value: unknown): string | undefined {
  const info = fieldsOf(value);
  const name = wordOf(info["title"]) ?? wordOf(info["name"]);
  return name === undefined ? undefined : [name, wordOf(info["version"])].filter((part) => part !== undefined).join(" ");
}

/** Without line breaks, and not longer than a line can be. */
function line(text: string): string {
  const short = text
    .slice(0, longest * 4)
    .replace(/\s+/g, " ")
    .trim();
  const letters = [...short];
  return letters.length < longest && text.length <= longest * 4 ? short : `${letters.slice(0, longest - 1).join("")}…`;
}
