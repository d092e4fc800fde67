// When items begin and end: nothing is lost behind a prompt's answer, and an item ends once.
import { toTranscript, Transcript } from "sandbox-agent/transcript";
import { describe, expect, it } from "vitest";
import { chunk, checked, items, Log, only, ours, text, thought, tool, toolUpdate, wordsOf } from "./log.js";

const said = (log: Log) => items(log.transcript()).filter(({ role }) => role !== "user");
const output = (words: string) => ({ content: [{ type: "content", content: text(words) }] });

describe("messages", () => {
  it("go on behind the answer: a late chunk continues the completed message in an item of its own", () => {
    const log = new Log()
      .prompt(1, text("go"))
      .update(chunk("Hel"))
      .answer(1)
      .update(chunk("lo"), chunk("!"))
      .prompt(2, text("on"));
    const [first, late] = said(log);
    expect([first, late].map((item) => item && wordsOf(item))).toEqual(["Hel", "lo!"]);
    expect(late?.parent_id).toBe(first?.item_id);
    const lateDeltas = only(log.live(), "item.delta").filter((event) => ours(event).turn?.late);
    expect(lateDeltas).toHaveLength(2);
    expect(items(log.live()), "the next prompt completes it").toHaveLength(4);
  });

  it("with an id are continued by it, also while the next turn runs", () => {
    const log = new Log()
      .prompt(1, text("go"))
      .update(chunk("a", { messageId: "m" }))
      .answer(1)
      .prompt(2, text("on"));
    log.update(chunk("x"), chunk("b", { messageId: "m" })).answer(2);
    const [a, x, b] = said(log);
    expect([a, x, b].map((item) => item && wordsOf(item))).toEqual(["a", "x", "b"]);
    expect(b?.parent_id).toBe(a?.item_id);
    expect(x?.parent_id).toBeUndefined();
  });

  it("without an id end when another kind of item follows, and at no status", () => {
    const log = new Log().update(
      chunk("a"),
      { sessionUpdate: "usage_update" },
      chunk("b"),
      thought("c"),
      chunk("d"),
      tool("t"),
    );
    log.update(
      chunk("e"),
      toolUpdate("t", { status: "in_progress" }),
      chunk("f"),
      toolUpdate("t", { status: "completed" }),
      chunk("g"),
    );
    expect(
      said(log)
        .filter(({ kind }) => kind !== "status")
        .map(wordsOf),
    ).toEqual(["ab", "c", "d", "ef", "", "g"]);
  });

  it("without an id end when the user is asked", () => {
    const log = new Log()
      .update(chunk("a"))
      .ask(1, "session/request_permission", { toolCall: { toolCallId: "t" }, options: [] });
    expect(said(log.update(chunk("b"))).map((item) => [item.kind, wordsOf(item)])).toEqual([
      ["message", "a"],
      ["tool_call", ""],
      ["message", "b"],
    ]);
  });

  it("of the user in the middle of a turn end nothing else", () => {
    const user = { sessionUpdate: "user_message_chunk", content: text("and hurry") };
    const log = new Log()
      .prompt(1, text("go"))
      .update(tool("t"), user, toolUpdate("t", { status: "completed" }))
      .answer(1);
    expect(items(log.transcript()).map(({ role, status }) => [role, status])).toEqual([
      ["user", "completed"],
      ["user", "completed"],
      ["tool", "completed"],
    ]);
  });

  it("with ids are told apart by them alone", () => {
    const [m, n] = [{ messageId: "m" }, { messageId: "n" }];
    const log = new Log().update(chunk("a", m), chunk("x", n), tool("t"), chunk("b", m), thought("y", n), chunk("z", n));
    const names = said(log).filter(({ kind }) => kind !== "tool_call");
    expect(names.map((item) => [item.native_item_id, item.kind, wordsOf(item)])).toEqual([
      ["m", "message", "ab"],
      ["n", "reasoning", "y"],
      ["n", "message", "xz"],
    ]);
  });

  it("are interrupted where a turn was cancelled, except those that were over", () => {
    const log = new Log().prompt(1, text("go")).update(chunk("a", { messageId: "m" }), chunk("b", { messageId: "n" }));
    expect(said(log.answer(1, "cancelled")).map(({ status }) => status)).toEqual(["completed", "interrupted"]);
  });

  it("of an agent with countless ids are not all kept open", () => {
    const transcript = new Transcript();
    const log = new Log().prompt(1, text("go"));
    for (let i = 0; i < 100; ++i) log.update(chunk("x", { messageId: `m${i}` }));
    const events = log.entries.flatMap((entry) => transcript.push(entry));
    expect(items(events).length).toBe(1 + 100 - 16);
    checked([...events, ...transcript.flush()]);
  });

  it("of a past that is told again are items outside of turns", () => {
    const user = (words: string) => ({ sessionUpdate: "user_message_chunk", content: text(words) });
    const log = new Log().client({ id: 1, method: "session/load", params: { sessionId: "native" } });
    log.update(
      user("hel"),
      user("lo"),
      chunk("hi"),
      tool("t", { status: "completed" }),
      toolUpdate("t", { status: "completed", ...output("o") }),
    );
    log.update(user("more"), chunk("yes")).agent({ id: 1, result: {} });
    const events = log.transcript();
    expect(items(events).map((item) => [item.role, wordsOf(item)])).toEqual([
      ["user", "hello"],
      ["assistant", "hi"],
      ["tool", "o"],
      ["user", "more"],
      ["assistant", "yes"],
    ]);
    expect(events.every((event) => ours(event).turn === undefined)).toBe(true);
    expect(events.at(-1)?.type).toBe("session.started");
  });
});

