// Requests of the former API: each field and each reply has its place in the protocol.
import {
  createSessionMessages,
  mcpServersOf,
  newSessionMessage,
  permissionResponse,
  promptMessage,
  promptOf,
  questionRejection,
  questionResponse,
  sessionSettings,
  terminateMessages,
} from "sandbox-agent/transcript";
import type { CreateSessionRequest, PermissionReply } from "sandbox-agent/transcript";
import { describe, expect, it } from "vitest";
import { Log, the } from "./log.js";

const request = (more: Partial<CreateSessionRequest>): CreateSessionRequest => ({ agent: "mock", ...more });
const metaOf = (more: Partial<CreateSessionRequest>) => newSessionMessage(request(more)).params._meta?.["sandboxagent.dev"];
const select = (id: string, category: string | undefined, ...values: string[]) => ({
  ...{ id, category, type: "select", name: id, currentValue: "" },
  options: values.map((value) => ({ value, name: value })),
});
const settings = (more: Partial<CreateSessionRequest>, offers: object) => sessionSettings(request(more), "s", offers);

describe("CreateSessionRequest", () => {
  it("agent: metadata of session/new", () => {
    expect(metaOf({})).toEqual({ agent: "mock" });
  });

  it("agentVersion: metadata, as the version that is wanted", () => {
    expect(metaOf({ agentVersion: "1.2" })).toMatchObject({ agentVersionRequested: "1.2" });
  });

  it("directory: cwd", () => {
    expect(newSessionMessage(request({ directory: "/project" })).params.cwd).toBe("/project");
  });

  it("mcp: a map becomes a list, for programs, HTTP and SSE", () => {
    const servers = mcpServersOf({
      local: { type: "local", command: ["npx", "-y"], args: ["thing"], env: { A: "1" } },
      plain: { command: "serve" },
      web: { type: "remote", url: "https://a/mcp", headers: { X: "y" } },
      old: { type: "remote", url: "https://b/sse", transport: "sse" },
      http: { type: "http", url: "https://c" },
      off: { command: "never", enabled: false },
    });
    expect(servers).toEqual([
      { name: "local", command: "npx", args: ["-y", "thing"], env: [{ name: "A", value: "1" }] },
      { name: "plain", command: "serve", args: [], env: [] },
      { type: "http", name: "web", url: "https://a/mcp", headers: [{ name: "X", value: "y" }] },
      { type: "sse", name: "old", url: "https://b/sse", headers: [] },
      { type: "http", name: "http", url: "https://c", headers: [] },
    ]);
    expect(newSessionMessage(request({ mcp: { plain: { command: "serve" } } })).params.mcpServers).toHaveLength(1);
  });

  it("mcp: secrets are taken from the environment, and one that is missing is named", () => {
    const docs = {
      type: "remote",
      url: "https://a/mcp",
      headers: { X: "y" },
      bearerTokenEnvVar: "DOCS_TOKEN",
      envHeaders: { "X-Key": "DOCS_KEY" },
    } as const;
    const off = { ...docs, bearerTokenEnvVar: "NOBODY_NEEDS_IT", enabled: false };
    const environment = { DOCS_TOKEN: "secret", DOCS_KEY: "key" };
    const [server] = newSessionMessage(request({ mcp: { docs, off } }), environment).params.mcpServers;
    expect(server).toMatchObject({
      headers: [
        { name: "X", value: "y" },
        { name: "X-Key", value: "key" },
        { name: "Authorization", value: "Bearer secret" },
      ],
    });
    expect(mcpServersOf({ docs })).toEqual([
      { type: "http", name: "docs", url: "https://a/mcp", headers: [{ name: "X", value: "y" }] },
    ]);
    const missing = { code: "variable_not_set", data: { server: "docs", variable: "DOCS_TOKEN" } };
    const failureOf = (make: () => unknown) => expect.soft(make).toThrowError(expect.objectContaining(missing) as Error);
    failureOf(() => newSessionMessage(request({ mcp: { docs } }), { DOCS_KEY: "key" }));
    failureOf(() => createSessionMessages(request({ mcp: { docs } }), undefined, { DOCS_KEY: "key" }));
    process.env["DOCS_TOKEN"] = "mine";
    process.env["DOCS_KEY"] = "also mine";
    expect(JSON.stringify(newSessionMessage(request({ mcp: { docs } })))).toContain("Bearer mine");
  });

  it("agentMode: an option of the category mode, else session/set_mode, else a hint", () => {
    const modes = { availableModes: [{ id: "plan" }] };
    const option = { configOptions: [select("how", "mode", "plan")], modes };
    expect(settings({ agentMode: "plan" }, option).messages).toEqual([
      { method: "session/set_config_option", params: { sessionId: "s", configId: "how", value: "plan" } },
    ]);
    expect(settings({ agentMode: "plan" }, { modes }).messages).toEqual([
      { method: "session/set_mode", params: { sessionId: "s", modeId: "plan" } },
    ]);
    expect(settings({ agentMode: "other" }, option)).toEqual({ messages: [], hints: { agentMode: "other" } });
    expect(metaOf({ agentMode: "plan" })).toMatchObject({ agentMode: "plan" });
  });

  it("model: an option of the category model, also in groups, else a hint", () => {
    const grouped = {
      ...select("llm", "model"),
      options: [{ group: "g", name: "G", options: [{ value: "big", name: "Big" }] }],
    };
    expect(settings({ model: "big" }, { configOptions: [select("x", "mode", "big"), grouped] }).messages).toEqual([
      { method: "session/set_config_option", params: { sessionId: "s", configId: "llm", value: "big" } },
    ]);
    expect(settings({ model: "big" }, {})).toEqual({ messages: [], hints: { model: "big" } });
    expect(metaOf({ model: "big" })).toMatchObject({ model: "big" });
  });

  it("variant: metadata only", () => {
    expect(metaOf({ variant: "v" })).toMatchObject({ variant: "v" });
    expect(settings({ variant: "v" }, { configOptions: [select("variant", "variant", "v")] })).toEqual({
      messages: [],
      hints: {},
    });
  });

  it("permissionMode: an option, where there is one, else metadata", () => {
    const { messages } = settings({ permissionMode: "ask" }, { configOptions: [select("permission_mode", undefined, "ask")] });
    expect(messages).toEqual([
      { method: "session/set_config_option", params: { sessionId: "s", configId: "permission_mode", value: "ask" } },
    ]);
    expect(settings({ permissionMode: "ask" }, {}).hints).toEqual({ permissionMode: "ask" });
    expect(metaOf({ permissionMode: "ask" })).toMatchObject({ permissionMode: "ask" });
  });

  it("skills: metadata", () => {
    const skills = { sources: [{ type: "git", source: "x" }] };
    expect(metaOf({ skills })).toMatchObject({ skills });
  });

  it("title: metadata", () => {
    expect(metaOf({ title: "T" })).toMatchObject({ title: "T" });
  });

  it("session_id of the path: metadata, as the id that is wanted", () => {
    expect(metaOf({ sessionId: "mine" })).toMatchObject({ requestedSessionId: "mine" });
  });

  it("all together: the messages in order", () => {
    const wanted = request({ directory: "/", model: "big", agentMode: "plan" });
    expect(createSessionMessages(wanted).map(({ method }) => method)).toEqual(["session/new"]);
    const offers = {
      sessionId: "s",
      configOptions: [select("m", "model", "big")],
      modes: { availableModes: [{ id: "plan" }] },
    };
    const methods = createSessionMessages(wanted, offers).map(({ method }) => method);
    expect(methods).toEqual(["session/new", "session/set_mode", "session/set_config_option"]);
  });
});

