import { expect, test } from "vitest";
import { InstanceLog, seqOf } from "./log.js";

test("messages are named by the agent's numbers, and clients' by those they came behind", () => {
  const log = new InstanceLog();
  log.client("a", "");
  log.client("b", "");
  log.agent(1, "c", "");
  log.agent(2, "d", "");
  log.client("e", "");
  expect(log.entries.map(seqOf)).toEqual(["0.1", "0.2", "1", "2", "2.1"]);
  expect(log.entries.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
  expect(log.entries.map(({ message }) => message)).toEqual(["a", "b", "c", "d", "e"]);
});

test("a gap stands where its last message would, or behind what was heard last if nobody knows which were lost", () => {
  const log = new InstanceLog();
  log.agent(3, "", "");
  log.gap({ from: 4, to: 9 });
  log.client("", "");
  log.agent(10, "", "");
  log.gap({ reason: "client messages", clientMessages: 2 });
  log.client("", "");
  expect(log.entries.map(seqOf)).toEqual(["3", "9", "9.1", "10", "10.1", "10.2"]);
  expect(log.entries[1]).toMatchObject({ from: "daemon", json: '{"from":4,"to":9}' });
});

test("beyond its bounds the oldest are dropped, and the rest keep their places", () => {
  const log = new InstanceLog({ entries: 10, characters: 100 });
  for (let id = 1; id <= 11; ++id) log.agent(id, id, "x");
  expect(log.entries.map(({ index }) => index)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect([log.dropped, log.characters, log.version]).toEqual([2, 9, 11]);
  log.agent(12, 12, "x".repeat(95));
  expect(log.entries.map(seqOf)).toEqual(["12"]);
  log.agent(13, 13, "x".repeat(500));
  expect(log.entries.map(seqOf)).toEqual(["13"]);
  expect(log.entries[0]!.index).toBe(12);
});

test("every append is a new version, and times are kept as they were given", () => {
  const log = new InstanceLog();
  expect(log.version).toBe(0);
  expect(log.agent(1, {}, "{}").at).toBeUndefined();
  expect(log.client({}, "{}", 5).at).toBe(5);
  expect(log.version).toBe(2);
});
