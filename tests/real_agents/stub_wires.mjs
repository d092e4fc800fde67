// The wire formats of the stub model, one object each:
//   parse(body, path) -> { items, tools, model, stream, json? }     the conversation, as stub_plan.mjs takes it
//   whole(plan, asked) -> the answer as one object
//   send({ event, pauseBefore }, plan, asked)                       the answer as server-sent events

let made = 0;
const newId = (prefix) => `${prefix}_stub${String(++made).padStart(6, "0")}`;

function textOf(content) {
  if (content == null) return "";
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return content.text ?? JSON.stringify(content);
  return content.map((part) => (typeof part === "string" ? part : part?.text ?? textOf(part?.content))).join("\n");
}

async function sendChunks({ pauseBefore }, chunks, send) {
  for (const [index, chunk] of chunks.entries()) {
    await pauseBefore(index);
    await send(chunk);
  }
}

// --- Anthropic Messages ---

const anthropic = {
  usage: { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 5 },

  parse(body) {
    const blocks = (content) => (typeof content === "string" ? [{ type: "text", text: content }] : content ?? []);
    const items = (body.messages ?? []).flatMap(({ role, content }) => blocks(content).flatMap((block) => {
      if (block.type === "tool_result") return [{ result: textOf(block.content) }];
      return block.type === "text" ? [{ user: role === "user", text: block.text }] : [];
    }));
    const tools = (body.tools ?? []).map((tool) => ({ name: tool.name, schema: tool.input_schema }));
    return { items, tools, model: body.model, stream: Boolean(body.stream) };
  },

  message(asked, content, stop_reason) {
    return { id: newId("msg"), type: "message", role: "assistant", model: asked.model, content, stop_reason,
      stop_sequence: null, usage: this.usage };
  },

  whole(plan, asked) {
    const content = [{ type: "text", text: plan.chunks.join("") }];
    if (plan.call) content.push({ type: "tool_use", id: newId("toolu"), name: plan.call.name, input: plan.call.args });
    return this.message(asked, content, plan.call ? "tool_use" : "end_turn");
  },

  async send(out, plan, asked) {
    const event = (type, members) => out.event({ type, ...members }, type);
    let index = 0;
    const block = async (content_block, deltas, pauseBefore = () => {}) => {
      await event("content_block_start", { index, content_block });
      await sendChunks({ pauseBefore }, deltas, (delta) => event("content_block_delta", { index, delta }));
      await event("content_block_stop", { index: index++ });
    };
    await event("message_start", { message: this.message(asked, [], null) });
    await block({ type: "text", text: "" }, plan.chunks.map((text) => ({ type: "text_delta", text })), out.pauseBefore);
    if (plan.call) {
      const args = JSON.stringify(plan.call.args);
      const halves = [args.slice(0, args.length / 2), args.slice(args.length / 2)];
      await block({ type: "tool_use", id: newId("toolu"), name: plan.call.name, input: {} },
        halves.map((partial_json) => ({ type: "input_json_delta", partial_json })));
    }
    const delta = { stop_reason: plan.call ? "tool_use" : "end_turn", stop_sequence: null };
    await event("message_delta", { delta, usage: { output_tokens: plan.chunks.length } });
    await event("message_stop", {});
  },
};

// --- OpenAI Chat Completions ---

const chat = {
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },

  parse(body) {
    const items = (body.messages ?? []).map(({ role, content }) =>
      (role === "tool" ? { result: textOf(content) } : { user: role === "user", text: textOf(content) }));
    const tools = (body.tools ?? []).map((tool) => ({ name: tool.function.name, schema: tool.function.parameters }));
    return { items, tools, model: body.model, stream: Boolean(body.stream) };
  },

  calls: ({ call }) => [
    { index: 0, id: newId("call"), type: "function", function: { name: call.name, arguments: JSON.stringify(call.args) } },
  ],

  whole(plan, asked) {
    const message = { role: "assistant", content: plan.chunks.join("") };
    if (plan.call) message.tool_calls = this.calls(plan);
    const choices = [{ index: 0, message, finish_reason: plan.call ? "tool_calls" : "stop" }];
    return { id: newId("chatcmpl"), object: "chat.completion", created: 1, model: asked.model, usage: this.usage, choices };
  },

  async send(out, plan, asked) {
    const base = { id: newId("chatcmpl"), object: "chat.completion.chunk", created: 1, model: asked.model };
    const delta = (value, finish_reason = null) => out.event({ ...base, choices: [{ index: 0, delta: value, finish_reason }] });
    await delta({ role: "assistant", content: "" });
    await sendChunks(out, plan.chunks, (content) => delta({ content }));
    if (plan.call) await delta({ tool_calls: this.calls(plan) });
    await delta({}, plan.call ? "tool_calls" : "stop");
    await out.event({ ...base, choices: [], usage: this.usage });
    await out.event("[DONE]");
  },
};

// --- OpenAI Responses ---

