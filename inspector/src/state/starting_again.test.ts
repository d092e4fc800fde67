import { expect, test } from "vitest";
import { startingAfter, startingOf } from "./starting.js";

test("a start that goes on after a login has not failed any more", () => {
  const began = startingAfter(startingOf("an-agent", "/work"), { type: "began", step: "session", at: 1 });
  const failure = { step: "session", message: "Sign in first.", signIn: true } as const;
  const failed = startingAfter(began, { type: "failed", failure, at: 2 });
  expect([failed.over, failed.failure]).toEqual([true, failure]);
  const again = startingAfter(failed, { type: "began", step: "session", at: 3 });
  expect([again.over, again.failure, again.steps.at(-1)?.state]).toEqual([false, undefined, "working"]);
});
