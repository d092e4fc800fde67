import { expect, test } from "vitest";
import { changedFiles } from "./changes.js";
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