const responses = {
  usage: { input_tokens: 10, input_tokens_details: { cached_tokens: 0 }, output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 15 },

  parse(body) {
    const input = typeof body.input === "string" ? [{ role: "user", content: body.input }] : body.input ?? [];
    const items = input.flatMap((item) => {
      if (item.type?.endsWith("_call_output")) return [{ result: textOf(item.output) }];
      return item.role ? [{ user: item.role === "user", text: textOf(item.content) }] : [];
    });
    const tools = (body.tools ?? []).filter((tool) => tool.name)
      .map((tool) => ({ name: tool.name, schema: tool.parameters, custom: tool.type === "custom" }));
    return { items, tools, model: body.model, stream: Boolean(body.stream) };
  },

  output(plan) {
    const content = [{ type: "output_text", text: plan.chunks.join(""), annotations: [] }];
    const message = { type: "message", id: newId("msg"), status: "completed", role: "assistant", content };
    if (!plan.call) return [message];
    const { name, custom, input, args } = plan.call;
    const call = custom ? { type: "custom_tool_call", input } : { type: "function_call", arguments: JSON.stringify(args) };
    return [message, { ...call, id: newId("fc"), status: "completed", call_id: newId("call"), name }];
  },

  response: (asked, id, status, output, usage) => ({ id, object: "response", created_at: 1, status, model: asked.model, output,
    error: null, incomplete_details: null, parallel_tool_calls: false, tool_choice: "auto", tools: [], usage }),

  whole(plan, asked) {
    return this.response(asked, newId("resp"), "completed", this.output(plan), this.usage);
  },

  async send(out, plan, asked) {
    const id = newId("resp");
    let sequence_number = 0;
    const event = (type, members) => out.event({ type, sequence_number: sequence_number++, ...members }, type);
    await event("response.created", { response: this.response(asked, id, "in_progress", [], null) });
    const output = this.output(plan);
    for (const [output_index, item] of output.entries()) {
      const at = { item_id: item.id, output_index };
      const started = { ...item, status: "in_progress" };
      if (item.type === "message") {
        await event("response.output_item.added", { output_index, item: { ...started, content: [] } });
        const part = { type: "output_text", text: "", annotations: [] };
        await event("response.content_part.added", { ...at, content_index: 0, part });
        await sendChunks(out, plan.chunks, (delta) => event("response.output_text.delta", { ...at, content_index: 0, delta }));
        await event("response.output_text.done", { ...at, content_index: 0, text: item.content[0].text });
        await event("response.content_part.done", { ...at, content_index: 0, part: item.content[0] });
      } else {
        const [member, kind] = item.type === "function_call"
          ? ["arguments", "function_call_arguments"] : ["input", "custom_tool_call_input"];
        await event("response.output_item.added", { output_index, item: { ...started, [member]: "" } });
        await event(`response.${kind}.delta`, { ...at, delta: item[member] });
        await event(`response.${kind}.done`, { ...at, [member]: item[member] });
      }
      await event("response.output_item.done", { output_index, item });
    }
    await event("response.completed", { response: this.response(asked, id, "completed", output, this.usage) });
  },
};

// --- Gemini ---

const gemini = {
  usage: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },

  parse(body, path) {
    const items = (body.contents ?? []).flatMap(({ role, parts }) => (parts ?? []).flatMap(({ functionResponse, text }) => {
      if (functionResponse) return [{ result: textOf(functionResponse.response?.output ?? functionResponse.response) }];
      return text ? [{ user: role !== "model", text }] : [];
    }));
    const tools = (body.tools ?? []).flatMap((tool) => tool.functionDeclarations ?? [])
      .map((tool) => ({ name: tool.name, schema: tool.parametersJsonSchema ?? tool.parameters }));
    const wish = body.generationConfig ?? {};
    return { items, tools, model: /models\/([^:]+):/.exec(path)?.[1], stream: path.endsWith(":streamGenerateContent"),
      json: Boolean(wish.responseJsonSchema) || wish.responseMimeType === "application/json" };
  },

  piece(asked, parts, finishReason) {
    const candidate = { index: 0, content: { role: "model", parts }, ...(finishReason && { finishReason }) };
    return { candidates: [candidate], modelVersion: asked.model, usageMetadata: this.usage };
  },

  call: ({ call }) => ({ functionCall: { id: newId("call"), name: call.name, args: call.args } }),

  whole(plan, asked) {
    const text = { text: plan.chunks.join("") };
    return this.piece(asked, plan.call ? [text, this.call(plan)] : [text], "STOP");
  },

  async send(out, plan, asked) {
    await sendChunks(out, plan.chunks, (text) => out.event(this.piece(asked, [{ text }])));
    await out.event(this.piece(asked, [plan.call ? this.call(plan) : { text: "" }], "STOP"));
  },
};

// --- which of them a path belongs to ---

const wires = [
  [/\/messages$/, anthropic],
  [/\/responses$/, responses],
  [/\/chat\/completions$/, chat],
  [/:(stream)?generateContent$/i, gemini],
];

export const wireOf = (path) => wires.find(([pattern]) => pattern.test(path))?.[1];
