import { describe, expect, it } from "vitest";
import * as errors from "./errors.js";
import { fromProblem, SandboxAgentError, toSandboxAgentError } from "./errors.js";

const problem = (code: string, status: number, more = {}) => ({
  type: `urn:sandbox-agent:error:${code}`,
  title: "A title",
  status,
  detail: "A sentence that says what to do.",
  ...more,
});

describe("a problem of the daemon", () => {
  it.each([
    ["token_missing", 401, errors.AuthError],
    ["token_invalid", 401, errors.AuthError],
    ["forbidden", 403, SandboxAgentError],
    ["unsupported_agent", 400, errors.AgentNotFoundError],
    ["install_failed", 500, errors.InstallError],
    ["agent_not_installed", 404, errors.InstallError],
    ["agent_process_exited", 502, errors.AgentExitedError],
    ["timeout", 504, errors.TimeoutError],
    ["request_timeout", 408, errors.TimeoutError],
    ["precondition_failed", 412, SandboxAgentError],
    ["overloaded", 503, SandboxAgentError],
    ["a_code_of_tomorrow", 418, SandboxAgentError],
  ])("%s becomes the class for it, with its code, status and words", (code, status, Class) => {
    const body = problem(code, status);
    const error = fromProblem(status, body);
    expect(error.constructor).toBe(Class);
    expect(error).toMatchObject({ code, status, problem: body, message: body.detail });
  });

  it("about an agent that is not there names the nearest ones", () => {
    const error = fromProblem(404, problem("not_found", 404, { resource: "agent", suggestions: ["claude", "codex"] }));
    expect(error).toBeInstanceOf(errors.AgentNotFoundError);
    expect(error).toMatchObject({ code: "not_found", suggestions: ["claude", "codex"] });
    expect(error.hint).toContain('"claude"');
    expect(fromProblem(404, problem("not_found", 404, { resource: "file" })).constructor).toBe(SandboxAgentError);
  });

  it("about an agent that ended tells how, and its last words", () => {
    const error = fromProblem(502, problem("agent_process_exited", 502, { exitCode: 3, stderr: "no key\n" }));
    expect(error).toMatchObject({ exitCode: 3, stderr: "no key\n" });
    expect("signal" in error).toBe(false);
    expect(fromProblem(502, problem("agent_process_exited", 502, { signal: "SIGKILL" }))).toMatchObject({ signal: "SIGKILL" });
    expect(fromProblem(500, problem("install_failed", 500, { stderr: "404" }))).toMatchObject({ stderr: "404" });
  });

  it.each([undefined, "<html>Bad gateway</html>", [], { type: "about:blank", detail: "x" }, { detail: "x" }, null])(
    "that is none is an answer of somebody else: %j",
    (body) => {
      expect(fromProblem(502, body)).toMatchObject({ code: "bad_answer", status: 502, hint: expect.any(String) });
      expect(fromProblem(401, body)).toBeInstanceOf(errors.AuthError);
    },
  );
});

describe("what fetch throws", () => {
  const url = "http://127.0.0.1:2468/base";

  it("says that no daemon answers, where, and how to start one", () => {
    const cause = new TypeError("fetch failed");
    const error = toSandboxAgentError(cause, { url });
    expect(error).toMatchObject({ code: "unreachable", cause, message: "No daemon answers at http://127.0.0.1:2468/base." });
    expect(error.hint).toContain("sandbox-agent server");
    expect(toSandboxAgentError(Object.assign(new Error("x"), { code: "ECONNREFUSED" }), { url }).code).toBe("unreachable");
  });

  it("is a timeout when fetch itself would wait no longer for an answer", () => {
    const cause = new TypeError("fetch failed", { cause: { code: "UND_ERR_HEADERS_TIMEOUT" } });
    const error = toSandboxAgentError(cause, { url });
    expect(error).toBeInstanceOf(errors.TimeoutError);
    expect(error).toMatchObject({ code: "timeout", hint: "Try again, or allow more time.", cause });
  });

  it("is a lost connection once an answer had begun", () => {
    expect(toSandboxAgentError(new TypeError("terminated"), { url, answered: true }).code).toBe("connection_lost");
  });

  it("is a cancellation or a timeout when a signal was the reason", () => {
    const aborted = AbortSignal.abort();
    expect(toSandboxAgentError(aborted.reason)).toBeInstanceOf(errors.CancelledError);
    const own = AbortSignal.abort("enough");
    expect(toSandboxAgentError("enough", { signal: own })).toBeInstanceOf(errors.CancelledError);
    expect(toSandboxAgentError("enough")).toMatchObject({ code: "unexpected", message: "enough" });
    expect(toSandboxAgentError(new DOMException("late", "TimeoutError"))).toBeInstanceOf(errors.TimeoutError);
  });
});

