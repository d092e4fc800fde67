// A client of one demo agent process. Everything the agent says is judged as it arrives and kept in `heard`; what we say is
// judged too, so that the tests themselves keep to the book. Requests of the agent are answered by `answers`.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { kindOf, problemsOf } from "./schema_check.mjs";

export const everything = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  elicitation: { form: {}, url: {} },
};
export const nothing = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };

// How a friendly client answers; a value instead of a function is given as it is, "silence" is no answer.
const friendly = {
  "session/request_permission": ({ options }) => ({ outcome: { outcome: "selected", optionId: options[0].optionId } }),
  "elicitation/create": { action: "accept", content: { colour: "green" } },
  "fs/write_text_file": {},
  "fs/read_text_file": { content: "read by the client" },
  "terminal/create": { terminalId: "t-1" },
  "terminal/wait_for_exit": { exitCode: 0, signal: null },
  "terminal/output": { output: "Hello\n", truncated: false },
  "terminal/release": {},
};

const running = new Set();

// After a test that failed: no process stays behind.
export function endAll() {
  for (const child of running) child.kill("SIGKILL");
}

export class AgentProcess {
  heard = [];  // every message of the agent, in order
  lines = [];  // the same as bytes
  problems = [];
  answered = new Set();  // methods that had a result
  #waiting = new Map();  // id -> { method, resolve }
  #watchers = [];
  #lastId = 0;

  constructor(binary, answers = {}) {
    this.answers = { ...friendly, ...answers };
    this.child = spawn(binary, ["mock-agent"], { stdio: ["pipe", "pipe", "pipe"] });
    running.add(this.child);
    this.stderr = "";
    this.child.stderr.on("data", (bytes) => (this.stderr += bytes));
    const reader = createInterface({ input: this.child.stdout });
    reader.on("line", (line) => this.#hear(line));
    const closed = new Promise((resolve) => reader.on("close", resolve));
    this.exited = new Promise((resolve) => this.child.on("exit", (code) => closed.then(() => resolve(code))));
    this.exited.then((code) => {
      running.delete(this.child);
      const error = { code: "exited", message: `the agent exited with ${code}` };
      for (const { resolve } of this.#waiting.values()) resolve({ error });
    });
  }

  // Resolves with the whole response, result or error.
  request(method, params, id = ++this.#lastId) {
    const answer = new Promise((resolve) => this.#waiting.set(id, { method, resolve }));
    this.#say({ jsonrpc: "2.0", id, method, params });
    return answer;
  }
  async result(method, params) {
    const response = await this.request(method, params);
    assert.ok(response.result, `${method}: ${JSON.stringify(response.error)}`);
    return response.result;
  }
  notify(method, params) {
    this.#say({ jsonrpc: "2.0", method, params });
  }
  raw(line) {
    this.child.stdin.write(line + "\n");
  }
  // The answer to a line that is no message, under the id it carries.
  rawError(line, id = null) {
    const answer = new Promise((resolve) => this.#waiting.set(id, { method: undefined, resolve }));
    this.raw(line);
    return answer;
  }

  async open(capabilities = everything) {
    const clientInfo = { name: "acp_schema", version: "1" };
    await this.result("initialize", { protocolVersion: 1, clientCapabilities: capabilities, clientInfo });
  }
  async session(cwd = "/tmp") {
    const { sessionId } = await this.result("session/new", { cwd, mcpServers: [] });
    return sessionId;
  }
  prompt(sessionId, text, ...blocks) {
    return this.request("session/prompt", { sessionId, prompt: [{ type: "text", text }, ...blocks] });
  }

  // The first message, past or future, that `matches`.
  when(matches) {
    const past = this.heard.find(matches);
    return past ? Promise.resolve(past) : new Promise((resolve) => this.#watchers.push({ matches, resolve }));
  }
  // Kinds of session/update, and the methods of all other messages, in the order they came.
  sightings(sessionId) {
    return this.heard.filter(({ params }) => params?.sessionId === sessionId)
      .map(({ method, params }) => (method === "session/update" ? params.update.sessionUpdate : method));
  }

  // Ends the process; every message must have been in order.
  async finish(code = 0) {
    this.child.stdin.end();
    assert.equal(await this.exited, code);
    assert.deepEqual(this.problems, []);
  }

  #say(message) {
    assert.deepEqual(problemsOf(message), [], "the test itself breaks the schema");
    this.raw(JSON.stringify(message));
  }

  #hear(line) {
    this.lines.push(line);
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      this.problems.push(`no JSON: ${line}`);
      return;
    }
    this.heard.push(message);
    const isResponse = message.method === undefined;
    const asked = isResponse ? this.#waiting.get(message.id) : undefined;
    if (isResponse && !asked) this.problems.push(`answers nothing: ${line}`);
    this.problems.push(...problemsOf(message, asked?.method).map((problem) => `${problem} in ${line}`));
    if (asked) {
      this.#waiting.delete(message.id);
      if (message.result) this.answered.add(asked.method);
      asked.resolve(message);
    }
    if (kindOf(message) === "request") this.#answer(message);
    for (const { resolve } of this.#watchers.filter(({ matches }) => matches(message))) resolve(message);
  }

  #answer({ id, method, params }) {
    const answer = this.answers[method];
    if (answer === "silence") return;
    if (answer instanceof Error) {
      const error = { code: -32603, message: answer.message };
      this.raw(JSON.stringify({ jsonrpc: "2.0", id, error }));
      return;
    }
    const result = typeof answer === "function" ? answer(params) : answer;
    assert.deepEqual(problemsOf({ jsonrpc: "2.0", id, result }, method), [], "the test itself breaks the schema");
    this.raw(JSON.stringify({ jsonrpc: "2.0", id, result }));
  }
}
