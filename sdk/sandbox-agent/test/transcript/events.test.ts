// One test per universal event: what it is made from, and what its metadata carries.
import { describe, expect, it } from "vitest";
import { chunk, items, Log, only, ours, text, the, thought, tool, toolUpdate, types, wordsOf } from "./log.js";

const options = [
  { optionId: "a", name: "Yes", kind: "allow_once" },
  { optionId: "b", name: "Always", kind: "allow_always" },
  { optionId: "c", name: "No", kind: "reject_once" },
];
const wanted = { toolCall: { toolCallId: "t", title: "rm -r" }, options };
const selected = (id: unknown, optionId: string) => ({ id, result: { outcome: { outcome: "selected", optionId } } });

describe("session.started", () => {
  it.each([
    ["session/new", "new"],
    ["session/load", "loaded"],
    ["session/resume", "resumed"],
    ["session/fork", "forked"],
  ])("comes from the answer to %s", (method, how) => {
    const log = new Log().client({ id: 1, method, params: { sessionId: "native", cwd: "/" } });
    log.agent({ id: 1, result: { sessionId: "native", modes: { currentModeId: "m" } } });
    const event = the(log.transcript({ agent: "mock" }), "session.started");
    expect(event).toMatchObject({ native_session_id: "native", source: "agent", synthetic: false });
    expect(event.data).toEqual({ how, agent: "mock", modes: { currentModeId: "m" } });
  });

  it("carries the former envelope, tracing, and what the request asked for", () => {
    const log = new Log().begin({ traceparent: "00-r", "sandboxagent.dev": { requestedSessionId: "mine", connectionId: "c" } });
    log.update({ ...chunk("hi"), _meta: { traceparent: "00-x", tracestate: "s", baggage: "b", other: 1 } });
    const [started, , delta] = log.transcript();
    expect(started?.session_id).toBe("mine");
    expect(started && ours(started)).toEqual({
      requestedSessionId: "mine",
      connectionId: "c",
      legacyEvent: { eventId: started?.event_id, sequence: 1, source: "agent", synthetic: false, nativeSessionId: "native" },
    });
    expect(delta?._meta).toMatchObject({ traceparent: "00-x", tracestate: "s", baggage: "b" });
    expect(delta?._meta).not.toHaveProperty("other");
  });

  it("may be announced by the agent's adapter, and is told once", () => {
    const log = new Log().client({ id: 1, method: "session/new", params: {} });
    log.notify("_sandboxagent/session/started", { sessionId: "native" });
    log.notify("_sandboxagent/session/started", { sessionId: "native" });
    log.agent({ id: 1, result: { sessionId: "native" } });
    expect(the(log.transcript(), "session.started").data.how).toBe("announced");
  });

  it("does not come when a request fails, nor for a fork of this session", () => {
    const failed = new Log().client({ id: 1, method: "session/new", params: {} });
    failed.agent({ id: 1, error: { code: -32000, message: "log in" } });
    expect(types(failed.transcript())).toEqual(["error"]);
    const forked = new Log().begin().client({ id: 1, method: "session/fork", params: { sessionId: "native" } });
    forked.agent({ id: 1, result: { sessionId: "other" } });
    expect(the(forked.transcript(), "session.started").data.how).toBe("new");
  });
});

