// Replies in the former API's form as answers to the agent's requests.
import type { PermissionRequestedEvent } from "./events.js";
import { fieldsOf, listOf, textOf, type Fields } from "./json.js";
import { meaningOf, type OptionKind } from "./permission_options.js";
import { choicesOfProperty } from "./question_choices.js";
import { questionExtension } from "./asked.js";

/** A request of the agent, as it was on the wire. */
export interface AgentQuestion {
  id: string | number | null;
  method?: string;
  params?: unknown;
}

export interface ProtocolAnswer {
  jsonrpc: "2.0";
  id: string | number | null;
  result: Record<string, unknown>;
}

export type PermissionReply = "once" | "always" | "reject";

const product = "sandboxagent.dev";

// In the order in which they come near to what was said. Nobody who says "once" allows for ever.
const nearest: Record<PermissionReply, OptionKind[]> = {
  once: ["allow_once"],
  always: ["allow_always", "allow_once"],
  reject: ["reject_once", "reject_always"],
};

/** The answer to a permission request, or to its event. Without an option that fits: cancelled. What differs is in `_meta`. */
export function permissionResponse(request: AgentQuestion | PermissionRequestedEvent, reply: PermissionReply): ProtocolAnswer {
  const { id, options } = "_meta" in request ? ofEvent(request) : ofMessage(request);
  for (const meaning of nearest[reply]) {
    const byKind = options.find(({ kind }) => kind === meaning);
    const option = byKind ?? options.find((each) => meaningOf(each) === meaning);
    if (!option) continue;
    const isExact = meaning === nearest[reply][0];
    const note = isExact ? {} : noteOf({ requestedReply: reply, selectedKind: meaning });
    return answer(id, { outcome: { outcome: "selected", optionId: option.option_id }, ...note });
  }
  return answer(id, { outcome: { outcome: "cancelled" }, ...noteOf({ requestedReply: reply }) });
}

/** One list of chosen values per question; a question of one choice has a list of one. */
export type QuestionAnswers = readonly (readonly string[] | string)[];

/** The answer to a question of either kind. A form's properties get the answers in their order. */
export function questionResponse(request: AgentQuestion, answers: QuestionAnswers): ProtocolAnswer {
  const lists = answers.map((each) => (typeof each === "string" ? [each] : [...each]));
  if (request.method === questionExtension) return answer(request.id, { outcome: "answered", ...noteOf({ answers: lists }) });
  const properties = Object.entries(fieldsOf(fieldsOf(fieldsOf(request.params)["requestedSchema"])["properties"]));
  const content: Fields = {};
  properties.forEach(([name, property], i) => {
    const value = valueOf(property, lists[i] ?? []);
    if (value !== undefined) content[name] = value;
  });
  return answer(request.id, { action: "accept", content, ...noteOf({ answers: lists }) });
}

export function questionRejection(request: AgentQuestion): ProtocolAnswer {
  return answer(request.id, request.method === questionExtension ? { outcome: "rejected" } : { action: "decline" });
}

// A label stands for its value.
function valueOf(property: unknown, said: string[]): unknown {
  const { options } = choicesOfProperty(property);
  const values = said.map((word) => options.find(({ value, label }) => value === word || label === word)?.value ?? word);
  const [first] = values;
  switch (fieldsOf(property)["type"]) {
    case "array":
      return values;
    case "boolean":
      return first === undefined ? undefined : /^(true|yes|1)$/i.test(first);
    case "number":
    case "integer":
      return first === undefined || first.trim() === "" || Number.isNaN(Number(first)) ? undefined : Number(first);
    default:
      return first;
  }
}

function ofMessage({ id, params }: AgentQuestion) {
  const offered = (listOf(fieldsOf(params)["options"]) ?? []).map(fieldsOf);
  const options = offered.map(({ optionId, kind }) => ({ option_id: textOf(optionId) ?? "", kind: textOf(kind) ?? "" }));
  return { id, options };
}

function ofEvent({ data, _meta }: PermissionRequestedEvent) {
  return { id: _meta[product].request_id ?? null, options: data.options };
}

const noteOf = (note: Fields) => ({ _meta: { [product]: note } });
const answer = (id: ProtocolAnswer["id"], result: Fields): ProtocolAnswer => ({ jsonrpc: "2.0", id, result });
