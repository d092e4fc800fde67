// The note that goes with a rejection.
import { expect, test } from "vitest";
import { composerAfter, emptyComposer } from "./composer.js";

test("a note is the next message, before what was queued already", () => {
  const waiting = composerAfter(composerAfter(emptyComposer, { type: "typed", text: "later" }), { type: "queued" });
  const { queue } = composerAfter(waiting, { type: "next", text: "not so" });
  expect(queue.map(({ text }) => text)).toEqual(["not so", "later"]);
});

test("a note is queued by itself, and what is being written stays", () => {
  const writing = composerAfter(emptyComposer, { type: "typed", text: "half a sen" });
  const noted = composerAfter(writing, { type: "next", text: "use rm -i" });
  expect(noted.draft).toBe("half a sen");
  expect(noted.queue.map(({ text }) => text)).toEqual(["use rm -i"]);
  expect(composerAfter(noted, { type: "queued" }).queue.map(({ id, text }) => [id, text])).toEqual([
    [1, "use rm -i"],
    [2, "half a sen"],
  ]);
});
