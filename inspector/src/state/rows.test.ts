import fc from "fast-check";
import { expect, test } from "vitest";
import { RowList } from "./rows.js";
import { chunk, Talk, tool } from "./talk_for_tests.js";

const read = (id: string, more = {}) => tool(id, { kind: "read", ...more });
const inWords = (talk: Talk) =>
  new RowList()
    .update(talk.session())
    .map((row) =>
      "reads" in row ? `Read ${row.reads.length} files` : "block" in row ? row.block.kind : `${row.forgotten} forgotten`,
    );

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
  const joined = () => new RowList().update(talk.session()).find((row) => "reads" in row);
  const before = joined();
  talk.update(chunk("."));
  expect(joined()?.key).toBe(before?.key);
  expect(joined()?.turn).toBe(1);
});

test("a footer knows its turn", () => {
  const talk = new Talk().begin().prompt(1, "a").answer(1).prompt(2, "b").answer(2, "refusal");
  const footers = new RowList()
    .update(talk.session())
    .flatMap((row) => ("turnState" in row && row.turnState ? [row.turnState] : []));
  expect(footers.map(({ number, stopReason }) => [number, stopReason])).toEqual([
    [1, "end_turn"],
    [2, "refusal"],
  ]);
});

test("nothing has no rows", () => {
  expect(new RowList().update({ blocks: [], turns: [], forgotten: 0 })).toEqual([]);
});

test("however a talk grows, the rows are those of the whole", () => {
  const step = fc.constantFrom<(talk: Talk, at: number) => unknown>(
    (talk, at) => talk.update(read(`r${at}`)),
    (talk, at) => talk.update(read(`s${at}`, { status: "pending" })),
    (talk, at) => talk.update({ ...read(`s${at - 1}`), sessionUpdate: "tool_call_update" }),
    (talk) => talk.update(chunk("word ")),
    (talk, at) => talk.prompt(at, "more"),
    (talk, at) => talk.answer(at - 3),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 8, max: 200 }), (steps, entries) => {
      const talk = new Talk({ entries, characters: 1e6 }).begin();
      const list = new RowList();
      steps.forEach((take, at) => {
        take(talk, at);
        expect(list.update(talk.session())).toEqual(new RowList().update(talk.session()));
      });
    }),
    { numRuns: 200 },
  );
});

test("a row that did not change is the same object", () => {
  const talk = new Talk().begin().prompt(1, "go").update(chunk("one")).answer(1).prompt(2, "on").update(chunk("two"));
  const list = new RowList();
  const before = [...list.update(talk.session())];
  talk.update(chunk("three"));
  const after = list.update(talk.session());
  expect(after.slice(0, 4)).toEqual(before.slice(0, 4));
  expect(after.every((row, at) => (row === before[at]) === at < 4)).toBe(true);
});
