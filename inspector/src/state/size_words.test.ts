import { expect, test } from "vitest";
import { sizeWords } from "./size_words.js";

test("sizes have two or three digits, and no more than they need", () => {
  const spelled = [0, 1, 999, 999.7, 1000, 4120, 9960, 999_400, 999_500, 5_000_000, 12_300_000, 33_554_432].map(sizeWords);
  const words = ["0 B", "1 B", "999 B", "1.0 kB", "1 kB", "4.1 kB", "10 kB", "999 kB", "1.0 MB", "5 MB", "12 MB", "34 MB"];
  expect(spelled).toEqual(words);
  expect([3.2e9, 2e12, 5e15].map(sizeWords)).toEqual(["3.2 GB", "2 TB", "5000 TB"]);
});