describe("errors of the transport", () => {
  const transport = (fields: object) => Object.assign(new Error("The transport's words."), { name: "AcpHttpError" }, fields);

  it("with a problem become what the problem says", () => {
    const body = problem("unsupported_agent", 400, { suggestions: ["pi"] });
    const cause = transport({ code: "unsupported_agent", status: 400, problem: body });
    const error = toSandboxAgentError(cause);
    expect(error).toBeInstanceOf(errors.AgentNotFoundError);
    expect(error).toMatchObject({ suggestions: ["pi"], status: 400, cause });
  });

  it("without one keep code and words, and get a hint", () => {
    for (const code of ["connection_lost", "answer_lost", "instance_replaced", "unreachable"]) {
      const error = toSandboxAgentError(transport({ code }));
      expect(error).toMatchObject({ code, message: "The transport's words.", hint: expect.any(String) });
    }
    expect(toSandboxAgentError(transport({ code: "agent_process_exited" }))).toBeInstanceOf(errors.AgentExitedError);
    expect(toSandboxAgentError(transport({ code: "http_error", status: 401 }))).toBeInstanceOf(errors.AuthError);
  });
});

describe("errors of the agent", () => {
  const refusal = (code: number, data?: unknown) =>
    Object.assign(new Error("Internal error"), { name: "RequestError", code, data });

  it("carry its words and data", () => {
    expect(toSandboxAgentError(refusal(-32603, { details: "no such model" }))).toMatchObject({
      code: "agent_error",
      message: "Internal error: no such model",
      data: { details: "no such model" },
      hint: expect.any(String),
    });
    expect(toSandboxAgentError(refusal(-32602, "why")).message).toBe("Internal error: why");
    expect(toSandboxAgentError(refusal(-32602)).message).toBe("Internal error");
  });

  it("that demand signing in are AuthErrors", () => {
    expect(toSandboxAgentError(refusal(-32000))).toMatchObject({ name: "AuthError", code: "agent_auth_required" });
    expect(toSandboxAgentError(refusal(-32800))).toBeInstanceOf(errors.CancelledError);
  });
});

describe("every error", () => {
  it("stays what it is in the funnel", () => {
    const error = new errors.NotConnectedError();
    expect(toSandboxAgentError(error)).toBe(error);
    expect(toSandboxAgentError(Object.assign(new TypeError("fetch failed"), { cause: error }))).toBe(error);
  });

  it("is made with few words, and has a name, a code and a hint", () => {
    const made = [
      new errors.NotConnectedError(),
      new errors.AlreadyConnectedError(),
      new errors.AuthError("x", { code: "agent_auth_required" }),
      new errors.AgentNotFoundError("x"),
      new errors.InstallError("x"),
      new errors.AgentExitedError(undefined, { exitCode: 1, signal: undefined }),
      new errors.TimeoutError(),
      new errors.CancelledError(),
      new SandboxAgentError("x"),
    ];
    for (const error of made) {
      expect(error).toBeInstanceOf(SandboxAgentError);
      expect(error).toBeInstanceOf(Error);
      expect(error.name).toBe(error.constructor.name);
      expect(error.stack).toContain(error.name);
      expect(error.hint, error.name).toBeTruthy();
      expect(error.code).toMatch(/^[a-z_]+$/);
      expect("status" in error).toBe(false);
    }
  });

  it("takes anything as a cause", () => {
    for (const cause of [undefined, null, 5, "text", {}, new Error("")]) {
      expect(toSandboxAgentError(cause)).toMatchObject({ code: "unexpected", cause });
    }
  });

  it("has no transport in its name", () => {
    expect(Object.keys(errors).filter((name) => /acp/i.test(name))).toEqual([]);
  });
});
