import fc from "fast-check";
import { expect, test } from "vitest";
import { inWords } from "./envelope.js";
import { InstanceLog } from "./log.js";
import { sizeOf, Trace } from "./trace.js";
import { previewOf } from "./trace_preview.js";

/** A log and what the Trace makes of it. */
class Talk {
  readonly log = new InstanceLog();
  readonly trace = new Trace();
  #events = 0;

  client(message: unknown, at?: number): number {
    return this.log.client(message, JSON.stringify(message), at).index;
  }

  agent(message: unknown, at?: number): number {
    return this.log.agent(++this.#events, message, JSON.stringify(message), at).index;
  }

  row(index: number) {
    const row = this.trace.catchUp(this.log).rows[index];
    if (row === undefined) throw new Error("There is no such row.");
    return row;
  }

  preview(index: number): string {
    return previewOf(this.trace, this.row(index));
  }

  words(index: number): Record<string, string> {
    return Object.fromEntries(inWords(this.trace, this.row(index)).map(({ label, value }) => [label, value]));
  }
}

const prompt = (id: unknown, sessionId = "s1", text = "hello") => ({
  jsonrpc: "2.0",
  id,
  method: "session/prompt",
  params: { sessionId, prompt: [{ type: "text", text }] },
});
const update = (fields: object, sessionId = "s1") => ({ method: "session/update", params: { sessionId, update: fields } });
const chunk = (text: string) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

test("a request and its answer are a pair with one latency", () => {
  const talk = new Talk();
  const asked = talk.client(prompt(1), 1000);
  talk.agent(chunk("hi"), 1200);
  const answered = talk.agent({ id: 1, result: { stopReason: "end_turn" } }, 1500);
  expect(talk.row(asked)).toMatchObject({ kind: "request", class: "turn", pair: answered, latencyMs: 500 });
  expect(talk.row(answered)).toMatchObject({
    kind: "answer",
    class: "turn",
    method: "session/prompt",
    pair: asked,
    latencyMs: 500,
  });
});

test("both sides count their ids for themselves, and a number is not its text", () => {
  const talk = new Talk();
  const ours = talk.client(prompt(1));
  const text = talk.client({ id: "1", method: "session/list", params: {} });
  const theirs = talk.agent({ id: 1, method: "session/request_permission", params: { sessionId: "s1" } });
  const reply = talk.client({ id: 1, result: { outcome: { outcome: "selected", optionId: "yes" } } });
  const listed = talk.agent({ id: "1", result: { sessions: [] } });
  expect(talk.row(reply).pair).toBe(theirs);
  expect(talk.row(listed).pair).toBe(text);
  expect(talk.row(ours).pair).toBeUndefined();
  expect(talk.trace.open().map(({ entry }) => entry.index)).toEqual([ours]);
  expect(talk.preview(reply)).toBe("yes");
});

test("an id can be used again after its answer", () => {
  const talk = new Talk();
  talk.client(prompt(1));
  talk.agent({ id: 1, result: {} });
  const again = talk.client(prompt(1));
  const answer = talk.agent({ id: 1, result: {} });
  expect(talk.row(answer).pair).toBe(again);
  expect(talk.row(0).pair).toBe(1);
});

test("no latency is known when one of the times is not", () => {
  const talk = new Talk();
  talk.client(prompt(1));
  talk.agent({ id: 1, result: {} }, 1500);
  expect(talk.row(0)).toMatchObject({ pair: 1, latencyMs: undefined });
});

test("turns are counted for each session, and last from the prompt to its answer", () => {
  const talk = new Talk();
  talk.client({ id: 0, method: "session/new", params: { cwd: "/" } });
  const made = talk.agent({ id: 0, result: { sessionId: "s1" } });
  const first = talk.client(prompt(1));
  talk.client(prompt(2, "s2"));
  const during = talk.agent(chunk("a"));
  const end = talk.agent({ id: 1, result: {} });
  const between = talk.agent(update({ sessionUpdate: "session_info_update", title: "Greeting" }));
  const second = talk.client(prompt(3));
  expect([made, first, during, end, between, second].map((index) => talk.row(index).turn)).toEqual([
    ...[undefined, 1, 1, 1, undefined, 2],
  ]);
  expect(talk.row(made).sessionId).toBe("s1");
});

test("when the process ends, nothing is waited for and no turn runs", () => {
  const talk = new Talk();
  talk.client(prompt(1));
  const exit = talk.agent({ method: "_adapter/agent_exited", params: { success: false, code: 7, signal: null } });
  expect(talk.row(exit)).toMatchObject({ kind: "notification", class: "adapter" });
  expect(talk.preview(exit)).toBe("exit code 7");
  const params = { success: false, code: null, signal: "SIGKILL", reason: "Its line was too long." };
  expect(talk.preview(talk.agent({ method: "_adapter/agent_exited", params }))).toBe("Its line was too long.");
  expect(talk.trace.open()).toEqual([]);
  expect(talk.trace.isOpen(talk.row(0))).toBe(false);
  expect(talk.row(talk.agent(chunk("late"))).turn).toBeUndefined();
});

test("after a gap older requests are not said to be open, but their answers are still known", () => {
  const talk = new Talk();
  talk.client(prompt(1));
  const gap = talk.log.gap({ from: 3, to: 5 }).index;
  expect(talk.row(gap)).toMatchObject({ kind: "gap" });
  expect(talk.preview(gap)).toBe("3 events lost (3–5)");
  expect(talk.trace.open()).toEqual([]);
  expect(talk.row(talk.agent({ id: 1, result: {} })).pair).toBe(0);
});

test("errors are errors, whatever they answer; null is none", () => {
  const talk = new Talk();
  talk.client(prompt(1));
  const failed = talk.agent({ id: 1, error: { code: -32603, message: "It broke", data: { why: "x" } } });
  const fine = talk.agent({ id: 2, error: null, result: {} });
  expect(talk.row(failed)).toMatchObject({ kind: "error", class: "error", method: "session/prompt" });
  expect(talk.preview(failed)).toBe("-32603 It broke");
  expect(talk.words(failed)).toMatchObject({ Code: "-32603 (internal error)", Message: "It broke", Data: '{"why":"x"}' });
  expect(talk.row(fine)).toMatchObject({ kind: "answer", class: "other", pair: undefined });
});

test("previews tell what a message says in one line", () => {
  const talk = new Talk();
  const lines: [object, string][] = [
    [prompt(1, "s1", "line one\n  line two"), "line one line two"],
    [chunk("some\ntext"), "agent_message_chunk · some text"],
    [
      update({ sessionUpdate: "tool_call", toolCallId: "c", title: "Read a", status: "pending" }),
      "tool_call · Read a · pending",
    ],
    [
      update({ sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed" }),
      "tool_call_update · Read a · completed",
    ],
    [update({ sessionUpdate: "plan", entries: [{ content: "A", status: "completed" }, { content: "B" }] }), "plan · 1/2 B"],
    [
      update({ sessionUpdate: "available_commands_update", availableCommands: [{ name: "plan" }] }),
      "available_commands_update · /plan",
    ],
    [update({ sessionUpdate: "current_mode_update", currentModeId: "ask" }), "current_mode_update · currentModeId: ask"],
    [{ id: 9, method: "session/new", params: { cwd: "/work", mcpServers: [{}, {}] } }, "cwd: /work · mcpServers: 2"],
    [{ id: 10, method: "initialize", params: { clientInfo: { name: "page", version: "1" } } }, "page 1"],
    [
      {
        id: 11,
        method: "session/request_permission",
        params: { sessionId: "s1", toolCall: { toolCallId: "c" }, options: [{ name: "Allow" }, { name: "Reject" }] },
      },
      "Read a: Allow / Reject",
    ],
  ];
  for (const [message, line] of lines) expect(talk.preview(talk.agent(message))).toBe(line);
  expect([...talk.preview(talk.agent(chunk("😀".repeat(500))))].length).toBe(200);
});

test("what is no message of JSON-RPC is said to be that", () => {
  const talk = new Talk();
  for (const nonsense of [42, null, [], "text", {}, { id: 1 }]) {
    expect(talk.row(talk.agent(nonsense))).toMatchObject({ kind: "invalid", class: "error" });
  }
});

test("nothing a message holds makes the Trace fail", () => {
  const word = fc.constantFrom(
    "session/update",
    "session/prompt",
    "initialize",
    "session/request_permission",
    "plan",
    "tool_call",
  );
  const name = fc.constantFrom(
    ...["method", "params", "id", "result", "error", "update", "sessionUpdate", "sessionId", "content", "prompt", "options"],
    ...[
      "toolCall",
      "toolCallId",
      "type",
      "text",
      "entries",
      "code",
      "message",
      "__proto__",
      "configOptions",
      "modes",
      "outcome",
    ],
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 5 }, word, fc.integer(), fc.constant(null), fc.boolean(), tie("list"), tie("object")),
    list: fc.array(tie("value"), { maxLength: 3 }),
    object: fc.dictionary(name, tie("value"), { maxKeys: 6 }),
  }));
  fc.assert(
    fc.property(fc.array(value, { maxLength: 8 }), (messages) => {
      const talk = new Talk();
      for (const [index, message] of messages.entries()) {
        const at = index % 2 === 0 ? talk.agent(message) : talk.client(message);
        expect(talk.preview(at).length).toBeLessThanOrEqual(400);
        expect(talk.words(at)["What"]).toBeTypeOf("string");
      }
    }),
    { numRuns: 500 },
  );
});

