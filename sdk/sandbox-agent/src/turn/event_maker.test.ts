import { expect, test } from "vitest";
import type { AcpHttpMessage } from "acp-http-client";
import { EventMaker } from "./event_maker.js";

function tool(toolCallId: string, what: object): AcpHttpMessage {
  const update = { sessionUpdate: "tool_call_update", toolCallId, ...what };
  const message = { jsonrpc: "2.0" as const, method: "session/update", params: { sessionId: "s", update } };
  return { type: "message", id: 1, message, json: JSON.stringify(message) };
}

test("a tool call's event has all that was said about it", () => {
  const it = new EventMaker();
  it.make(tool("t", { title: "Edit", kind: "edit" }), undefined);
  expect(it.make(tool("t", { status: "completed" }), undefined)).toMatchObject({
    title: "Edit",
    kind: "edit",
    status: "completed",
  });
});

test("of many tool calls those that changed last are remembered, so that a reader may stay for ever", () => {
  const it = new EventMaker();
  it.make(tool("old", { title: "old" }), undefined);
  it.make(tool("in use", { title: "in use" }), undefined);
  for (let i = 0; i < 1_000; ++i) {
    it.make(tool(`t${i}`, { title: "x" }), undefined);
    it.make(tool("in use", {}), undefined);
  }
  expect(it.make(tool("in use", {}), undefined)).toMatchObject({ title: "in use" });
  expect(it.make(tool("old", {}), undefined)).toMatchObject({ title: "" });
});
