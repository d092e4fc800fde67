import { expect, test } from "vitest";
import { rowsOf } from "./rows.js";
import { chunk, Talk, tool } from "./talk_for_tests.js";

const read = (id: string, more = {}) => tool(id, { kind: "read", ...more });
const inWords = (talk: Talk) =>
  rowsOf(talk.session()).map((row) => ("reads" in row ? `Read ${row.reads.length} files` : row.block.kind));

test("three reads in a row are one row; two are two", () => {
  const talk = new Talk().begin().prompt(1, "go").update(read("a")).update(read("b")).update(chunk("so"));
  expect(inWords(talk)).toEqual(["user", "tool", "tool", "message"]);
  talk.update(read("c")).update(read("d")).update(read("e")).answer(1);
  expect(inWords(talk)).toEqual(["user", "tool", "tool", "message", "Read 3 files", "turn"]);
});

test("something else between them keeps reads apart", () => {
  const talk = new Talk().begin().prompt(1, "go").update(read("a")).update(read("b"));
  talk
    .update(tool("x", { kind: "edit" }))
    .update(read("c"))
    .answer(1);
  expect(inWords(talk)).toEqual(["user", "tool", "tool", "tool", "tool", "turn"]);
});

test("a read that runs or failed, and a tool that shows a change, stay on their own", () => {
  const diff = { type: "diff", path: "/a", oldText: "1", newText: "2" };
  for (const odd of [read("o", { status: "in_progress" }), read("o", { status: "failed" }), read("o", { content: [diff] })]) {
    const talk = new Talk().begin().update(read("a")).update(read("b")).update(odd).update(read("c")).update(chunk("."));
    expect(inWords(talk)).toEqual(["tool", "tool", "tool", "tool", "message"]);
  }
});

test("a joined row has the turn and a name of its first read, also when more follow", () => {
  const talk = new Talk().begin().prompt(1, "go").update(read("a")).update(read("b")).update(read("c")).update(read("d"));
  const joined = () => rowsOf(talk.session()).find((row) => "reads" in row);
  const before = joined();
  talk.update(chunk("."));
  expect(joined()?.key).toBe(before?.key);
  expect(joined()?.turn).toBe(1);
});

test("a footer knows its turn", () => {
  const talk = new Talk().begin().prompt(1, "a").answer(1).prompt(2, "b").answer(2, "refusal");
  const footers = rowsOf(talk.session()).flatMap((row) => ("turnState" in row && row.turnState ? [row.turnState] : []));
  expect(footers.map(({ number, stopReason }) => [number, stopReason])).toEqual([
    [1, "end_turn"],
    [2, "refusal"],
  ]);
});

test("nothing has no rows", () => {
  expect(rowsOf({ blocks: [], turns: [] })).toEqual([]);
});
