import { describe, expect, it } from "vitest";
import { SessionFilter } from "./session_filter.js";

const update = { method: "session/update", params: { sessionId: "a" } };

describe("whose a message is", () => {
  it("says the session an update names", () => {
    expect(new SessionFilter().ownerOf("agent", update)).toEqual({ sessionId: "a" });
  });

  it("gives an answer to the session whose client asked, once", () => {
    const filter = new SessionFilter();
    filter.ownerOf("client", { id: 1, method: "session/prompt", params: { sessionId: "a" } });
    expect(filter.ownerOf("agent", { id: 1, result: {} })).toEqual({ sessionId: "a" });
    expect(filter.ownerOf("agent", { id: 1, result: {} })).toBeUndefined();
  });

  it("counts the ids of both sides apart, and numbers and strings too", () => {
    const filter = new SessionFilter();
    filter.ownerOf("client", { id: 1, method: "session/prompt", params: { sessionId: "a" } });
    filter.ownerOf("client", { id: "1", method: "session/prompt", params: { sessionId: "b" } });
    filter.ownerOf("agent", { id: 1, method: "session/request_permission", params: { sessionId: "c" } });
    expect(filter.ownerOf("client", { id: 1, result: {} })).toEqual({ sessionId: "c" });
    expect(filter.ownerOf("agent", { id: "1", error: {} })).toEqual({ sessionId: "b" });
    expect(filter.ownerOf("agent", { id: 1, result: {} })).toEqual({ sessionId: "a" });
  });

  it("ties the answer that names a new session to the request that made it", () => {
    const filter = new SessionFilter();
    expect(filter.ownerOf("client", { id: 7, method: "session/new", params: { cwd: "/" } })).toEqual({ opener: "7" });
    expect(filter.ownerOf("agent", { id: 7, result: { sessionId: "n" } })).toEqual({ sessionId: "n", opener: "7" });
    filter.ownerOf("client", { id: 8, method: "session/new", params: { cwd: "/" } });
    expect(filter.ownerOf("agent", { id: 8, error: {} })).toEqual({ opener: "8" });
  });

  it("gives a fork to the new session, not to the one it was made of", () => {
    const filter = new SessionFilter();
    expect(filter.ownerOf("client", { id: 7, method: "session/fork", params: { sessionId: "a" } })).toEqual({ opener: "7" });
    expect(filter.ownerOf("agent", { id: 7, result: { sessionId: "n" } })).toMatchObject({ sessionId: "n" });
  });

  it("knows whose request is withdrawn", () => {
    const filter = new SessionFilter();
    filter.ownerOf("agent", { id: 3, method: "session/request_permission", params: { sessionId: "a" } });
    expect(filter.ownerOf("agent", { method: "$/cancel_request", params: { requestId: 3 } })).toEqual({ sessionId: "a" });
    filter.ownerOf("client", { id: 3, method: "session/prompt", params: { sessionId: "b" } });
    expect(filter.ownerOf("client", { method: "$/cancel_request", params: { requestId: 3 } })).toEqual({ sessionId: "b" });
  });

  it("gives what the agent says about its process to all, and what a client asks of it to nobody", () => {
    const filter = new SessionFilter();
    expect(filter.ownerOf("agent", { method: "_adapter/agent_exited", params: {} })).toBe("all");
    expect(filter.ownerOf("client", { id: 0, method: "initialize", params: {} })).toBeUndefined();
    expect(filter.ownerOf("agent", { id: 0, result: {} })).toBeUndefined();
  });

  it.each([null, 5, "text", [], { params: null }, { method: "x", params: null }, { id: 1, method: "session/new", params: 3 }])(
    "takes %j as it comes",
    (message) => {
      expect(() => new SessionFilter().ownerOf("agent", message)).not.toThrow();
      expect(() => new SessionFilter().ownerOf("client", message)).not.toThrow();
    },
  );

  it("forgets the oldest of very many requests that nobody answers", () => {
    const filter = new SessionFilter();
    const ask = (id: number) => filter.ownerOf("agent", { id, method: "fs/read_text_file", params: { sessionId: "a" } });
    for (let id = 0; id < 5_000; ++id) ask(id);
    expect(filter.ownerOf("client", { id: 0, result: {} })).toBeUndefined();
    expect(filter.ownerOf("client", { id: 4_999, result: {} })).toEqual({ sessionId: "a" });
  });
});
