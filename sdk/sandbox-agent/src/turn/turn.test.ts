import { expect, test, vi } from "vitest";
import type { AcpHttpMessage } from "acp-http-client";
import { AgentRequest } from "../client/agent_requests.js";
import { Turn, type TurnWork } from "./turn.js";

function update(id: number, what: object): AcpHttpMessage {
  const message = { jsonrpc: "2.0" as const, method: "session/update", params: { sessionId: "s", update: what } };
  return { type: "message", id, message, json: JSON.stringify(message) };
}

const text = (id: number, words: string) =>
  update(id, { sessionUpdate: "agent_message_chunk", content: { type: "text", text: words } });

function begin(work: Partial<TurnWork> = {}) {
  let answer!: (answer: { stopReason: "end_turn" | "cancelled"; usage?: unknown }) => void;
  let fail!: (error: Error) => void;
  const answered = new Promise<{ stopReason: "end_turn" | "cancelled"; usage?: unknown }>((resolve, reject) => {
    answer = resolve;
    fail = reject;
  });
  const turn = new Turn({
    answer: answered,
    answered: answered.catch(() => {}),
    cancel: async () => {},
    cancelGraceMs: 1_000,
    ...work,
  });
  return { turn, answer, fail };
}

test("the result is the sum of the events: text, the last usage, the last state of each change", async () => {
  const { turn, answer } = begin();
  turn.hear(text(1, "a"), undefined);
  turn.hear(update(2, { sessionUpdate: "usage_update", used: 1, size: 10 }), undefined);
  const diff = (newText: string) => [{ type: "diff", path: "/x", oldText: null, newText }];
  turn.hear(update(3, { sessionUpdate: "tool_call", toolCallId: "t", title: "Edit", content: diff("1") }), undefined);
  turn.hear(
    update(4, { sessionUpdate: "tool_call_update", toolCallId: "t", content: diff("2"), status: "completed" }),
    undefined,
  );
  turn.hear(
    update(5, {
      sessionUpdate: "tool_call_update",
      toolCallId: "u",
      content: [{ type: "diff", path: "/y", oldText: "o", newText: "n" }],
    }),
    undefined,
  );
  turn.hear(update(6, { sessionUpdate: "usage_update", used: 2, size: 10, cost: { amount: 1, currency: "EUR" } }), undefined);
  turn.hear(text(7, "b"), undefined);
  answer({ stopReason: "end_turn", usage: { inputTokens: 5 } });
  expect(await turn).toEqual({
    text: "ab",
    stopReason: "end_turn",
    usage: { used: 2, size: 10, cost: { amount: 1, currency: "EUR" }, inputTokens: 5 },
    changes: [
      { path: "/x", newText: "2" },
      { path: "/y", oldText: "o", newText: "n" },
    ],
  });
});

test("what was to be changed and was denied, or failed, is no change", async () => {
  const { turn, answer } = begin();
  const content = [{ type: "diff", path: "/x", newText: "n" }];
  turn.hear(update(1, { sessionUpdate: "tool_call", toolCallId: "t", title: "Edit", status: "pending", content }), undefined);
  turn.hear(update(2, { sessionUpdate: "tool_call_update", toolCallId: "t", status: "failed" }), undefined);
  answer({ stopReason: "end_turn" });
  expect((await turn).changes).toEqual([]);
});

test("the promise settles after a reader that keeps reading has everything", async () => {
  const { turn, answer } = begin();
  const order: string[] = [];
  const reading = (async () => {
    for await (const event of turn) {
      await new Promise((resolve) => setImmediate(resolve));
      order.push(event.type === "text" ? event.text : event.type);
    }
  })();
  for (let i = 0; i < 20; ++i) turn.hear(text(i + 1, String(i)), undefined);
  answer({ stopReason: "end_turn" });
  void turn.settled.then(() => order.push("settled"));
  await reading;
  await turn;
  expect(order.indexOf("settled")).toBeGreaterThanOrEqual(19);
  expect(order).toHaveLength(21);
});

test("a reader that pauses for ever does not hold up the promise", async () => {
  const { turn, answer } = begin();
  turn.hear(text(1, "a"), undefined);
  turn.hear(text(2, "b"), undefined);
  await turn[Symbol.asyncIterator]().next();
  answer({ stopReason: "end_turn" });
  expect((await turn).text).toBe("ab");
});

