import { expect, test } from "vitest";
import { EventQueue } from "./event_queue.js";
import type { TurnEvent } from "./turn_event.js";

const text = (words: string): TurnEvent => ({ type: "text", text: words, raw: { id: 1, envelope: {}, json: "{}" } });
const taken = (words: string) => ({ done: false, value: text(words) });
const over = { done: true, value: undefined };

function queue() {
  let drops = 0;
  return { events: new EventQueue(() => ++drops), drops: () => drops };
}

test("events come out in the order they went in, whoever was first", async () => {
  const { events } = queue();
  events.push(text("a"));
  events.push(text("b"));
  expect(events.length).toBe(2);
  expect(await events.next()).toEqual(taken("a"));
  expect(await events.next()).toEqual(taken("b"));
  const waiting = [events.next(), events.next()];
  events.push(text("c"));
  events.push(text("d"));
  expect(await Promise.all(waiting)).toEqual([taken("c"), taken("d")]);
  expect(events.length).toBe(0);
});

test("the end comes after what is there, to everybody who waits", async () => {
  const { events } = queue();
  events.push(text("a"));
  events.end();
  events.push(text("too late"));
  expect(await events.next()).toEqual(taken("a"));
  expect(await events.next()).toEqual(over);
  const other = queue().events;
  const waiting = [other.next(), other.next()];
  other.end();
  expect(await Promise.all(waiting)).toEqual([over, over]);
});

test("a reader that leaves takes its events with it, and says so once", async () => {
  const { events, drops } = queue();
  events.push(text("a"));
  expect(await events.return()).toEqual(over);
  await events.return();
  events.push(text("b"));
  expect(events.length).toBe(0);
  expect(events.dropped).toBe(true);
  expect(drops()).toBe(1);
  expect(await events.next()).toEqual(over);
});

test("a queue that was read half keeps the other half", async () => {
  const { events } = queue();
  for (let i = 0; i < 10; ++i) events.push(text(String(i)));
  for (let i = 0; i < 5; ++i) expect(await events.next()).toEqual(taken(String(i)));
  events.push(text("10"));
  expect(events.length).toBe(6);
  for (let i = 5; i <= 10; ++i) expect(await events.next()).toEqual(taken(String(i)));
});
