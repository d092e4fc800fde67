// What the agent asked a person and nobody has answered: permissions and questions. The first answer counts.
import { productMeta, type EventWriter } from "./event_writer.js";
import type { PermissionOffer, PermissionResolved, QuestionResolved } from "./events.js";
import { fieldsOf, known, listOf, textOf, wordOf, type Fields } from "./json.js";
import { idOf, keyOf } from "./json_rpc.js";
import { meaningOf } from "./permission_options.js";
import { choicesOf } from "./question_choices.js";
import type { Tools } from "./tools.js";

export const questionExtension = "_sandboxagent/session/request_question";

interface OpenPermission {
  readonly kind: "permission";
  readonly permission_id: string;
  readonly request_id: string | number | null;
  readonly action: string;
  readonly options: PermissionOffer[];
  readonly callId: string | undefined;
}

interface OpenQuestion {
  readonly kind: "question";
  readonly question_id: string;
  readonly request_id: string | number | null;
  readonly prompt: string;
  readonly isExtension: boolean;
}

type Ending = "cancelled" | "expired";

export class Asked {
  readonly #writer: EventWriter;
  readonly #tools: Tools;
  readonly #open = new Map<string, OpenPermission | OpenQuestion>();

  constructor(writer: EventWriter, tools: Tools) {
    this.#writer = writer;
    this.#tools = tools;
  }

  permission(id: unknown, params: Fields): void {
    const tool = fieldsOf(params["toolCall"]);
    const callId = wordOf(tool["toolCallId"]);
    if (callId !== undefined) this.#tools.hearOfRequest(callId, tool);
    const permission_id = this.#writer.name("perm");
    const action = textOf(tool["title"]) ?? textOf(tool["kind"]) ?? "";
    const options = (listOf(params["options"]) ?? []).map(offerOf);
    const request_id = idOf(id);
    this.#replace(id, { kind: "permission", permission_id, request_id, action, options, callId });
    const item_id = this.#tools.itemOf(callId);
    const data = { permission_id, action, status: "requested" as const, options, tool_call_id: callId, item_id };
    this.#writer.write("permission.requested", known(data), known({ permission_id, request_id, item_id }));
  }

  question(id: unknown, method: string, params: Fields): void {
    const isExtension = method === questionExtension;
    const question_id = wordOf(params["question_id"]) ?? wordOf(params["questionId"]) ?? this.#writer.name("question");
    const prompt = textOf(params[isExtension ? "prompt" : "message"]) ?? "";
    const request_id = idOf(id);
    this.#replace(id, { kind: "question", question_id, request_id, prompt, isExtension });
    const schema = isExtension ? undefined : params["requestedSchema"];
    const url = textOf(params["url"]);
    const data = { question_id, prompt, status: "requested" as const, ...choicesOf(params), method, schema, url };
    this.#writer.write("question.requested", known(data), { question_id, request_id });
  }

  /** The client's answer to something of the agent; to anything else it is nothing. */
  answered(id: unknown, { result, error }: Fields): void {
    const asked = this.#open.get(keyOf(id));
    if (!asked) return;
    this.#open.delete(keyOf(id));
    if (asked.kind === "permission") this.#permissionAnswered(asked, result, error !== undefined);
    else this.#questionAnswered(asked, result, error !== undefined);
  }

  /** The agent no longer wants an answer. */
  withdrawn(id: unknown): void {
    const asked = this.#open.get(keyOf(id));
    if (asked) this.#end(keyOf(id), asked, "cancelled");
  }

  endAll(ending: Ending): void {
    for (const [key, asked] of this.#open) this.#end(key, asked, ending);
  }

  #replace(id: unknown, asked: OpenPermission | OpenQuestion): void {
    this.withdrawn(id);
    this.#open.set(keyOf(id), asked);
  }

  #permissionAnswered(asked: OpenPermission, result: unknown, isRefused: boolean): void {
    const outcome = fieldsOf(fieldsOf(result)["outcome"]);
    const option_id = textOf(outcome["optionId"]);
    if (isRefused || outcome["outcome"] !== "selected" || option_id === undefined)
      return this.#permissionOver(asked, "cancelled", undefined, false);
    const option = asked.options.find((each) => each.option_id === option_id);
    const meaning = option ? meaningOf(option) : undefined;
    if (meaning === "reject_once" || meaning === "reject_always") this.#tools.refused(asked.callId);
    this.#permissionOver(asked, meaning ? statusOf[meaning] : "unknown", option_id, false);
  }

  #permissionOver(
    asked: OpenPermission,
    status: PermissionResolved["status"],
    option_id: string | undefined,
    synthetic: boolean,
  ): void {
    const { permission_id, request_id, action } = asked;
    const data = known({ permission_id, action, status, option_id });
    const meta = known({ permission_id, request_id, selectedOption: option_id, status });
    this.#writer.write("permission.resolved", data, meta, synthetic);
  }

  #questionAnswered(asked: OpenQuestion, result: unknown, isRefused: boolean): void {
    const said = fieldsOf(result);
    const { outcome, action } = said;
    if (isRefused || action === "cancel" || outcome === "cancelled")
      return this.#questionOver(asked, "cancelled", undefined, false);
    if (action === "decline" || outcome === "rejected") return this.#questionOver(asked, "rejected", undefined, false);
    const response = asked.isExtension ? (productMeta(said)["answers"] ?? said["answers"]) : said["content"];
    this.#questionOver(asked, "answered", response, false);
  }

  #questionOver(asked: OpenQuestion, status: QuestionResolved["status"], response: unknown, synthetic: boolean): void {
    const { question_id, request_id, prompt } = asked;
    const data = known({ question_id, prompt, status, response });
    this.#writer.write("question.resolved", data, known({ question_id, request_id, status, response }), synthetic);
  }

  #end(key: string, asked: OpenPermission | OpenQuestion, ending: Ending): void {
    this.#open.delete(key);
    if (asked.kind === "permission") this.#permissionOver(asked, ending, undefined, true);
    else this.#questionOver(asked, ending, undefined, true);
  }
}

const statusOf = {
  allow_once: "approved",
  allow_always: "approved_always",
  reject_once: "denied",
  reject_always: "denied",
} as const;

function offerOf(option: unknown): PermissionOffer {
  const { optionId, name, kind } = fieldsOf(option);
  return { option_id: textOf(optionId) ?? "", name: textOf(name) ?? "", kind: textOf(kind) ?? "" };
}
