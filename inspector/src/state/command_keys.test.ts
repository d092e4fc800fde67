import { expect, test } from "vitest";
import { keysInWords } from "./command_keys.js";

test("keys are written as keyboards have them", () => {
  expect(keysInWords("n", false)).toBe("N");
  expect(keysInWords("g c", false)).toBe("G then C");
  expect(keysInWords("mod+k", false)).toBe("Ctrl K");
  expect(keysInWords("mod+arrowup", true)).toBe("⌘ ↑");
  expect(keysInWords("escape", true)).toBe("Esc");
});