describe("session.ended", () => {
  it("comes from _sandboxagent/session/ended with its reason", () => {
    const params = { reason: "error", terminated_by: "daemon", message: "out of memory", exit_code: 9 };
    const event = the(new Log().begin().notify("_sandboxagent/session/ended", params).transcript(), "session.ended");
    expect(event.data).toEqual(params);
    expect(ours(event).legacyEvent).toMatchObject({ sequence: 2, nativeSessionId: "native" });
  });

  it.each([
    [
      { success: true, code: 0, signal: null },
      { reason: "completed", terminated_by: "agent", exit_code: 0 },
    ],
    [
      { success: false, code: 3, signal: null },
      { reason: "error", terminated_by: "agent", exit_code: 3 },
    ],
    [
      { success: false, code: null, signal: "SIGTERM" },
      { reason: "terminated", terminated_by: "daemon", signal: "SIGTERM" },
    ],
    [
      { success: false, code: null, signal: "SIGSEGV" },
      { reason: "error", terminated_by: "agent", signal: "SIGSEGV" },
    ],
    [
      { success: false, code: null, signal: "SIGKILL", reason: "Its line was too long." },
      { reason: "error", terminated_by: "daemon", signal: "SIGKILL", message: "Its line was too long." },
    ],
  ])("comes from the end of the process: %j", (params, data) => {
    const event = the(new Log().begin().notify("_adapter/agent_exited", params).transcript(), "session.ended");
    expect(event).toMatchObject({ source: "daemon", data });
  });

  it("comes from session/close, and once", () => {
    const log = new Log().begin().client({ id: 1, method: "session/close", params: { sessionId: "native" } });
    log.agent({ id: 1, result: {} }).notify("_adapter/agent_exited", { code: 0 });
    expect(the(log.transcript(), "session.ended").data).toEqual({ reason: "terminated", terminated_by: "user" });
  });

  it("ends first what was open", () => {
    const log = new Log()
      .begin()
      .prompt(1, text("go"))
      .update(chunk("I"), tool("t"))
      .ask(7, "session/request_permission", wanted);
    log.notify("_adapter/agent_exited", { code: 1 });
    const ends = ["permission.resolved", "item.completed", "turn.ended", "session.ended"];
    expect(types(log.transcript()).slice(-4)).toEqual(ends);
  });
});

describe("turn.started", () => {
  it("comes from the prompt, with the words of the user", () => {
    const events = new Log().begin().prompt(1, text("hello")).transcript().slice(1);
    expect(types(events)).toEqual(["turn.started", "item.started", "item.completed"]);
    const { turn_id } = the(events, "turn.started").data;
    for (const event of events) expect(ours(event).turn).toEqual({ turn_id });
    expect(events[0]?.source).toBe("client");
    expect(items(events)).toMatchObject([{ kind: "message", role: "user", content: [text("hello")], status: "completed" }]);
  });

  it("does not show as the user's words what a client put there to restore a session", () => {
    const replayed = { ...text("what was said"), _meta: { "sandboxagent.dev": { replayed: true } } };
    const [before, said] = items(new Log().prompt(1, replayed, text("go on")).transcript());
    expect(before).toMatchObject({ kind: "system", role: "system", content: [text("what was said")] });
    expect(said).toMatchObject({ kind: "message", role: "user", content: [text("go on")] });
    expect(items(new Log().prompt(1, replayed).transcript())).toHaveLength(1);
  });
});

describe("turn.ended", () => {
  it.each(["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"])("comes from the answer with %s", (stop) => {
    const event = the(new Log().prompt(1, text("go")).answer(1, stop).transcript(), "turn.ended");
    expect(event).toMatchObject({ synthetic: false, data: { phase: "ended", stop_reason: stop } });
    expect(ours(event)).toMatchObject({ phase: "ended", stopReason: stop, turn: { turn_id: event.data.turn_id } });
  });

  it("is failed, behind the error, when the prompt was answered with one", () => {
    const log = new Log()
      .prompt(1, text("go"))
      .update(chunk("I"))
      .agent({ id: 1, error: { code: -32603, message: "oh" } });
    const events = log.transcript();
    expect(types(events).slice(-3)).toEqual(["error", "item.completed", "turn.ended"]);
    expect(the(events, "turn.ended").data.phase).toBe("failed");
    expect(items(events).at(-1)).toMatchObject({ status: "interrupted" });
  });

  it("is interrupted when the session goes on in another process", () => {
    const log = new Log()
      .begin()
      .prompt(1, text("go"))
      .update(chunk("I w"), tool("t", { status: "in_progress" }));
    log.ask(7, "session/request_permission", wanted).ask(8, "elicitation/create", { message: "who?" });
    log
      .move()
      .client({ id: 1, method: "session/load", params: { sessionId: "native" } })
      .agent({ id: 1, result: {} });
    const events = log.transcript();
    expect(the(events, "turn.ended")).toMatchObject({ synthetic: true, data: { phase: "interrupted" } });
    expect(the(events, "permission.resolved").data.status).toBe("expired");
    expect(the(events, "question.resolved").data.status).toBe("expired");
    expect(
      items(events)
        .slice(1)
        .map(({ kind, status }) => [kind, status]),
    ).toEqual([
      ["message", "completed"],
      ["tool_call", "interrupted"],
    ]);
    expect(only(events, "session.started").map(({ data }) => data.how)).toEqual(["new", "loaded"]);
  });

  it("comes once for an answer that is there twice", () => {
    the(new Log().prompt(1, text("go")).answer(1).answer(1).transcript(), "turn.ended");
  });

  it("comes for each of several prompts that wait in line", () => {
    const log = new Log()
      .prompt(1, text("a"))
      .prompt(2, text("b"))
      .update(chunk("for a"))
      .answer(1)
      .update(chunk("for b"))
      .answer(2);
    const events = log.transcript();
    const [a, b] = only(events, "turn.ended").map(({ data }) => data.turn_id);
    const turns = only(events, "item.delta").map((event) => ours(event).turn?.turn_id);
    expect(turns).toEqual([a, b]);
  });
});