describe("MessageRequest", () => {
  const link = (path: string, more: object = {}, cwd?: string) =>
    promptOf({ message: "m", attachments: [{ path, ...more }] }, cwd === undefined ? {} : { cwd })[1];

  it("message: a text block of session/prompt", () => {
    expect(promptMessage("s", { message: "hello" })).toEqual({
      method: "session/prompt",
      params: { sessionId: "s", prompt: [{ type: "text", text: "hello" }] },
    });
  });

  it.each([
    ["/a/b.txt", undefined, "file:///a/b.txt", "b.txt"],
    ["/a b/ü?#%.md", undefined, "file:///a%20b/%C3%BC%3F%23%25.md", "ü?#%.md"],
    ["x/../y.txt", "/project", "file:///project/y.txt", "y.txt"],
    ["C:\\a\\b c", undefined, "file:///C:/a/b%20c", "b c"],
  ])("attachments[].path: %s is a resource_link with an absolute file:// URI", (path, cwd, uri, name) => {
    expect(link(path, {}, cwd)).toEqual({ type: "resource_link", uri, name });
  });

  it("attachments[].path: a relative one without a folder is refused", () => {
    expect(() => link("a.txt")).toThrow(RangeError);
    expect(link("/half\ud800")).toMatchObject({ uri: "file:///half%EF%BF%BD" });
  });

  it("attachments[].mime: mimeType", () => {
    expect(link("/a", { mime: "text/plain" })).toMatchObject({ mimeType: "text/plain" });
  });

  it("attachments[].filename: metadata of the block", () => {
    expect(link("/a", { filename: "nice.txt" })).toMatchObject({
      name: "nice.txt",
      _meta: { "sandboxagent.dev": { filename: "nice.txt" } },
    });
  });
});

