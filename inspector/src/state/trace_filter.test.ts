import { expect, test } from "vitest";
import { InstanceLog } from "./log.js";
import { Trace } from "./trace.js";
import { conditionsOf, FilteredRows, withCondition, type TraceFilter } from "./trace_filter.js";
import { TraceRows } from "./trace_rows.js";

const say = (text: string) => ({
  method: "session/update",
  params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
});

function talk() {
  const log = new InstanceLog();
  let events = 0;
  const client = (message: object, at?: number) => log.client(message, JSON.stringify(message), at);
  const agent = (message: object, at?: number) => log.agent(++events, message, JSON.stringify(message), at);
  return { log, client, agent };
}

/** 0 prompt, 1 text, 2 permission, 3 its answer, 4 error of the prompt, 5 second prompt, 6 its end, 7 exit, 8 gap */
function conversation() {
  const { log, client, agent } = talk();
  client({ id: 1, method: "session/prompt", params: { sessionId: "s", prompt: [{ type: "text", text: "Please greet" }] } }, 10);
  agent(say('She said "Hello"'), 20);
  agent({ id: 7, method: "session/request_permission", params: { sessionId: "s" } }, 30);
  client({ id: 7, result: { outcome: { outcome: "cancelled" } } }, 40);
  agent({ id: 1, error: { code: -32603, message: "broken" } }, 50);
  client({ id: 2, method: "session/prompt", params: { sessionId: "s", prompt: [] } }, 60);
  agent({ id: 2, result: { stopReason: "end_turn" } }, 70);
  agent({ method: "_adapter/agent_exited", params: { exitCode: 0 } }, 80);
  log.gap({ from: 6, to: 8 }, 90);
  return new Trace().catchUp(log);
}
const found = (filter: TraceFilter) => [...new FilteredRows(filter).advance(conversation()).found];

test("each condition lets through what it names", () => {
  expect(found({})).toHaveLength(9);
  expect(found({ from: "client" })).toEqual([0, 3, 5]);
  expect(found({ from: "agent" })).toEqual([1, 2, 4, 6]);
  expect(found({ from: "daemon" })).toEqual([7, 8]);
  expect(found({ kind: "request" })).toEqual([0, 2, 5]);
  expect(found({ method: "session/prompt" })).toEqual([0, 4, 5, 6]);
  expect(found({ errors: true })).toEqual([4, 8]);
  expect(found({ turn: { sessionId: "s", number: 2 } })).toEqual([5, 6]);
  expect(found({ from: "client", kind: "request", turn: { sessionId: "s", number: 1 } })).toEqual([0]);
});

test("words are found in the message's own text, whatever their capitals, and quotes as JSON writes them", () => {
  expect(found({ text: "GREET" })).toEqual([0]);
  expect(found({ text: 'said "hello"' })).toEqual([1]);
  expect(found({ text: "stopReason" })).toEqual([6]);
  expect(found({ text: "[.*" })).toEqual([]);
});

test("conditions are counted, and taken away when they say nothing", () => {
  const filter = withCondition(withCondition({}, "errors", true), "text", "a");
  expect(conditionsOf(filter)).toBe(2);
  expect(withCondition(withCondition(filter, "errors", false), "text", "")).toEqual({});
});

test("methods that occurred, and the last turn, are told", () => {
  const trace = conversation();
  expect(trace.methods).toEqual(["_adapter/agent_exited", "session/prompt", "session/request_permission", "session/update"]);
  expect(trace.lastTurn()).toEqual({ sessionId: "s", number: 2 });
  expect(trace.lastTurn("other")).toBeUndefined();
});

test("a long log is filtered bit by bit, and what comes later is found", () => {
  const { log, agent } = talk();
  for (let nth = 0; nth < 1000; ++nth) agent(say(`line ${nth}`));
  const trace = new Trace().catchUp(log);
  const rows = new FilteredRows({ text: "line 9" });
  expect(rows.advance(trace, 100).found).toEqual([9, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99].filter((index) => index < 100));
  expect(rows.isWhole(trace)).toBe(false);
  while (!rows.isWhole(trace)) rows.advance(trace, 100);
  expect(rows.found).toHaveLength(111);
  agent(say("line 9 again"));
  rows.advance(trace.catchUp(log));
  expect(rows.found.at(-1)).toBe(1000);
});