describe("item.started", () => {
  it("comes from the first chunk of a message and of a thought, and from a tool_call", () => {
    const log = new Log()
      .prompt(1, text("go"))
      .update(thought("hm", { messageId: "m" }), chunk("well"), tool("t", { kind: "edit" }));
    const started = only(log.transcript(), "item.started").slice(1);
    expect(started.map(({ data }) => [data.item.kind, data.item.role, data.item.native_item_id])).toEqual([
      ["reasoning", "assistant", "m"],
      ["message", "assistant", undefined],
      ["tool_call", "tool", "t"],
    ]);
    for (const event of started) {
      const { item_id, kind, role } = event.data.item;
      expect(ours(event)).toMatchObject({ phase: "started", item_id, kind, role });
    }
    expect(started[0] && ours(started[0]).native_item_id).toBe("m");
  });

  it("tells the parent that the agent's adapter names", () => {
    const update = { ...tool("t"), _meta: { "sandboxagent.dev": { parent_id: "p" } } };
    const event = the(new Log().update(update).transcript(), "item.started");
    expect(event.data.item.parent_id).toBe("p");
    expect(ours(event).parent_id).toBe("p");
  });
});

describe("item.delta", () => {
  it("comes from agent_message_chunk, agent_thought_chunk and the content of tool_call_update", () => {
    const content = (words: string) => [{ type: "content", content: text(words) }];
    const log = new Log().update(chunk("a"), chunk("b"), thought("c"), tool("t"));
    log.update(toolUpdate("t", { content: content("out") }), toolUpdate("t", { content: content("output") }));
    const deltas = only(log.transcript(), "item.delta");
    expect(deltas.map(({ data }) => data.delta)).toEqual(["a", "b", "c", "out", "put"]);
    for (const event of deltas) expect(ours(event)).toMatchObject({ phase: "delta", item_id: event.data.item_id });
    expect(deltas.at(-1)?.data.content?.at(-1)).toEqual({ type: "tool_result", call_id: "t", output: "output" });
  });

  it("has content that is no text as a part", () => {
    const image = { type: "image", data: "AA==", mimeType: "image/png" };
    const log = new Log().update(chunk("see: "), { ...chunk(""), content: image }, chunk("there"));
    expect(items(log.transcript())[0]?.content).toEqual([
      text("see: "),
      { type: "image", data: "AA==", mime_type: "image/png" },
      text("there"),
    ]);
  });
});

