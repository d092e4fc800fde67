import { expect, test } from "vitest";
import type { AcpHttpMessage } from "acp-http-client";
import type { Happening } from "./events.js";
import { SessionBook } from "./session_book.js";

let number = 0;
function message(method: string, params: object): AcpHttpMessage {
  const envelope = { jsonrpc: "2.0" as const, method, params };
  return { type: "message", id: ++number, message: envelope, json: JSON.stringify(envelope) };
}
const update = (sessionId: string, words: string) =>
  message("session/update", {
    sessionId,
    update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: words } },
  });

function book() {
  const told: Happening[] = [];
  return {
    book: new SessionBook("agent", (event) => told.push(event)),
    told,
    updates: () => told.filter(({ type }) => type === "update").length,
  };
}

test("what comes while a session begins is heard when it is there, in order, and only once", async () => {
  const { book: it, told } = book();
  const { record } = await it.begin({ cwd: "/" }, async () => {
    it.hear(update("s", "1"), undefined);
    it.hear(update("other", "x"), undefined);
    it.hear(update("s", "2"), undefined);
    expect(told).toEqual([]);
    return { sessionId: "s" };
  });
  expect(record.metadata.eventCount).toBe(2);
  expect(told.map((event) => (event.type === "update" ? event.raw.json.includes('"1"') : undefined))).toEqual([true, false]);
  it.open("s", "/");
  expect(told).toHaveLength(2);
});

test("messages for sessions that never open are not kept for ever", async () => {
  const { book: it } = book();
  const { record } = await it.begin({ sessionId: "s", cwd: "/" }, async () => {
    for (let i = 0; i < 1_000; ++i) it.hear(update("s", String(i)), undefined);
    it.hear(update("other", "x"), undefined);
    return {};
  });
  expect(record.metadata.eventCount).toBe(255);
  expect(it.open("other", "/").metadata.eventCount).toBe(0);
});

test("what was said of a session while nobody heard of it is not told later", () => {
  const { book: it, told } = book();
  it.open("s", "/");
  it.forget("s");
  it.hear(update("s", "1"), undefined);
  it.open("s", "/");
  expect(told).toEqual([]);
});

test("an observer hears its session and the process; one that was removed hears nothing", () => {
  const { book: it } = book();
  it.open("a", "/");
  it.open("b", "/");
  const heard: number[] = [];
  const remove = it.observe("a", (item) => item.type === "message" && heard.push(item.id));
  it.hear(update("a", ""), undefined);
  it.hear(update("b", ""), undefined);
  it.hear(message("_adapter/invalid_stdout", { error: "e", raw: "r" }), undefined);
  expect(heard).toEqual([number - 2, number]);
  remove();
  it.hear(update("a", ""), undefined);
  expect(heard).toHaveLength(2);
});

test("lost messages are told to all observers and listeners; what clients sent and was lost, to listeners only", () => {
  const { book: it, told } = book();
  const heard: unknown[] = [];
  for (const id of ["a", "b"]) {
    it.open(id, "/");
    it.observe(id, (item) => heard.push(item));
  }
  const gap = { type: "gap", from: 1, to: 2 } as const;
  it.gap(gap);
  it.gap({ type: "gap", clientMessages: 3 });
  expect(heard).toEqual([gap, gap]);
  expect(told).toEqual([gap, { type: "gap", clientMessages: 3 }]);
});

test("each session ends once", () => {
  const { book: it, told } = book();
  it.open("a", "/");
  it.open("b", "/");
  it.end("a", "terminated");
  it.hear(message("_adapter/agent_exited", { code: null, signal: "SIGKILL" }), undefined);
  it.endAll("disconnected");
  expect(told.map((event) => ("raw" in event ? event.type : event))).toEqual([
    { type: "session_ended", sessionId: "a", reason: "terminated" },
    "agent_exited",
    { type: "session_ended", sessionId: "b", reason: "agent_exited" },
  ]);
  expect(told[1]).toMatchObject({ signal: "SIGKILL" });
  expect(told[1]).not.toHaveProperty("exitCode");
});
