import { expect, test } from "vitest";
import type { Attachment } from "./attachment.js";
import { composerAfter, emptyComposer, type Composer } from "./composer.js";
import { composersToKeep } from "./composers_to_keep.js";
import { composersFrom, type KeptComposers } from "./kept_composers.js";

const writing = (text: string): Composer => composerAfter(emptyComposer, { type: "typed", text });
const queueing = (...texts: string[]): Composer =>
  texts.reduce(
    (composer, text) => composerAfter(composerAfter(composer, { type: "typed", text }), { type: "queued" }),
    emptyComposer,
  );

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

const attachment = (name: string, length: number): Attachment => ({
  name,
  mimeType: "image/png",
  size: length,
  kind: "image",
  data: "A".repeat(length),
});
const withAttached = (composer: Composer, ...attached: Attachment[]) =>
  attached.reduce((next, one) => composerAfter(next, { type: "attached", attachment: one }), composer);

test("a small attachment outlives a reload, of a large one the name", () => {
  const now = { "a/1": withAttached(emptyComposer, attachment("small.png", 100), attachment("large.png", 1_000_000)) };
  const kept = composersToKeep({}, {}, now, "first");
  expect(JSON.stringify(kept).length).toBeLessThan(10_000);
  const { attachments, lost } = composersFrom(kept, "first")["a/1"]!;
  expect(attachments?.map(({ name }) => name)).toEqual(["small.png"]);
  expect(lost).toEqual(["large.png"]);
});

test("a queue of which something was lost is held", () => {
  const composer = composerAfter(withAttached(writing("look"), attachment("large.png", 1_000_000)), { type: "queued" });
  const again = composersFrom(composersToKeep({}, {}, { "a/1": composer }, "first"), "first")["a/1"]!;
  expect([again.isHeld, again.lost, again.queue[0]?.text]).toEqual([true, ["large.png"], "look"]);
});

test("what is being edited is part of the draft in another tab, once", () => {
  const editing = [{ type: "edit", id: 1 } as const, { type: "typed", text: "ONE" } as const].reduce(composerAfter, {
    ...queueing("one", "two"),
    draft: "three",
  } as Composer);
  const elsewhere = composersFrom(composersToKeep({}, {}, { "a/1": editing }, "first"), "second")["a/1"];
  expect([elsewhere?.draft, elsewhere?.queue, elsewhere?.editing]).toEqual(["ONE\ntwo\nthree", [], undefined]);
});

test("all together are bounded: attachments go first, the oldest session's first, and words stay", () => {
  const sessions = Array.from({ length: 12 }, (_, nth) => {
    const attached = Array.from({ length: 5 }, (_, at) => attachment(`${nth}-${at}.png`, 99_000));
    return { [`p/${nth}`]: withAttached(writing(`words ${nth}`), ...attached) };
  });
  const kept = sessions.reduce<KeptComposers>((before, now) => composersToKeep(before, {}, now, "first"), {});
  expect(JSON.stringify(kept).length).toBeLessThan(2_600_000);
  const again = composersFrom(kept, "first");
  const draftOf = (nth: number) => again[`p/${nth}`]?.draft;
  expect(sessions.map((_, nth) => draftOf(nth))).toEqual(sessions.map((_, nth) => `words ${nth}`));
  expect([again["p/0"]?.attachments, again["p/0"]?.lost?.length]).toEqual([[], 5]);
  expect([again["p/11"]?.attachments?.length, again["p/11"]?.lost]).toEqual([5, undefined]);
});

test("what is changed again is the newest", () => {
  const kept = composersToKeep({}, {}, { "a/1": writing("one"), "b/1": writing("two") }, "first");
  expect(Object.keys(composersToKeep(kept, {}, { "a/1": writing("more") }, "first"))).toEqual(["b/1", "a/1"]);
});

test("words that nothing could keep do not take the place of others", () => {
  const now = { "a/1": writing("small"), "b/1": writing("x".repeat(6_000_000)) };
  expect(Object.keys(composersToKeep({}, {}, now, "first"))).toEqual(["a/1"]);
});

test("what is deleted here is not kept, what another tab wrote is", () => {
  const before = { "a/1": writing("mine") };
  const kept = composersToKeep(composersToKeep({}, {}, before, "first"), {}, { "b/1": writing("theirs") }, "second");
  expect(Object.keys(composersToKeep(kept, before, {}, "first"))).toEqual(["b/1"]);
});
