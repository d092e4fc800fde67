// Where each route of the former API is now: one test per route.
import { readFileSync } from "node:fs";
import { SandboxAgent, Session } from "sandbox-agent";
import {
  createSessionMessages,
  permissionResponse,
  promptMessage,
  questionRejection,
  questionResponse,
  terminateMessages,
  toTranscript,
  Transcript,
  transcriptOf,
} from "sandbox-agent/transcript";
import { describe, expect, it } from "vitest";
import { chunk, Log, text, types } from "./log.js";

interface Document {
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, { properties: object }> };
}
const place = new URL("../../../../docs/reference/openapi.json", import.meta.url);
const { paths, components } = JSON.parse(readFileSync(place, "utf8")) as Document;

describe("routes that are what they were", () => {
  it.each([
    ["GET", "/v1/health"],
    ["GET", "/v1/agents"],
    ["POST", "/v1/agents/{agent}/install"],
    ["GET", "/v1/fs/entries"],
    ["DELETE", "/v1/fs/entry"],
    ["GET", "/v1/fs/file"],
    ["PUT", "/v1/fs/file"],
    ["POST", "/v1/fs/mkdir"],
    ["POST", "/v1/fs/move"],
    ["GET", "/v1/fs/stat"],
    ["POST", "/v1/fs/upload-batch"],
  ])("%s %s", (method, path) => {
    expect(paths[path]).toHaveProperty(method.toLowerCase());
  });

  it.each(["models", "modes"])("GET /v1/agents/{agent}/%s is a field of the agent", (what) => {
    expect(paths).not.toHaveProperty([`/v1/agents/{agent}/${what}`]);
    expect(components.schemas["AgentInfo"]?.properties).toHaveProperty(what);
  });
});

describe("routes of sessions", () => {
  const permission = {
    id: 1,
    method: "session/request_permission",
    params: { options: [{ optionId: "a", kind: "allow_once" }] },
  };
  const question = { id: 2, method: "_sandboxagent/session/request_question", params: { prompt: "?" } };
  const whole = new Log().begin().prompt(1, text("hi")).update(chunk("a"), chunk("b")).answer(1);

  it("list: listSessions()", () => {
    expect(SandboxAgent.prototype.listSessions).toBeTypeOf("function");
  });

  it("create: session/new, with the id that is wanted as metadata", () => {
    const [first] = createSessionMessages({ agent: "mock", sessionId: "mine", directory: "/" });
    expect(first).toMatchObject({
      method: "session/new",
      params: { _meta: { "sandboxagent.dev": { requestedSessionId: "mine" } } },
    });
  });

  it("prompt: session/prompt", () => {
    expect(promptMessage("s", { message: "hi" }).method).toBe("session/prompt");
  });

  it("prompt and stream: session/prompt, and the events as they come", async () => {
    const seen = [];
    for await (const event of transcriptOf(whole.entries)) seen.push(event);
    expect(types(seen).slice(1)).toEqual([
      ...["turn.started", "item.started", "item.completed"],
      ...["item.started", "item.delta", "item.delta", "item.completed", "turn.ended"],
    ]);
  });

  it("terminate: cancel and close, also twice; session.ended comes once", () => {
    expect(Session.prototype.close).toBeTypeOf("function");
    const [, close] = terminateMessages("native", { canClose: true });
    const log = new Log().begin();
    for (const id of [1, 2]) log.client({ id, ...close }).agent({ id, result: {} });
    expect(types(log.transcript())).toEqual(["session.started", "session.ended"]);
  });

  it("poll events: a log that is read in pages gives the same events", () => {
    const transcript = new Transcript();
    const paged = [];
    for (let offset = 0; offset < whole.entries.length; offset += 2)
      for (const entry of whole.entries.slice(offset, offset + 2)) paged.push(...transcript.push(entry));
    expect([...paged, ...transcript.flush()]).toEqual(toTranscript(whole.entries));
  });

  it("stream of events: read again after a cut it gives the same events, none twice", () => {
    const transcript = new Transcript();
    const heard = [...whole.entries.slice(0, 4), ...whole.entries.slice(2)].flatMap((entry) => transcript.push(entry));
    expect([...heard, ...transcript.flush()]).toEqual(toTranscript(whole.entries));
  });

  it("permission reply: the answer to the request of that id", () => {
    expect(permissionResponse(permission, "once")).toMatchObject({ id: 1, result: { outcome: { optionId: "a" } } });
  });

  it("question reply: the answer to the question of that id", () => {
    expect(questionResponse(question, [["x"]])).toMatchObject({ id: 2, result: { outcome: "answered" } });
  });

  it("question reject: the same, with the outcome rejected", () => {
    expect(questionRejection(question)).toMatchObject({ id: 2, result: { outcome: "rejected" } });
  });
});
