// An agent that writes its conversations into a folder, and goes on with them in another process where it offers to.
// usage: node remembering_agent.mjs <folder> load|tardy|resume|both|halfway|neither|closes|forgets
//   "tardy": answers session/load before it tells the past; "halfway": offers both, and can only load; "closes": can
//   only close sessions; "forgets": offers to load, and knows nothing
// The last text of a prompt says what it does, see `acts`. <folder>/starts has a line for each process.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import path from "node:path";
import readline from "node:readline";

const [folder, offers] = process.argv.slice(2);
const canLoad = ["load", "tardy", "both", "halfway", "forgets"].includes(offers);
const canResume = ["resume", "both", "halfway"].includes(offers);
const known = new Set(); // in this process
const waiting = new Map(); // our requests
const running = new Map(); // session -> id of its prompt
const opened = new Map(); // session -> what it was loaded or resumed with
let lastId = 0;

appendFileSync(path.join(folder, "starts"), `${process.pid}\n`);

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const update = (sessionId, what) => write({ method: "session/update", params: { sessionId, update: what } });
const chunk = (who, text) => ({ sessionUpdate: `${who}_message_chunk`, content: { type: "text", text } });
const fileOf = (sessionId) => path.join(folder, `${sessionId}.jsonl`);
const remember = (sessionId, who, text) => appendFileSync(fileOf(sessionId), `${JSON.stringify([who, text])}\n`);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function say(sessionId, text) {
  remember(sessionId, "agent", text);
  update(sessionId, chunk("agent", text));
}

function pastOf(sessionId) {
  return readFileSync(fileOf(sessionId), "utf8").trimEnd().split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

function ask(method, params, id = ++lastId) {
  const answer = new Promise((resolve) => waiting.set(id, resolve));
  write({ id, method, params });
  return answer;
}

const toolCall = { toolCallId: "t1", title: "rm -rf build" };
const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }, { optionId: "no", name: "No", kind: "reject_once" }];

async function askPermission(sessionId, id) {
  const { outcome } = await ask("session/request_permission", { sessionId, toolCall, options }, id);
  say(sessionId, `chosen: ${outcome?.optionId}`);
}

const acts = {
  async steps(sessionId, count) {
    for (let step = 1; step <= Number(count); ++step) {
      if (step > 1) await pause(10);
      say(sessionId, `step ${step} of ${count}\n`);
    }
  },
  async talk(sessionId, count) {
    for (let word = 1; word <= Number(count); ++word) say(sessionId, `word ${word} `);
  },
  // Half of it at once, the rest when the file is there.
  async hold(sessionId, file) {
    say(sessionId, "first half, ");
    while (!existsSync(file)) await pause(5);
    say(sessionId, "second half");
  },
  async big(sessionId, what) {
    const [count, bytes] = what.split(" ").map(Number);
    for (let piece = 0; piece < count; ++piece) update(sessionId, chunk("agent", String(piece).padEnd(bytes, ".")));
  },
  // What it knows of this session, the prompt included.
  async recall(sessionId, _, prompt) {
    update(sessionId, chunk("agent", JSON.stringify({ past: pastOf(sessionId), prompt, opened: opened.get(sessionId) })));
  },
  permission: (sessionId) => askPermission(sessionId),
  async permissionThenHold(sessionId, file) {
    await askPermission(sessionId);
    await acts.hold(sessionId, file);
  },
  // Its requests have the ids of the client's: that of this prompt, or of the one that runs in another session.
  collide: (sessionId) => askPermission(sessionId, running.get(sessionId)),
  collideElsewhere: (sessionId, other) => askPermission(sessionId, running.get(other)),
  async question(sessionId) {
    const requestedSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    const params = { sessionId, mode: "form", message: "Who are you?", requestedSchema };
    const { action, content } = await ask("elicitation/create", params);
    say(sessionId, `answered: ${action} ${content?.name}`);
  },
  // Its last words, behind the answer, are no objects.
  async scalars() {
    setImmediate(() => process.stdout.write('null\n100\n"done"\n'));
  },
  async end() {
    process.exit(0);
  },
};

function mustKnow(sessionId) {
  if (!known.has(sessionId)) throw { code: -32602, message: "no such session" };
}

function goOn({ sessionId, ...params }) {
  if (offers === "forgets" || !existsSync(fileOf(sessionId))) throw { code: -32602, message: "I do not remember this session" };
  known.add(sessionId);
  opened.set(sessionId, params);
}

const unknown = async () => {
  throw { code: -32601, message: "Method not found" };
};

const methods = {
  async initialize() {
    const sessionCapabilities = { ...(canResume && { resume: {} }), ...(offers === "closes" && { close: {} }) };
    return { protocolVersion: 1, agentCapabilities: { loadSession: canLoad, sessionCapabilities } };
  },
  async "session/new"() {
    const sessionId = `remembered-${randomUUID()}`;
    appendFileSync(fileOf(sessionId), "");
    known.add(sessionId);
    return { sessionId };
  },
  async "session/load"(params) {
    const { sessionId } = params;
    if (!canLoad) await unknown();
    goOn(params);
    const past = pastOf(sessionId);
    const tell = async () => {
      for (const [who, text] of past) {
        update(sessionId, chunk(who, text));
        if (offers === "tardy") await pause(5);
      }
    };
    const told = tell();
    if (offers !== "tardy") await told;
    return {};
  },
  async "session/resume"(params) {
    if (!canResume) await unknown();
    if (offers === "halfway") throw { code: -32603, message: "I cannot do this yet" };
    goOn(params);
    return {};
  },
  async "session/close"() {
    if (offers !== "closes") await unknown();
    return {};
  },
  async "session/prompt"({ sessionId, prompt }, id) {
    mustKnow(sessionId);
    for (const { text } of prompt) remember(sessionId, "user", text);
    const [word, ...rest] = prompt.at(-1).text.split(" ");
    running.set(sessionId, id);
    const act = acts[word] ?? (async () => say(sessionId, `you said: ${prompt.at(-1).text}`));
    await act(sessionId, rest.join(" "), prompt);
    running.delete(sessionId);
    return { stopReason: "end_turn" };
  },
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === undefined) {
    waiting.get(id)?.(result ?? error);
    waiting.delete(id);
  } else if (id !== undefined) {
    const refuse = ({ code = -32603, message }) => write({ id, error: { code, message } });
    (methods[method] ?? unknown)(params, id).then((answer) => write({ id, result: answer }), refuse);
  }
}
process.exit(0);
