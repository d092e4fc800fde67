import { expect, test } from "vitest";
import { keyNames } from "./key_names.js";

test("the variables are those of the sentence about credentials", () => {
  expect(keyNames("Install it with A_TOOL.\nSet ANTHROPIC_API_KEY or B_KEY2, or sign in. B_KEY2 wins.\n")).toEqual([
    "ANTHROPIC_API_KEY",
    "B_KEY2",
  ]);
});

test("where none is named there is none", () => {
  expect(keyNames("It needs no credentials.\n")).toEqual([]);
  expect(keyNames("For credentials see its own HTTP pages.\n")).toEqual([]);
});