test("what the log has dropped is dropped, and the rest keeps its names", () => {
  const { log, agent, client } = talk();
  for (let nth = 0; nth < 10; ++nth) agent(say(nth % 2 === 0 ? "even" : "odd"));
  client({ id: 1, method: "session/list", params: {} });
  const trace = new Trace().catchUp(log);
  const rows = new FilteredRows({ text: "even" }).advance(trace);
  const kept = { entries: log.entries.slice(5) };
  trace.catchUp(kept);
  rows.advance(trace);
  expect([trace.first, trace.end, trace.rows.length]).toEqual([5, 11, 6]);
  expect(trace.at(4)).toBeUndefined();
  expect(trace.indexOf("7")).toBe(6);
  expect(trace.indexOf("10.1")).toBe(10);
  expect(trace.indexOf("3")).toBeUndefined();
  expect(rows.found).toEqual([6, 8]);
  const answer = { id: 1, result: {} };
  kept.entries.push({ ...log.entries[0]!, index: 11, message: answer, json: JSON.stringify(answer), eventId: 11 });
  expect(trace.catchUp(kept).at(11)?.pair).toBe(10);
  kept.entries.splice(0, 6); // more than a view has read
  expect(new Trace().catchUp(kept).first).toBe(11);
});

test("requests stand right also where a view was left and read again: what was said between has no time", () => {
  const log = new InstanceLog();
  const times = [10, 20, 30, ...Array<undefined>(12).fill(undefined), 500, 510];
  for (const [nth, at] of times.entries()) log.agent(nth + 1, {}, "{}", at);
  const trace = new Trace().catchUp(log);
  const http = [5, 15, 25, 300, 505].map((at, id) => ({ id, at, method: "GET", path: "/", times: 1 }));
  const rows = new TraceRows(trace, undefined, http);
  expect(http.map(({ id }) => rows.placeOfRequest(id))).toEqual([0, 2, 4, 18, 20]);
});

test("a filter counts what it found and the log forgot", () => {
  const log = new InstanceLog({ entries: 20, characters: 1e9 });
  const trace = new Trace();
  const rows = new FilteredRows({ from: "client" });
  for (let nth = 0; nth < 40; ++nth) {
    if (nth % 2 === 0) log.client({ method: "x" }, "{}");
    else log.agent(nth, { method: "y" }, "{}");
    rows.advance(trace.catchUp(log));
  }
  expect(trace.first).toBeGreaterThan(0);
  expect(rows.dropped).toBe(Math.ceil(trace.first / 2));
  expect(rows.dropped + rows.found.length).toBe(20);
});

test("requests of the page stand among the messages by their time", () => {
  const trace = conversation();
  const http = [5, 25, 25, 95].map((at, id) => ({ id, at, method: "GET", path: "/", times: 1 }));
  const inOrder = (rows: TraceRows) =>
    Array.from({ length: rows.count }, (_, place) => {
      const { row, http } = rows.at(place) ?? {};
      return http ? `h${http.id}` : row?.entry.index;
    });
  const all = new TraceRows(trace, undefined, http);
  expect(inOrder(all)).toEqual(["h0", 0, 1, "h1", "h2", 2, 3, 4, 5, 6, 7, 8, "h3"]);
  const filtered = new TraceRows(trace, new FilteredRows({ from: "client" }).advance(trace), http);
  expect(inOrder(filtered)).toEqual(["h0", 0, "h1", "h2", 3, 5, "h3"]);
  for (const rows of [all, filtered]) {
    for (let place = 0; place < rows.count; ++place) {
      const { row, http } = rows.at(place)!;
      expect(row ? rows.placeOf(row.entry.index) : rows.placeOfRequest(http.id)).toBe(place);
    }
  }
  expect(filtered.placeOf(1)).toBeUndefined();
  expect([all.countAfter(5), filtered.countAfter(0)]).toEqual([3, 2]);
});

test("a hundred thousand messages are searched in slices that keep nobody waiting", () => {
  const { log, agent } = talk();
  const text = "word ".repeat(40);
  for (let nth = 0; nth < 100_000; ++nth) agent(say(`${text}${nth}`));
  const trace = new Trace().catchUp(log);
  const rows = new FilteredRows({ text: "WORD 99999" });
  const slices: number[] = [];
  while (!rows.isWhole(trace)) {
    const began = performance.now();
    rows.advance(trace, 256);
    slices.push(performance.now() - began);
  }
  expect(rows.found).toEqual([99_999]);
  expect(slices.sort((a, b) => a - b)[slices.length >> 1]).toBeLessThan(10); // the middle one: others may use the machine
});
