// What a message is about, in one word: the Trace gives each a colour.
import { fieldsOf } from "./trace_fields.js";

export type TraceClass =
  "turn" | "update" | "tool" | "permission" | "question" | "config" | "lifecycle" | "error" | "adapter" | "other";

const methods = new Map<string, TraceClass>([
  ["session/prompt", "turn"],
  ["session/cancel", "turn"],
  ["session/update", "update"],
  ["session/request_permission", "permission"],
  ["elicitation/create", "question"],
  ["elicitation/complete", "question"],
  ["_sandboxagent/session/request_question", "question"],
  ["session/set_mode", "config"],
  ["session/set_model", "config"],
  ["session/set_config_option", "config"],
  ["session/set_title", "config"],
  ["providers/list", "config"],
  ["providers/set", "config"],
  ["providers/disable", "config"],
  ["initialize", "lifecycle"],
  ["authenticate", "lifecycle"],
  ["logout", "lifecycle"],
]);

const rooms: readonly [string, TraceClass][] = [
  ["session/", "lifecycle"],
  ["fs/", "tool"],
  ["terminal/", "tool"],
  ["mcp/", "tool"],
  ["_adapter/", "adapter"],
  ["_sandboxagent/session/", "lifecycle"],
];

const updates = new Map<string, TraceClass>([
  ["tool_call", "tool"],
  ["tool_call_update", "tool"],
  ["tool_call_content_chunk", "tool"],
  ["terminal_update", "tool"],
  ["terminal_output_chunk", "tool"],
  ["current_mode_update", "config"],
  ["config_option_update", "config"],
  ["available_commands_update", "config"],
  ["session_info_update", "config"],
]);

/** Of a request or notification. */
export function classOf(method: string, params: unknown): TraceClass {
  if (method === "session/update") {
    const kind = fieldsOf(fieldsOf(params)["update"])["sessionUpdate"];
    return (typeof kind === "string" ? updates.get(kind) : undefined) ?? "update";
  }
  return methods.get(method) ?? rooms.find(([room]) => method.startsWith(room))?.[1] ?? "other";
}