describe("item.completed", () => {
  it.each(["completed", "failed"])("comes from tool_call_update with %s, with the whole item", (status) => {
    const diff = [{ type: "diff", path: "/f", oldText: "a", newText: "b" }];
    const log = new Log().update(
      tool("t", { kind: "edit", rawInput: { f: 1 } }),
      toolUpdate("t", { status, content: diff, rawOutput: "ok" }),
    );
    const event = the(log.live(), "item.completed");
    expect(event.synthetic).toBe(false);
    expect(ours(event)).toMatchObject({ phase: "completed", item_id: event.data.item.item_id, native_item_id: "t" });
    expect(event.data.item).toMatchObject({ status, native_item_id: "t" });
    expect(event.data.item.content).toEqual([
      { type: "tool_call", call_id: "t", title: "a tool", tool_kind: "edit", state: status, input: { f: 1 } },
      { type: "file_ref", path: "/f", action: "update", diff: { old_text: "a", new_text: "b" } },
      { type: "tool_result", call_id: "t", output: "ok" },
    ]);
  });

  it("is inferred for a message at the end of its turn, before turn.ended", () => {
    const events = new Log().prompt(1, text("go")).update(chunk("a"), chunk("b")).answer(1).live();
    expect(types(events).slice(-2)).toEqual(["item.completed", "turn.ended"]);
    expect(events.at(-2)).toMatchObject({ synthetic: true, data: { item: { content: [text("ab")], status: "completed" } } });
  });

  it("comes from _sandboxagent/item/completed, by any of its names", () => {
    const log = new Log().update(chunk("a", { messageId: "m" }), tool("t"), thought("c"));
    log.notify("_sandboxagent/item/completed", { item: { native_item_id: "m" } });
    log.notify("_sandboxagent/item/completed", { toolCallId: "t", status: "failed" });
    log.notify("_sandboxagent/item/completed", {}).notify("_sandboxagent/item/completed", { item_id: "nobody" });
    const all = items(log.live());
    expect(all.map(({ kind, status }) => [kind, status])).toEqual([
      ["message", "completed"],
      ["tool_call", "failed"],
      ["reasoning", "completed"],
      ["unknown", "completed"],
    ]);
  });
});

describe("error", () => {
  it("comes from a JSON-RPC error, with code and details", () => {
    const log = new Log().client({ id: 1, method: "session/set_mode", params: {} });
    log.agent({ id: 1, error: { code: -32602, message: "no such mode", data: { known: [] } } });
    const event = the(log.transcript(), "error");
    expect(event.data).toEqual({ message: "no such mode", code: "-32602", details: { known: [] }, method: "session/set_mode" });
    expect(ours(event)).toMatchObject({ code: "-32602", details: { known: [] } });
  });

  it("comes from _sandboxagent/error", () => {
    const event = the(
      new Log().notify("_sandboxagent/error", { message: "oh", code: "rate_limit", details: 3 }).transcript(),
      "error",
    );
    expect(event.data).toEqual({ message: "oh", code: "rate_limit", details: 3 });
  });

  it("ends the message that was being said when messages were lost", () => {
    const events = new Log().update(chunk("a")).daemon({ from: 2, to: 9 }).update(chunk("b")).transcript();
    expect(events.map(({ type }) => type)).toEqual([
      "item.started",
      "item.delta",
      "item.completed",
      "error",
      "item.started",
      "item.delta",
      "item.completed",
    ]);
  });

  it("tells that messages were lost", () => {
    const event = the(new Log().update(chunk("a")).daemon({ from: 2, to: 9 }).update(chunk("b")).transcript(), "error");
    expect(event).toMatchObject({ source: "daemon", data: { code: "events_lost", details: { from: 2, to: 9 } } });
  });
});

describe("permission.requested", () => {
  it("comes from session/request_permission, and knows the id of the request", () => {
    const event = the(
      new Log().update(tool("t")).ask(7, "session/request_permission", wanted).transcript(),
      "permission.requested",
    );
    expect(event.data).toMatchObject({ action: "rm -r", status: "requested", tool_call_id: "t" });
    expect(event.data.options[1]).toEqual({ option_id: "b", name: "Always", kind: "allow_always" });
    expect(ours(event)).toMatchObject({ permission_id: event.data.permission_id, request_id: 7, item_id: event.data.item_id });
  });

  it("makes a tool known that the agent did not tell of before", () => {
    const log = new Log().ask(7, "session/request_permission", wanted).update(toolUpdate("t", { status: "completed" }));
    const [item] = items(log.transcript());
    expect(item).toMatchObject({ kind: "tool_call", native_item_id: "t", status: "completed" });
    expect(the(log.transcript(), "permission.requested").data.item_id).toBe(item?.item_id);
  });
});

