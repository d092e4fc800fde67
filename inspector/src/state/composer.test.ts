import { expect, test } from "vitest";
import { commandsFor, composerAfter, emptyComposer, type ComposerNews } from "./composer.js";

const after = (...news: ComposerNews[]) => news.reduce(composerAfter, emptyComposer);
const typed = (text: string): ComposerNews => ({ type: "typed", text });
const queued: ComposerNews = { type: "queued" };

test("what is queued leaves the draft, in order", () => {
  const { draft, queue } = after(typed("one"), queued, typed("two"), queued, typed("three"));
  expect(draft).toBe("three");
  expect(queue.map(({ text }) => text)).toEqual(["one", "two"]);
});

test("nothing is not queued", () => {
  expect(after(typed(" \n"), queued)).toEqual({ ...emptyComposer, draft: " \n" });
});

test("a queued message can be removed, and one that is gone changes nothing", () => {
  const composer = after(typed("one"), queued, typed("two"), queued, { type: "took", id: 1 });
  expect(composer.queue.map(({ text }) => text)).toEqual(["two"]);
  expect(composerAfter(composer, { type: "took", id: 1 })).toEqual(composer);
  expect(composerAfter(composer, { type: "edit", id: 1 })).toEqual(composer);
});

test("numbers of queued messages are not used again", () => {
  const { queue } = after(typed("one"), queued, { type: "took", id: 1 }, typed("two"), queued);
  expect(queue).toEqual([{ id: 2, text: "two" }]);
});

test("a queued message that is edited goes before what is being written", () => {
  expect(after(typed("one"), queued, { type: "edit", id: 1 })).toMatchObject({ draft: "one", queue: [] });
  expect(after(typed("one"), queued, typed("more"), { type: "edit", id: 1 }).draft).toBe("one\nmore");
});

test("a message that could not be sent comes back, and nothing that was written since is lost", () => {
  expect(after(typed("one"), { type: "sent" })).toEqual(emptyComposer);
  expect(after(typed("one"), { type: "sent" }, { type: "put back", text: "one" }).draft).toBe("one");
  expect(after({ type: "sent" }, typed("two"), { type: "put back", text: "one" }).draft).toBe("one\ntwo");
});

const commands = ["plan", "Permission", "slow"].map((name) => ({ name, description: "" }));
test.each([
  ["", []],
  ["plan", []],
  ["/", ["plan", "Permission", "slow"]],
  ["/p", ["plan", "Permission"]],
  ["/PERM", ["Permission"]],
  ["/plan", ["plan"]],
  ["/plan ", []],
  ["/plan a trip", []],
  ["see /pl", []],
  ["/x", []],
  ["/p\n", []],
])("the draft %j offers %j", (draft, names) => {
  expect(commandsFor(draft, commands).map(({ name }) => name)).toEqual(names);
});
