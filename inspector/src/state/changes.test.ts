import { expect, test } from "vitest";
import { changedFiles, filesOfTurn, turnsOf } from "./changes.js";
import { Talk, tool } from "./talk_for_tests.js";

const diff = (path: string, oldText: string | null, newText: string) => ({ type: "diff", path, oldText, newText });
const edit = (id: string, content: unknown[], more = {}) => tool(id, { kind: "edit", content, ...more });
const changes = (talk: Talk) => changedFiles(talk.session());

test("a session that changed nothing lists nothing", () => {
  expect(changes(new Talk().begin().prompt(1, "go").update(tool("t")).answer(1))).toEqual([]);
});

test("a file has its edits in order, with the turns they belong to", () => {
  const talk = new Talk()
    .begin()
    .prompt(1, "go")
    .update(edit("a", [diff("/x", null, "1"), diff("/y", "a", "b")]))
    .answer(1);
  talk
    .prompt(2, "more")
    .update(edit("b", [diff("/x", "1", "2")]))
    .answer(2);
  const found = changes(talk);
  expect(found.map(({ path }) => path)).toEqual(["/x", "/y"]);
  expect(found[0]?.edits.map(({ turn, oldText, newText }) => [turn, oldText, newText])).toEqual([
    [1, null, "1"],
    [2, "1", "2"],
  ]);
});

test("an edit that failed or was refused is no change", () => {
  const talk = new Talk()
    .begin()
    .prompt(1, "go")
    .update(edit("a", [diff("/x", "1", "2")], { status: "failed" }));
  talk.askPermission("p", { toolCallId: "b", title: "edit", status: "pending", content: [diff("/y", "1", "2")] });
  talk.choose("p", "no").answer(1);
  expect(changes(talk)).toEqual([]);
});

test("an edit that waits for permission is no change before it is done", () => {
  const talk = new Talk()
    .begin()
    .prompt(1, "go")
    .update(edit("b", [diff("/y", "1", "2")], { status: "pending" }));
  talk.askPermission("p", { toolCallId: "b" });
  expect(changes(talk)).toEqual([]);
  talk.choose("p", "yes").update({ sessionUpdate: "tool_call_update", toolCallId: "b", status: "completed" });
  expect(changes(talk).map(({ path }) => path)).toEqual(["/y"]);
});

test("a tool that names files without telling the change is listed by what it did", () => {
  const talk = new Talk().begin().prompt(1, "go");
  talk.update(tool("a", { kind: "delete", locations: [{ path: "/x" }] }));
  talk.update(tool("b", { kind: "read", locations: [{ path: "/y" }] }));
  talk.update(tool("c", { kind: "edit", locations: [{ path: "/z" }], status: "failed" })).answer(1);
  expect(changes(talk).map(({ path, edits, touches }) => [path, edits, touches.map(({ how }) => how)])).toEqual([
    ["/x", [], ["deleted"]],
  ]);
});

test("of one turn only what was changed in it", () => {
  const talk = new Talk()
    .begin()
    .prompt(1, "go")
    .update(edit("a", [diff("/x", null, "1")]))
    .answer(1);
  talk
    .prompt(2, "more")
    .update(edit("b", [diff("/x", "1", "2"), diff("/y", "", "2")]))
    .answer(2);
  const files = changes(talk);
  expect(turnsOf(files)).toEqual([1, 2]);
  expect(filesOfTurn(files, 1).map(({ path, edits }) => [path, edits.length])).toEqual([["/x", 1]]);
  expect(filesOfTurn(files, 2).map(({ path }) => path)).toEqual(["/x", "/y"]);
  expect(filesOfTurn(files, undefined)).toBe(files);
});

test("an edit is the same object until it is told anew", () => {
  const talk = new Talk()
    .begin()
    .prompt(1, "go")
    .update(edit("a", [diff("/x", "1", "2")], { status: "in_progress" }));
  const before = changes(talk)[0]!.edits[0];
  talk.update(edit("b", [diff("/y", "2", "3")]));
  expect(changes(talk)[0]!.edits[0]).toBe(before);
  talk.update(edit("a", [diff("/x", "1", "9")], { sessionUpdate: "tool_call_update" }));
  expect(changes(talk)[0]!.edits[0]).toMatchObject({ newText: "9" });
});