describe("permission.resolved", () => {
  it.each([
    ["a", "approved"],
    ["b", "approved_always"],
    ["c", "denied"],
    ["z", "unknown"],
  ])("comes from the client's answer: option %s is %s", (optionId, status) => {
    const log = new Log().ask(7, "session/request_permission", wanted).client(selected(7, optionId)).client(selected(7, "c"));
    const event = the(log.transcript(), "permission.resolved");
    expect(event).toMatchObject({ source: "client", synthetic: false, data: { status, option_id: optionId } });
    expect(ours(event)).toMatchObject({ request_id: 7, selectedOption: optionId, status });
    expect(event.data.permission_id).toBe(the(log.transcript(), "permission.requested").data.permission_id);
  });

  it.each<[string, (log: Log) => Log]>([
    ["the client answers so", (log) => log.client({ id: 7, result: { outcome: { outcome: "cancelled" } } })],
    ["the client refuses", (log) => log.client({ id: 7, error: { code: -32601, message: "no" } })],
    ["the agent withdraws it", (log) => log.notify("$/cancel_request", { requestId: 7 })],
    ["the turn is cancelled", (log) => log.client({ method: "session/cancel", params: { sessionId: "native" } })],
    ["the turn ends as cancelled", (log) => log.answer(1, "cancelled")],
  ])("is cancelled when %s", (_, end) => {
    const log = end(new Log().prompt(1, text("go")).ask(7, "session/request_permission", wanted)).client(selected(7, "a"));
    expect(the(log.transcript(), "permission.resolved").data.status).toBe("cancelled");
  });

  it('tells the ids of both sides apart, and 7 from "7"', () => {
    const log = new Log()
      .prompt(7, text("go"))
      .ask(7, "session/request_permission", wanted)
      .client(selected("7", "a"))
      .answer(7);
    const events = log.transcript();
    expect(only(events, "permission.resolved")).toEqual([]);
    the(events, "turn.ended");
  });

  it("fails a tool that was refused, even if the agent says no more of it", () => {
    const log = new Log().prompt(1, text("go")).ask(7, "session/request_permission", wanted).client(selected(7, "c")).answer(1);
    expect(items(log.live()).at(-1)).toMatchObject({ kind: "tool_call", status: "failed" });
  });
});

describe("question.requested", () => {
  it("comes from _sandboxagent/session/request_question", () => {
    const params = {
      question_id: "q1",
      prompt: "Which?",
      options: ["red", { label: "Blue", value: "blue" }],
      status: "requested",
    };
    const event = the(new Log().ask("r", "_sandboxagent/session/request_question", params).transcript(), "question.requested");
    expect(event.data).toMatchObject({ question_id: "q1", prompt: "Which?", status: "requested", multi_select: false });
    expect(event.data.options).toEqual([
      { value: "red", label: "red" },
      { value: "blue", label: "Blue" },
    ]);
    expect(ours(event)).toMatchObject({ question_id: "q1", request_id: "r" });
  });

  it("comes from elicitation/create, with the choices of a form that asks for one thing", () => {
    const colours = { type: "array", items: { anyOf: [{ const: "r", title: "Red" }] } };
    const requestedSchema = { type: "object", properties: { colours } };
    const log = new Log().ask(5, "elicitation/create", { mode: "form", message: "Which?", requestedSchema });
    const event = the(log.transcript(), "question.requested");
    expect(event.data).toMatchObject({ prompt: "Which?", multi_select: true, schema: requestedSchema });
    expect(event.data.options).toEqual([{ value: "r", label: "Red" }]);
  });
});

