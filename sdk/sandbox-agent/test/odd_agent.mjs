// An agent that behaves oddly: it offers no list, close, load or fork, has its models in the old shape, and does what the prompt
// says. Environment: ODD_INITIALIZE=never does not answer initialize, =fail ends instead; ODD_SIGTERM=ignore never ends by itself.
import readline from "node:readline";

if (process.env.ODD_SIGTERM === "ignore") {
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 60_000);
}

const lines = readline.createInterface({ input: process.stdin });
const waiting = new Map();
let lastId = 0;
let sessions = 0;

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const update = (sessionId, what) => write({ method: "session/update", params: { sessionId, update: what } });
const chunk = (words) => ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: words } });
const text = (sessionId, words) => update(sessionId, chunk(words));

function ask(method, params) {
  const id = `odd-${++lastId}`;
  write({ id, method, params });
  return { id, answer: new Promise((resolve) => waiting.set(id, resolve)) };
}

const yes = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
let cancel;
let goOn;
const cancelled = new Promise((resolve) => (cancel = resolve));
const toldToGoOn = new Promise((resolve) => (goOn = resolve));
const toolCall = { toolCallId: "t1", title: "rm -rf build" };

const acts = {
  async garbage({ sessionId }) {
    process.stdout.write("this is no JSON\n");
    text(sessionId, "after the garbage");
  },
  async scalars({ sessionId }) {
    process.stdout.write('null\n100\n"done"\n[]\n');
    text(sessionId, "after the scalars");
  },
  async unknown({ sessionId }) {
    update(sessionId, { sessionUpdate: "dance", steps: 3 });
    write({ method: "session/update", params: { sessionId } });
    write({ method: "_odd/notice", params: { sessionId, words: "hello" } });
    update(sessionId, { sessionUpdate: "agent_message_chunk" });
    update(sessionId, { sessionUpdate: "plan" });
    update(sessionId, { sessionUpdate: "tool_call_update", toolCallId: "never-announced", status: "completed", content: null });
    text(sessionId, "after the unknown");
  },
  async malformed({ sessionId }) {
    update(sessionId, { sessionUpdate: "config_option_update" });
    update(sessionId, { sessionUpdate: "config_option_update", configOptions: "none" });
    update(sessionId, { sessionUpdate: "available_commands_update" });
    update(sessionId, { sessionUpdate: "tool_call", toolCallId: "t", title: "x", content: { type: "text" }, locations: 3 });
    update(sessionId, { sessionUpdate: "tool_call_update", toolCallId: "t", content: [null, { type: "diff" }] });
    text(sessionId, "after the malformed");
  },
  async afterwards({ sessionId }) {
    text(sessionId, "in time");
    setImmediate(() => text(sessionId, "too late"));
  },
  async permission({ sessionId }, options) {
    const { answer } = ask("session/request_permission", { sessionId, toolCall, options: JSON.parse(options) });
    text(sessionId, JSON.stringify(await answer));
  },
  async withdrawn({ sessionId }) {
    const { id, answer } = ask("session/request_permission", { sessionId, toolCall, options: yes });
    write({ method: "$/cancel_request", params: { requestId: id } });
    text(sessionId, JSON.stringify(await answer));
  },
  async request({ sessionId }, method) {
    const { answer } = ask(method, { sessionId, path: "/x", content: "", terminalId: "t" });
    text(sessionId, JSON.stringify(await answer));
  },
  // Says "now", waits until it is told to go on, and asks then; or before. Then there is much else.
  async unheard({ sessionId }, count) {
    text(sessionId, "now");
    await toldToGoOn;
    const { answer } = ask("session/request_permission", { sessionId, toolCall, options: yes });
    for (let i = 0; i < Number(count); ++i) text(sessionId, ".");
    text(sessionId, JSON.stringify(await Promise.race([answer, cancelled])));
  },
  async heard({ sessionId }, count) {
    const { answer } = ask("session/request_permission", { sessionId, toolCall, options: yes });
    text(sessionId, "now");
    await toldToGoOn;
    for (let i = 0; i < Number(count); ++i) text(sessionId, ".");
    text(sessionId, JSON.stringify(await answer));
  },
  // Has something to say after it was cancelled.
  async lastWords({ sessionId }) {
    text(sessionId, "working, ");
    await cancelled;
    await new Promise((resolve) => setTimeout(resolve, 100));
    text(sessionId, "stopped");
    return "cancelled";
  },
  async mode({ sessionId }) {
    update(sessionId, { sessionUpdate: "current_mode_update", currentModeId: "bold" });
  },
  async answered({ sessionId }) {
    text(sessionId, JSON.stringify(earlyAnswer));
  },
  async meta({ sessionId }) {
    text(sessionId, JSON.stringify(seen));
  },
  async signal() {
    process.kill(process.pid, "SIGKILL");
    await new Promise(() => {});
  },
};

let seen = {};
let earlyAnswer;

const methods = {
  async initialize() {
    if (process.env.ODD_INITIALIZE === "never") return new Promise(() => {});
    if (process.env.ODD_INITIALIZE === "fail") {
      process.stderr.write("odd: no licence\n");
      process.exit(3);
    }
    return { protocolVersion: 1, agentCapabilities: {} };
  },
  async "session/new"(params) {
    const sessionId = `odd-session-${++sessions}`;
    seen = params;
    if (params.cwd === "/asks") earlyAnswer = await ask("session/request_permission", { sessionId, toolCall, options: [] }).answer;
    if (params.cwd === "/late") await new Promise((resolve) => setTimeout(resolve, 1000));
    text(sessionId, "before the answer");
    update(sessionId, { sessionUpdate: "available_commands_update", availableCommands: [{ name: "early", description: "" }] });
    const availableModels = [{ modelId: "one", name: "One" }, { modelId: "two", name: "Two", description: "better" }];
    return {
      sessionId,
      models: { currentModelId: "one", availableModels },
      modes: { currentModeId: "shy", availableModes: [{ id: "shy", name: "Shy" }, { id: "bold", name: "Bold" }] },
    };
  },
  async "session/set_model"({ modelId }) {
    if (modelId !== "one" && modelId !== "two") throw { code: -32602, message: "no such model" };
    return {};
  },
  async "session/set_mode"() {
    return {};
  },
  async "session/prompt"(params) {
    const [act, ...rest] = params.prompt[0].text.split(" ");
    return { stopReason: (await acts[act](params, rest.join(" "))) ?? "end_turn" };
  },
};

for await (const line of lines) {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === undefined) {
    waiting.get(id)?.(result ?? error);
    waiting.delete(id);
  } else if (method === "session/cancel") {
    cancel("cancelled");
  } else if (method === "go_on") {
    goOn();
  } else if (id !== undefined) {
    const refuse = ({ code = -32603, message }) => write({ id, error: { code, message } });
    if (!methods[method]) refuse({ code: -32601, message: "Method not found" });
    else methods[method](params).then((answer) => write({ id, result: answer }), refuse);
  }
}
