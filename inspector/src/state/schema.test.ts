import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { InstanceLog } from "./log.js";
import { SchemaCheck, type ProtocolSchema } from "./schema.js";
import { Trace } from "./trace.js";

const file = createRequire(import.meta.url).resolve("@agentclientprotocol/sdk/schema/v1/schema.json");
const schema = new SchemaCheck(JSON.parse(readFileSync(file, "utf8")) as ProtocolSchema);

/** What the schema says of the last of these messages. */
function said(...messages: (readonly ["agent" | "client", object])[]) {
  const log = new InstanceLog();
  messages.forEach(([from, fields], at) => {
    const message = { jsonrpc: "2.0", ...fields };
    if (from === "agent") log.agent(at + 1, message, JSON.stringify(message));
    else log.client(message, JSON.stringify(message));
  });
  return schema.check(new Trace().catchUp(log).rows.at(-1)!);
}
const prompt = { id: 1, method: "session/prompt", params: { sessionId: "s", prompt: [{ type: "text", text: "hi" }] } };
const update = (fields: object) => ({ method: "session/update", params: { sessionId: "s", update: fields } });

test("what agents and clients say is valid", () => {
  expect(said(["client", prompt])).toEqual({ state: "valid", name: "PromptRequest" });
  const answer = said(["client", prompt], ["agent", { id: 1, result: { stopReason: "end_turn" } }]);
  expect(answer).toEqual({ state: "valid", name: "PromptResponse" });
  const text = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hi" } };
  expect(said(["agent", update(text)])).toMatchObject({ state: "valid" });
  expect(said(["client", { method: "session/cancel", params: { sessionId: "s" } }])).toMatchObject({ state: "valid" });
  expect(said(["client", prompt], ["agent", { id: 1, error: { code: -32603, message: "no" } }])).toMatchObject({
    state: "valid",
  });
});

test("what is wrong is named with its place, also in alternatives", () => {
  const word = said(["client", prompt], ["agent", { id: 1, result: "banana" }]);
  expect(word).toMatchObject({ state: "invalid", path: "result", why: "is a string, must be an object" });
  const text = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: 3 } };
  const chunk = said(["agent", update(text)]);
  expect(chunk).toMatchObject({ path: "params.update.content.text", why: "is a number, must be a string" });
  expect(said(["agent", update({ sessionUpdate: "nonsense" })])).toMatchObject({
    path: "params.update",
    why: "is none of the kinds the protocol has",
  });
  expect(said(["client", { id: 1, method: "session/prompt", params: { sessionId: "s" } }])).toMatchObject({
    path: "params",
    why: 'has no "prompt"',
  });
  expect(said(["client", { id: 1, method: "session/prompt" }])).toMatchObject({ path: "params", why: "is missing" });
  expect(said(["client", { jsonrpc: "1.0", ...prompt, id: 4 }])).toMatchObject({ path: "jsonrpc" });
});

test("methods that are not the protocol's, or not this side's, have no schema", () => {
  expect(said(["client", { id: 1, method: "_mine/do", params: {} }])).toEqual({ state: "none", why: "no schema for _mine/do" });
  expect(said(["agent", prompt])).toEqual({ state: "none", why: "no schema for session/prompt" });
  expect(said(["agent", { id: 9, result: {} }])).toMatchObject({ state: "none" });
});
