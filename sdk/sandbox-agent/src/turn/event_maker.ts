// Makes events of messages, in order: a tool call's event is the sum of all that was said about it. One maker per reader.
import type { AcpHttpGap, AcpHttpMessage } from "acp-http-client";
import type { AgentRequest } from "../client/agent_requests.js";
import { rawOf, type RawMessage } from "../client/events.js";
import type { PermissionOption, QuestionAnswer, SessionUpdate, ToolChange } from "../client/protocol.js";
import { exitOf } from "../client/session_book.js";
import { SandboxAgentError } from "../errors.js";
import type { ErrorEvent, ExitedEvent, PermissionEvent, QuestionEvent, ToolEvent, TurnEvent } from "./turn_event.js";

const mostTools = 256; // tool calls that are remembered; the others were over long ago

type Update = SessionUpdate | { sessionUpdate: "unknown" };

export class EventMaker {
  readonly #tools = new Map<string, ToolEvent>();

  make(message: AcpHttpMessage | AcpHttpGap, request: AgentRequest | undefined): TurnEvent | ExitedEvent {
    if (message.type === "gap") return lostEvent(message);
    const raw = rawOf(message);
    if (request) return request.kind === "permission" ? permissionEvent(request, raw) : questionEvent(request, raw);
    const { method, params } = message.message as { method?: string; params?: Record<string, unknown> };
    switch (method) {
      case "session/update":
        return this.#ofUpdate((params?.["update"] ?? { sessionUpdate: "unknown" }) as Update, raw);
      case "_adapter/invalid_stdout":
        return { type: "error", error: unparsed(params), raw };
      case "_adapter/agent_exited":
        return { ...exitOf(params), type: "exited", raw };
      default:
        return { type: "raw", raw };
    }
  }

  #ofUpdate(update: Update, raw: RawMessage): TurnEvent {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
      case "agent_thought_chunk": {
        const { content, messageId } = update;
        if (content?.type !== "text") return { type: "raw", ...(content && { content }), raw };
        if (update.sessionUpdate === "agent_thought_chunk") return { type: "thought", text: content.text, raw };
        return { type: "text", text: content.text, ...(messageId && { messageId }), raw };
      }
      case "tool_call":
      case "tool_call_update":
        return this.#tool(update, raw);
      case "plan":
        return { type: "plan", entries: update.entries ?? [], raw };
      case "current_mode_update":
        return { type: "mode", modeId: update.currentModeId, raw };
      case "available_commands_update":
        return { type: "commands", commands: update.availableCommands ?? [], raw };
      case "usage_update":
        return { type: "usage", used: update.used, size: update.size, ...(update.cost && { cost: update.cost }), raw };
      default:
        return { type: "raw", raw };
    }
  }

  #tool(change: ToolChange, raw: RawMessage): ToolEvent {
    const { toolCallId } = change;
    const before = this.#tools.get(toolCallId) ?? {
      type: "tool",
      toolCallId,
      title: "",
      status: "pending",
      content: [],
      locations: [],
      raw,
    };
    const said = {
      title: change.title,
      status: change.status,
      kind: change.kind,
      content: listOf(change.content),
      locations: listOf(change.locations),
      input: change.rawInput,
      output: change.rawOutput,
    };
    const news = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined && value !== null));
    const event: ToolEvent = { ...before, ...news, raw };
    this.#tools.delete(toolCallId); // those that changed last are last
    this.#tools.set(toolCallId, event);
    if (this.#tools.size > mostTools) this.#tools.delete(this.#tools.keys().next().value as string);
    return event;
  }
}

// An agent may write anything where a list belongs.
function listOf<Item>(value: Item[] | null | undefined): Item[] | undefined {
  return Array.isArray(value) ? value.filter((item) => item !== null) : undefined;
}

function permissionEvent(request: AgentRequest, raw: RawMessage): PermissionEvent {
  const { tool, options } = request.permission;
  const choose = async (optionId: string | undefined) => request.respond(request.choice(optionId));
  const pick = (kinds: PermissionOption["kind"][]) =>
    choose(kinds.map((kind) => options.find((each) => each.kind === kind)).find((each) => each !== undefined)?.optionId);
  return {
    type: "permission",
    title: tool.title ?? "",
    tool,
    options,
    get open() {
      return request.open;
    },
    allow: (how = "once") => pick(how === "always" ? ["allow_always", "allow_once"] : ["allow_once"]),
    deny: (how = "once") => pick(how === "always" ? ["reject_always", "reject_once"] : ["reject_once"]),
    choose,
    raw,
  };
}

function questionEvent(request: AgentRequest, raw: RawMessage): QuestionEvent {
  const { message, form } = request.question;
  const respond = (answer: QuestionAnswer) => request.respond({ ...answer }); // one request, one object
  return {
    type: "question",
    message,
    form,
    get open() {
      return request.open;
    },
    answer: (content) => respond({ action: "accept", content }),
    decline: () => respond({ action: "decline" }),
    respond,
    raw,
  };
}

function unparsed(params: unknown): SandboxAgentError {
  const { error = "" } = (params ?? {}) as { error?: string };
  return new SandboxAgentError(`The agent wrote something that is no message: ${error}`, {
    code: "unparsed_output",
    hint: "See `raw` for what it wrote.",
    data: params,
  });
}

function lostEvent(gap: AcpHttpGap): ErrorEvent {
  const { from, to = 0 } = gap;
  const error = new SandboxAgentError(`The events ${from} to ${to} were lost.`, {
    code: "events_lost",
    hint: "The agent may have asked something in them: cancel() ends the turn.",
    data: gap,
  });
  return { type: "error", error, raw: { id: to, envelope: gap, json: JSON.stringify(gap) } };
}