describe("tool calls", () => {
  it("are merged by their id, and what is left out stays", () => {
    const log = new Log().update(
      tool("t", { kind: "edit", status: "pending" }),
      toolUpdate("t", { title: "better", locations: [] }),
    );
    log.update(
      toolUpdate("t", { status: "in_progress", kind: null }),
      toolUpdate("t", { status: "completed", rawOutput: { n: 1 } }),
    );
    expect(said(log)[0]?.content).toEqual([
      { type: "tool_call", call_id: "t", title: "better", tool_kind: "edit", state: "completed", locations: [] },
      { type: "tool_result", call_id: "t", output: "", raw_output: { n: 1 } },
    ]);
  });

  it("that were never announced begin with the first update", () => {
    const [item] = said(new Log().update(toolUpdate("t", { title: "late", status: "in_progress" })));
    expect(item).toMatchObject({ kind: "tool_call", native_item_id: "t", status: "interrupted" });
  });

  it("may go on behind the answer, and end at the next prompt", () => {
    const log = new Log().prompt(1, text("go")).update(tool("t")).answer(1);
    expect(items(log.live())).toHaveLength(1);
    log.update(toolUpdate("t", { status: "completed" }));
    expect(items(log.live()).at(-1)).toMatchObject({ kind: "tool_call", status: "completed" });
    const silent = new Log().prompt(1, text("go")).update(tool("t")).answer(1).prompt(2, text("on"));
    expect(items(silent.live())[1]).toMatchObject({ kind: "tool_call", status: "interrupted" });
  });

  it("that are over are continued in an item of their own, when there is news", () => {
    const log = new Log().update(tool("t"), toolUpdate("t", { status: "failed" }), toolUpdate("t", { status: "failed" }));
    expect(said(log)).toHaveLength(1);
    const [first, more] = said(log.update(toolUpdate("t", output("why"))));
    expect(more).toMatchObject({ parent_id: first?.item_id, status: "failed" });
    expect(more && wordsOf(more)).toBe("why");
  });

  it("show what their terminal prints", () => {
    const prints = (data: string) => toolUpdate("t", { _meta: { terminal_output: { terminal_id: "x", data } } });
    const log = new Log().update(tool("t"), prints("one\n"), prints("two\n"), toolUpdate("t", { status: "completed" }));
    expect(only(log.live(), "item.delta").map(({ data }) => data.delta)).toEqual(["one\n", "two\n", ""]);
    expect(said(log).map(wordsOf)).toEqual(["one\ntwo\n"]);
  });
});

it("The end of a log completes what is open, and more may follow", () => {
  const transcript = new Transcript();
  const log = new Log().prompt(1, text("go")).update(chunk("a"));
  const events = log.entries.flatMap((entry) => transcript.push(entry));
  events.push(...transcript.flush(), ...transcript.flush());
  log.update(chunk("b")).answer(1);
  for (const entry of log.entries) events.push(...transcript.push(entry));
  const [, a, b] = items(checked(events));
  expect(a).toMatchObject({ status: "interrupted" });
  expect(b).toMatchObject({ parent_id: a?.item_id, status: "completed" });
});

it("Events have the time of their entry, and the message where that is wanted", () => {
  const [event] = new Log().update(chunk("a")).transcript({ raw: true, sessionId: "mine" });
  expect(event).toMatchObject({ time: "2023-11-14T22:13:20.000Z", session_id: "mine", raw: { method: "session/update" } });
  const bare = new Transcript().push({ from: "agent", message: { method: "x" } });
  expect(bare[0]).not.toHaveProperty("time");
  expect(bare[0]).not.toHaveProperty("raw");
});

describe("entries", () => {
  it("may have the text of their message instead, as drivers give it", () => {
    const message = { method: "session/update", params: { update: chunk("Hello") } };
    const place = { from: "agent", eventId: 1, nth: 0, epoch: 1 } as const;
    const json = JSON.stringify(message);
    expect(toTranscript([{ ...place, json }])).toEqual(toTranscript([{ ...place, message }]));
    expect(toTranscript([{ ...place, json: "{" }]).map(({ type }) => type)).toEqual(["agent.unparsed"]);
  });
});