describe("question.resolved", () => {
  const extension = "_sandboxagent/session/request_question";
  it.each([
    [extension, { outcome: "answered", _meta: { "sandboxagent.dev": { answers: [["a", "b"]] } } }, "answered", [["a", "b"]]],
    [extension, { outcome: "rejected" }, "rejected", undefined],
    ["elicitation/create", { action: "accept", content: { x: 1 } }, "answered", { x: 1 }],
    ["elicitation/create", { action: "decline" }, "rejected", undefined],
    ["elicitation/create", { action: "cancel" }, "cancelled", undefined],
  ])("comes from the answer to %s: %j", (method, result, status, response) => {
    const event = the(
      new Log().ask(5, method, {}).client({ id: 5, result }).client({ id: 5, result }).transcript(),
      "question.resolved",
    );
    expect(event.data).toMatchObject({ status, ...(response !== undefined && { response }) });
    expect(ours(event)).toMatchObject({ status, request_id: 5, question_id: event.data.question_id });
  });
});

describe("agent.unparsed", () => {
  it("comes from _sandboxagent/agent/unparsed", () => {
    const params = { error: "bad", location: "stderr", raw_hash: "abc" };
    const event = the(new Log().notify("_sandboxagent/agent/unparsed", params).transcript(), "agent.unparsed");
    expect(event.data).toEqual(params);
    expect(ours(event).raw_hash).toBe("abc");
  });

  it("comes from what the daemon could not read", () => {
    const event = the(
      new Log().notify("_adapter/invalid_stdout", { error: "not JSON", raw: "foobar" }).transcript(),
      "agent.unparsed",
    );
    expect(event).toMatchObject({
      source: "daemon",
      data: { error: "not JSON", location: "stdout", raw_hash: "85944171f73967e8", text: "foobar" },
    });
  });

  it.each([null, 7, "text", [[]], {}, { id: 1 }, { method: 3 }, { id: 1, method: {} }])(
    "comes from %j, which is no message",
    (message) => {
      expect(the(new Log().agent(message).transcript(), "agent.unparsed").data.location).toBe("message");
    },
  );
});

describe("what has no form of its own", () => {
  it("is a raw item", () => {
    const update = { sessionUpdate: "of_tomorrow", x: 1 };
    const log = new Log().update(update, "nonsense").notify("_vendor/thing", { y: 2 }).ask(3, "_vendor/ask", {});
    const labels = items(log.transcript()).map(({ kind, content }) => [kind, content[0]?.type === "raw" && content[0].label]);
    expect(labels).toEqual(
      ["of_tomorrow", "session/update", "_vendor/thing", "_vendor/ask"].map((label) => ["unknown", label]),
    );
  });

  it.each([
    [{ sessionUpdate: "current_mode_update", currentModeId: "plan" }, "mode", "plan"],
    [{ sessionUpdate: "available_commands_update", availableCommands: [] }, "commands", undefined],
    [{ sessionUpdate: "usage_update", used: 1, size: 2 }, "usage", undefined],
    [{ sessionUpdate: "session_info_update", title: "T" }, "session_info", "T"],
    [{ sessionUpdate: "config_option_update", configOptions: [] }, "config_options", undefined],
  ])("is a status when it is about the session: %j", (update, label, detail) => {
    const [item] = items(new Log().update(update).transcript());
    expect(item).toMatchObject({ kind: "status", role: "system", content: [{ type: "status", label, data: update }] });
    expect(item?.content[0]).toEqual(expect.objectContaining(detail === undefined ? {} : { detail }));
  });

  it("is one plan per turn, which changes", () => {
    const plan = (...names: string[]) => ({
      sessionUpdate: "plan",
      entries: names.map((content) => ({ content, status: "pending" })),
    });
    const log = new Log()
      .prompt(1, text("go"))
      .update(plan("a"), plan("a", "b"))
      .answer(1)
      .prompt(2, text("on"))
      .update(plan("c"));
    const plans = items(log.transcript()).filter(({ kind }) => kind === "plan");
    expect(plans.map(({ content }) => content[0]?.type === "plan" && content[0].entries.length)).toEqual([2, 1]);
    expect(wordsOf(plans[0]!)).toBe("");
  });
});
