import { expect, test } from "vitest";
import { composerAfter, emptyComposer, type Composer } from "./composer.js";
import { composersFrom, composersToKeep } from "./kept_composers.js";

const writing = (text: string): Composer => composerAfter(emptyComposer, { type: "typed", text });
const queueing = (...texts: string[]): Composer =>
  texts.reduce((composer, text) => composerAfter(composer, { type: "queue", text }), emptyComposer);

test("a tab keeps what it changed, and leaves what others wrote", () => {
  const before = { "a/1": writing("old"), "b/1": writing("old") };
  const kept = composersToKeep({}, {}, before, "first");
  const others = composersToKeep(kept, {}, { "a/1": writing("of the second") }, "second");
  const now = { ...before, "b/1": writing("of the first") };
  const both = composersToKeep(others, before, now, "first");
  expect([both["a/1"]?.draft, both["b/1"]?.draft]).toEqual(["of the second", "of the first"]);
});

test("what was sent is not kept", () => {
  const before = { "a/1": writing("hello") };
  const kept = composersToKeep({}, {}, before, "first");
  const sent = composerAfter(before["a/1"], { type: "sent" });
  expect(composersToKeep(kept, before, { "a/1": sent }, "first")).toEqual({});
});

test("a queue is still one after a reload, and a draft in another tab, in its order", () => {
  const kept = composersToKeep({}, {}, { "a/1": { ...queueing("one", "two"), draft: "three" } }, "first");
  expect(composersFrom(kept, "first")["a/1"]?.queue.map(({ text }) => text)).toEqual(["one", "two"]);
  const elsewhere = composersFrom(kept, "second")["a/1"];
  expect([elsewhere?.draft, elsewhere?.queue]).toEqual(["one\ntwo\nthree", []]);
});
