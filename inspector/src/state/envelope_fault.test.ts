import { expect, test } from "vitest";
import { envelopeFault } from "./envelope_fault.js";

test("a request by hand has a text as id, an answer has the agent's", () => {
  expect(envelopeFault({ jsonrpc: "2.0", id: 3, method: "session/list" })).toMatch(/text as id/);
  expect(envelopeFault({ jsonrpc: "2.0", id: "x", method: "session/list" })).toBeUndefined();
  expect(envelopeFault({ jsonrpc: "2.0", id: 3, result: {} })).toBeUndefined();
  expect(envelopeFault({ jsonrpc: "2.0", method: "session/cancel" })).toBeUndefined();
  expect(envelopeFault([])).toMatch(/batches/);
  expect(envelopeFault("x")).toMatch(/object/);
});
