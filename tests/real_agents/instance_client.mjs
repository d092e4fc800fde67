// An ACP client of one instance behind the daemon: POSTs what it says, hears everything on one stream. Every envelope is judged
// in both directions: ours must be right, the agent's deviations are collected. Its ids start at 0, like those of agents do: who
// answers whom must not depend on ids being different.
import assert from "node:assert/strict";
import { ask } from "../contract/daemon.mjs";
import { problemsOf } from "../acp_schema/schema_check.mjs";
import { EventReader } from "./event_reader.mjs";
import { within } from "./waiting.mjs";

let made = 0;
export const newServerId = (agent) => `${agent}-${++made}`;

const offers = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };

export class InstanceClient {
  heard = [];  // every message of the agent, in order
  #asked = new Map();  // id -> method of our requests
  #texts = new Map();  // ACP session -> what the agent said in it
  #permissions = new Map();  // ACP session -> how to answer its permission requests
  #lastId = -1;
  #failures = [];  // of answers that went wrong behind the scenes

  constructor(daemon, agent, deviations) {
    Object.assign(this, { daemon, agent, deviations, serverId: newServerId(agent) });
    this.target = `/v1/acp/${this.serverId}`;
  }

  // --- what the client says ---

  // Answers { status, message, eventId, body }; a 200 is checked against the stream: the same bytes under the number it names.
  async request(method, params, id = ++this.#lastId) {
    this.#asked.set(id, method);
    const answer = await within(this.#post({ jsonrpc: "2.0", id, method, params }), `the answer to ${method}`);
    const { status, headers, body } = answer;
    if (status !== 200) return { status, body };
    const eventId = Number(headers["acp-event-id"]);
    this.reader ??= new EventReader(this.daemon, this.serverId, { onEvent: ({ message }) => this.#hear(message) });
    const event = await this.reader.when((candidate) => candidate.id === eventId, `event ${eventId}, the answer to ${method}`);
    assert.equal(event.data, body, "the answer and its event are the same bytes");
    return { status, message: JSON.parse(body), eventId, body };
  }
  async result(method, params) {
    const { status, message, body } = await this.request(method, params);
    assert.ok(message?.result, `${method}: ${status} ${body}`);
    return message.result;
  }
  async notify(method, params) {
    const { status, body } = await this.#post({ jsonrpc: "2.0", method, params });
    assert.equal(status, 202, body);
  }

  initialize() {
    const clientInfo = { name: "real_agents", version: "1" };
    return this.request("initialize", { protocolVersion: 1, clientCapabilities: offers, clientInfo });
  }
  async session(cwd) {
    const { sessionId } = await this.result("session/new", { cwd, mcpServers: [] });
    return sessionId;
  }
  // A turn in flight: `answer` is the promise of its end, `isOver` whether it came, `isAnswer` knows it on the stream.
  prompt(sessionId, text, id = ++this.#lastId) {
    const turn = { id, isOver: false, isAnswer: ({ message }) => message.method === undefined && message.id === id };
    const prompt = [{ type: "text", text }];
    turn.answer = this.request("session/prompt", { sessionId, prompt }, id).finally(() => (turn.isOver = true));
    turn.answer.catch(() => {});  // whoever awaits it hears of it
    return turn;
  }

  // From now on permission requests of this ACP session are answered by what `decide(id)` resolves with: a kind of option, such
  // as "allow_once".
  answerPermissions(sessionId, decide) {
    this.#permissions.set(sessionId, decide);
  }

  // --- what the agent said ---

  when(matches, what) {
    return this.reader.when(({ message }) => matches(message), what).then(({ message }) => message);
  }
  // The id its next request will have, if it counts like most do. Ours may be the same at the same time.
  nextAgentId() {
    const ids = this.heard.filter(({ method, id }) => method !== undefined && Number.isInteger(id)).map(({ id }) => id);
    return Math.max(-1, ...ids) + 1;
  }
  updates(sessionId, kind) {
    return this.heard.filter(({ method, params }) => method === "session/update" && params.sessionId === sessionId)
      .map(({ params }) => params.update).filter(({ sessionUpdate }) => sessionUpdate === kind);
  }
  // Everything the agent said to the user in this ACP session.
  text(sessionId) {
    return this.#texts.get(sessionId) ?? "";
  }
  whenText(sessionId, isThere, what) {
    return this.when(({ params }) => params?.sessionId === sessionId && isThere(this.text(sessionId)), what);
  }

  // --- its end ---

  // Answers how long DELETE took. The stream was whole: no gap, dense numbers, and the end of the agent as the last event.
  async remove() {
    const started = performance.now();
    const { status, body } = await within(ask(this.daemon, "DELETE", this.target, { withToken: false }), "DELETE");
    assert.equal(status, 204, body);
    const ms = performance.now() - started;
    assert.deepEqual(this.#failures, []);
    if (!this.reader) return ms;
    await within(this.reader.ended, "the end of the stream");
    const { events, gaps } = this.reader;
    assert.deepEqual(gaps, []);
    assert.deepEqual(events.map(({ id }) => id), events.map((_, i) => i + 1), "numbers are dense");
    assert.equal(events.at(-1).message.method, "_adapter/agent_exited");
    return ms;
  }

  #post(envelope, judgedAs) {
    assert.deepEqual(problemsOf(envelope, judgedAs), [], "the test itself breaks the schema");
    const headers = { "content-type": "application/json" };
    const target = `${this.target}?agent=${this.agent}`;
    return ask(this.daemon, "POST", target, { headers, body: JSON.stringify(envelope), withToken: false });
  }

  #hear(message) {
    if (message.method?.startsWith("_adapter/")) return true;
    this.heard.push(message);
    const { sessionId, update } = message.params ?? {};
    if (update?.sessionUpdate === "agent_message_chunk") {
      this.#texts.set(sessionId, this.text(sessionId) + (update.content.text ?? ""));
    }
    const isResponse = message.method === undefined;
    this.deviations.note(message, isResponse ? this.#asked.get(message.id) : undefined);
    if (isResponse) this.#asked.delete(message.id);
    if (!isResponse && "id" in message) this.#answer(message).catch((error) => this.#failures.push(String(error)));
    return true;
  }

  async #answer({ id, method, params }) {
    const decide = method === "session/request_permission" ? this.#permissions.get(params.sessionId) : undefined;
    if (!decide) {
      const error = { code: -32601, message: "this client does not offer it" };
      await this.#post({ jsonrpc: "2.0", id, error }, method);
      return;
    }
    const kind = await decide(id);
    const { optionId } = params.options.find((option) => option.kind === kind);
    const result = { outcome: { outcome: "selected", optionId } };
    const { status, body } = await this.#post({ jsonrpc: "2.0", id, result }, method);
    assert.equal(status, 202, body);
  }
}