test("rows are found by the number that links have", () => {
  const talk = new Talk();
  talk.client(prompt(1));
  talk.agent(chunk("a"));
  talk.client(prompt(2));
  talk.trace.catchUp(talk.log);
  expect(["0.1", "1", "1.1", "2", "x", "", "1.", "01.1"].map((seq) => talk.trace.indexOf(seq))).toEqual([
    ...[0, 1, 2, undefined, undefined, undefined, undefined, 2],
  ]);
});

test("sizes are bytes of UTF-8", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (json) => {
      expect(sizeOf({ json } as Parameters<typeof sizeOf>[0])).toBe(new TextEncoder().encode(json).length);
    }),
  );
});

test("words tell the place of a message and what it says", () => {
  const talk = new Talk();
  const asked = talk.client(prompt(1), 10);
  expect(talk.words(asked)).toEqual({
    What: "Request session/prompt, from the client to the agent",
    Id: "1",
    "Answered by": "nobody yet",
    Session: "s1",
    Turn: "1",
    Prompt: "hello",
  });
  const answered = talk.agent({ id: 1, result: { stopReason: "max_tokens", usage: { totalTokens: 12 } } }, 35);
  expect(talk.words(answered)).toMatchObject({
    What: "Answer to session/prompt, from the agent",
    Answers: "0.1 after 25 ms",
    "Stop reason": "max_tokens (stopped: token limit)",
    Usage: "totalTokens 12",
  });
  const hello = talk.agent({ id: 5, result: { agentCapabilities: { loadSession: true, mcp: { http: true, sse: false } } } });
  expect(talk.words(hello)["Can"]).toBeUndefined();
});

