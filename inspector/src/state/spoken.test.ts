import { expect, test } from "vitest";
import { spokenOf } from "./spoken.js";
import { chunk, Talk, tool } from "./talk_for_tests.js";

const begun = () => new Talk().begin().prompt(1, "go");
const spoken = (talk: Talk) => spokenOf(talk.session());

test("nothing is said of a session in which nothing was said", () => {
  expect(spoken(new Talk().begin())).toBe("");
  expect(spoken(begun())).toBe("");
});

test("a sentence is said when it is whole, not word by word", () => {
  const talk = begun().update(chunk("I have"));
  expect(spoken(talk)).toBe("");
  expect(spoken(talk.update(chunk(" read it. And")))).toBe("I have read it.");
  expect(spoken(talk.update(chunk(" then? Well")))).toBe("And then?");
  expect(spoken(talk.update(chunk("\nNext line")))).toBe("Well");
});

test("an answer that went on to something else is whole", () => {
  expect(spoken(begun().update(chunk("Let me see")).update(tool("t")))).toBe("Let me see");
});

test("the end of a turn is said together with the last sentence of its answer", () => {
  expect(spoken(begun().update(chunk("First. Then the last")).answer(1))).toBe("Then the last Turn 1: done.");
  expect(spoken(begun().answer(1, "cancelled"))).toBe("Turn 1: cancelled.");
  expect(spoken(begun().update(chunk("A.")).answer(1).prompt(2, "b").answer(2, "refusal"))).toBe("Turn 2: refused.");
});

test("of an endless sentence only the end is read", () => {
  expect(
    spoken(
      begun()
        .update(chunk("x".repeat(100_000)))
        .answer(1),
    ).length,
  ).toBeLessThan(3_000);
});