describe("PermissionReplyRequest", () => {
  const all = { once: "allow_once", always: "allow_always", no: "reject_once", never: "reject_always" };
  const asking = (...ids: (keyof typeof all)[]) => ({
    id: 7,
    method: "session/request_permission",
    params: { sessionId: "s", options: ids.map((optionId) => ({ optionId, name: optionId, kind: all[optionId] })) },
  });
  const chosen = (optionId: string) => ({ outcome: { outcome: "selected", optionId } });

  it.each<[PermissionReply, string]>([
    ["once", "once"],
    ["always", "always"],
    ["reject", "no"],
  ])("%s: the option of that kind", (reply, optionId) => {
    const answer = permissionResponse(asking("never", "no", "always", "once"), reply);
    expect(answer).toEqual({ jsonrpc: "2.0", id: 7, result: chosen(optionId) });
  });

  it("always: without such an option the closest that allows, and that is recorded", () => {
    const { result } = permissionResponse(asking("once", "no"), "always");
    const _meta = { "sandboxagent.dev": { requestedReply: "always", selectedKind: "allow_once" } };
    expect(result).toEqual({ ...chosen("once"), _meta });
  });

  it("reject: for ever where there is nothing else", () => {
    expect(permissionResponse(asking("once", "never"), "reject").result).toMatchObject(chosen("never"));
  });

  it("once: never for ever; without such an option nothing is allowed", () => {
    expect(permissionResponse(asking("always", "no"), "once").result).toMatchObject({ outcome: { outcome: "cancelled" } });
  });

  it("goes by the option's id when its kind says nothing", () => {
    const options = ["deny", "approve_for_session", "approve"].map((optionId) => ({ optionId, name: "", kind: "custom" }));
    const ask = { id: 1, params: { options } };
    expect(permissionResponse(ask, "once").result).toEqual(chosen("approve"));
    expect(permissionResponse(ask, "always").result).toEqual(chosen("approve_for_session"));
    expect(permissionResponse(ask, "reject").result).toEqual(chosen("deny"));
  });

  it("answers an event too, and the transcript understands it", () => {
    const log = new Log().agent(asking("always", "once"));
    const event = the(log.transcript(), "permission.requested");
    log.client(permissionResponse(event, "always"));
    expect(the(log.transcript(), "permission.resolved").data.status).toBe("approved_always");
  });
});

describe("QuestionReplyRequest", () => {
  const extension = { id: "q", method: "_sandboxagent/session/request_question", params: {} };
  const form = (properties: object) => ({ id: 3, method: "elicitation/create", params: { requestedSchema: { properties } } });

  it("answers: those of the extension keep the shape of several choices in the metadata", () => {
    expect(questionResponse(extension, [["a", "b"], ["c"]]).result).toEqual({
      outcome: "answered",
      _meta: { "sandboxagent.dev": { answers: [["a", "b"], ["c"]] } },
    });
  });

  it("answers: those of a form are its properties, by their types", () => {
    const properties = {
      colours: { type: "array", items: { anyOf: [{ const: "r", title: "Red" }] } },
      size: { type: "string", oneOf: [{ const: "l", title: "Large" }] },
      name: { type: "string" },
      count: { type: "integer" },
      sure: { type: "boolean" },
      left: { type: "number" },
    };
    const { result } = questionResponse(form(properties), [["Red", "other"], "Large", "Ann", "3", "yes"]);
    expect(result).toMatchObject({ action: "accept" });
    expect(result["content"]).toEqual({ colours: ["r", "other"], size: "l", name: "Ann", count: 3, sure: true });
  });

  it("reject: the extension's outcome is rejected, a form is declined", () => {
    expect(questionRejection(extension)).toEqual({ jsonrpc: "2.0", id: "q", result: { outcome: "rejected" } });
    expect(questionRejection(form({})).result).toEqual({ action: "decline" });
  });

  it.each([
    [extension, "answered"],
    [form({ x: { type: "string" } }), "answered"],
  ])("the transcript understands both answers to $method", (asked, status) => {
    const events = (answer: unknown) => new Log().agent(asked).client(answer).transcript();
    expect(the(events(questionResponse(asked, ["a"])), "question.resolved").data.status).toBe(status);
    expect(the(events(questionRejection(asked)), "question.resolved").data.status).toBe("rejected");
  });
});

it("Ending a session: what runs is cancelled, and the session closed where that is offered", () => {
  expect(terminateMessages("s", { canClose: true }).map(({ method }) => method)).toEqual(["session/cancel", "session/close"]);
  expect(terminateMessages("s", { canClose: false }).map(({ method }) => method)).toEqual(["session/cancel"]);
});