test("a hundred thousand messages are read in a third of a second", () => {
  const talk = new Talk();
  for (let turn = 0; turn < 1000; ++turn) {
    talk.client(prompt(turn), turn);
    for (let n = 0; n < 98; ++n) talk.agent(chunk(`word ${n}`), turn);
    talk.agent({ id: turn, result: { stopReason: "end_turn" } }, turn);
  }
  const times = [1, 2, 3].map(() => {
    const start = process.cpuUsage();
    new Trace().catchUp(talk.log);
    const { user, system } = process.cpuUsage(start); // others may use the machine too
    return (user + system) / 1000;
  });
  expect(Math.min(...times)).toBeLessThan(300);
  expect(talk.row(99_999)).toMatchObject({ turn: 1000, pair: 99_900 });
});

test("what the log forgot is forgotten, but for the turn that runs", () => {
  const log = new InstanceLog({ entries: 20, characters: 1e9 });
  const trace = new Trace();
  const say = (from: "agent" | "client", message: object) => {
    const json = JSON.stringify(message);
    const { index } = from === "agent" ? log.agent(log.version + 1, message, json) : log.client(message, json);
    trace.catchUp(log);
    return index;
  };
  say("agent", update({ sessionUpdate: "tool_call", toolCallId: "old", title: "Old" }));
  say("client", { id: "never", method: "session/list", params: {} });
  say("client", prompt("lost"));
  say("client", prompt("slow"));
  for (let nth = 0; nth < 50; ++nth) say("agent", chunk("a"));
  say("agent", update({ sessionUpdate: "tool_call", toolCallId: "new", title: "New" }));
  expect(trace.first).toBeGreaterThan(4);
  expect([trace.toolTitle("s1", "old"), trace.toolTitle("s1", "new")]).toEqual([undefined, "New"]);
  expect(trace.open().map(({ entry }) => (entry.message as { id: string }).id)).toEqual(["slow"]);
  expect(trace.at(trace.end - 1)?.turn).toBe(2);
  say("agent", { id: "slow", result: {} });
  expect(trace.open()).toEqual([]);
  expect(trace.at(say("agent", chunk("late")))?.turn).toBeUndefined();
});
