import { expect, test } from "vitest";
import { dueTimes, Played } from "./replay.js";
import { chunk, inWords, Talk } from "./talk_for_tests.js";
import { FileEntry } from "./trace_file.js";

test("messages come in their own time, evenly where nobody knows it, and nobody waits long", () => {
  const due = dueTimes([1_000, 1_250, undefined, undefined, 9_000, 99_000, 98_000].map((at) => ({ at })));
  expect([...due]).toEqual([0, 250, 350, 450, 550, 3_550, 3_550]);
  expect([...dueTimes([])]).toEqual([]);
});

test("a replayed file makes the same conversation as the process did", () => {
  const talk = new Talk().begin().prompt(1, "hello").update(chunk("hi ")).update(chunk("there")).answer(1);
  const played = new Played("server");
  for (const { index, from, eventId, nth, json, at } of talk.view.log.entries)
    played.hear(new FileEntry(index, from, eventId, nth, json, at));
  expect(inWords(played.view.latest!.blocks)).toEqual(inWords(talk.blocks));
  expect(played.entries).toHaveLength(talk.view.log.entries.length);
});