test("catch and finally work as those of a promise", async () => {
  const { turn, fail } = begin();
  fail(new Error("no"));
  expect(await turn.catch((error) => (error as Error).message)).toBe("no");
  let ran = false;
  await expect(turn.finally(() => (ran = true))).rejects.toThrow("no");
  expect(ran).toBe(true);
});

test("cancel() tells the agent once, and after the grace the turn rejects", async () => {
  vi.useFakeTimers();
  try {
    const cancel = vi.fn(async () => {});
    const { turn } = begin({ cancel });
    await Promise.all([turn.cancel(), turn.cancel()]);
    expect(cancel).toHaveBeenCalledTimes(1);
    const failed = expect(turn).rejects.toMatchObject({ name: "CancelledError", code: "cancel_ignored" });
    await vi.advanceTimersByTimeAsync(999);
    expect(turn.over).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await failed;
    expect(turn.over).toBe(true);
    await turn.cancel();
    expect(cancel).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});

test("the grace of a cancel is the agent's, not that of the store", async () => {
  vi.useFakeTimers();
  try {
    let end = () => {};
    const { turn, answer } = begin({ answered: new Promise<void>((resolve) => (end = resolve)) });
    await turn.cancel();
    await vi.advanceTimersByTimeAsync(999);
    end();
    await vi.advanceTimersByTimeAsync(100_000);
    expect(turn.over).toBe(false);
    answer({ stopReason: "cancelled" });
    await vi.advanceTimersByTimeAsync(1);
    expect((await turn).stopReason).toBe("cancelled");
  } finally {
    vi.useRealTimers();
  }
});

test("what the agent asks is refused when nobody reads, also when the reader leaves with it", async () => {
  const request = () => new AgentRequest("permission", "session/request_permission", { sessionId: "s" }, async () => {});
  const message = {
    ...text(1, ""),
    message: { jsonrpc: "2.0" as const, id: 1, method: "session/request_permission", params: {} },
  };
  const awaited = begin().turn;
  void awaited.then();
  const unclaimed = request();
  awaited.hear(message, unclaimed);
  expect(unclaimed.claimed).toBe(false);

  const left = begin().turn;
  const reader = left[Symbol.asyncIterator]();
  const claimed = request();
  left.hear(message, claimed);
  expect(claimed.claimed).toBe(true);
  await reader.return?.();
  expect(await claimed.answer).toEqual({ refused: true });
});

test("nothing is heard after the end", async () => {
  const { turn, answer } = begin();
  answer({ stopReason: "end_turn" });
  await turn;
  turn.hear(text(1, "late"), undefined);
  expect((await turn).text).toBe("");
});

test("a turn that was awaited kept no events, and says so", async () => {
  const { turn, answer } = begin();
  answer({ stopReason: "end_turn" });
  await turn;
  expect(() => turn[Symbol.asyncIterator]()).toThrow("awaited before it was read");
});

test("a cancel that the agent was not told of can be tried again", async () => {
  const failures = [new Error("busy")];
  let told = 0;
  const cancel = async () => {
    const failure = failures.pop();
    if (failure) throw failure;
    ++told;
  };
  const { turn, answer } = begin({ cancel });
  await expect(turn.cancel()).rejects.toThrow("busy");
  await Promise.all([turn.cancel(), turn.cancel()]);
  expect(told).toBe(1);
  answer({ stopReason: "cancelled" });
  expect((await turn).stopReason).toBe("cancelled");
});

test("two questions may be answered with the same object: each answer is known by its own", async () => {
  const watched = new Set<object>();
  const ask = () => new AgentRequest("question", "elicitation/create", {}, async (result) => void watched.add(result));
  const { turn, answer } = begin();
  for (const id of [1, 2]) turn.hear(text(id, ""), ask());
  const same = { action: "decline" as const };
  const events = turn[Symbol.asyncIterator]();
  for (let i = 0; i < 2; ++i) {
    const { value } = await events.next();
    if (value?.type === "question") await value.respond(same);
  }
  expect([...watched]).toEqual([same, same]);
  answer({ stopReason: "end_turn" });
  await turn;
});
