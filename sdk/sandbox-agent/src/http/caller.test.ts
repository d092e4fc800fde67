import { describe, expect, it } from "vitest";
import { CancelledError, SandboxAgentError, TimeoutError } from "../errors.js";
import { Caller } from "./caller.js";

/** A fetch that keeps what it was asked and answers the same every time. */
function recording(answer: () => Response | Promise<Response> = () => Response.json({ status: "ok" })) {
  const asked: Request[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    asked.push(new Request(input, init));
    return answer();
  };
  return { asked, fetch };
}

const never: typeof globalThis.fetch = (_, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
    if (init?.signal?.aborted) reject(init.signal.reason);
  });

describe("the address", () => {
  it.each([
    ["http://127.0.0.1:2468", "http://127.0.0.1:2468/v1/health"],
    ["http://127.0.0.1:2468//", "http://127.0.0.1:2468/v1/health"],
    ["https://host/sandbox/7/", "https://host/sandbox/7/v1/health"],
    ["https://host/a%20b?x=1#token=secret", "https://host/a%20b/v1/health"],
    ["http://[::1]:80", "http://[::1]/v1/health"],
  ])("%s works", async (baseUrl, expected) => {
    const { asked, fetch } = recording();
    await new Caller({ baseUrl, fetch }).json("get", "/v1/health");
    expect(asked[0]?.url).toBe(expected);
  });

  it("is shown without what may be secret", async () => {
    const fetch = () => Promise.reject(new TypeError("fetch failed"));
    const caller = new Caller({ baseUrl: "http://user:password@h/base/?token=secret#token=secret", fetch });
    const refused = { code: "unreachable", message: "No daemon answers at http://h/base." };
    await expect(caller.json("get", "/v1/health")).rejects.toMatchObject(refused);
  });

  it.each(["", "localhost:2468", "ftp://x", "nonsense"])('"%s" is refused with a hint', (baseUrl) => {
    const refusal = { code: "invalid_option", hint: expect.any(String) };
    expect(() => new Caller({ baseUrl })).toThrow(expect.objectContaining(refusal));
  });

  it("has names and queries escaped, and leaves out what is undefined", async () => {
    const { asked, fetch } = recording();
    const caller = new Caller({ baseUrl: "http://h", fetch });
    const query = { config: true, no_cache: undefined };
    await caller.json("get", "/v1/agents/{agent}", { params: { agent: "a/ü?" }, query });
    expect(asked[0]?.url).toBe("http://h/v1/agents/a%2F%C3%BC%3F?config=true");
  });
});

describe("the token", () => {
  it("travels in the header, beside other headers, and nowhere else", async () => {
    const { asked, fetch } = recording();
    await new Caller({ baseUrl: "http://h", token: "secret", headers: { "x-tenant": "7" }, fetch }).json("get", "/v1/health");
    expect(asked[0]?.headers.get("authorization")).toBe("Bearer secret");
    expect(asked[0]?.headers.get("x-tenant")).toBe("7");
    expect(asked[0]?.url).not.toContain("secret");
  });

  it("is not shown when it cannot be sent", () => {
    const make = () => new Caller({ baseUrl: "http://h", token: "sec\nret" });
    expect(make).toThrow(expect.objectContaining({ code: "invalid_option" }));
    expect(make).not.toThrow(/sec\s*ret/);
  });

  it("is not in what a caller shows of itself", () => {
    const caller = new Caller({ baseUrl: "http://h", token: "secret" });
    expect(JSON.stringify(caller)).not.toContain("secret");
  });
});

describe("a call", () => {
  it("sends JSON with its type", async () => {
    const { asked, fetch } = recording(() => new Response(null, { status: 204 }));
    const caller = new Caller({ baseUrl: "http://h", fetch });
    const query = { directory: "/d", skillName: "s" };
    expect(await caller.json("put", "/v1/config/skills", { query, json: { sources: [] } })).toBeUndefined();
    expect(asked[0]?.headers.get("content-type")).toBe("application/json");
    expect(await asked[0]?.text()).toBe('{"sources":[]}');
  });

  it("takes no page of a proxy for an answer", async () => {
    const page = (status: number) => () => new Response("<html>", { status });
    for (const status of [200, 404, 502]) {
      const caller = new Caller({ baseUrl: "http://h", ...recording(page(status)) });
      await expect(caller.json("get", "/v1/health")).rejects.toMatchObject({ code: "bad_answer", status });
    }
  });

  it("ends with a TimeoutError when its time is over, also while the body comes", async () => {
    const stalled = () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) }));
    const bound: typeof globalThis.fetch = async (_, init) => {
      const { readable, writable } = new TransformStream();
      void stalled()
        .body?.pipeTo(writable, init?.signal ? { signal: init.signal } : {})
        .catch(() => undefined);
      return new Response(readable);
    };
    for (const fetch of [never, bound]) {
      const caller = new Caller({ baseUrl: "http://h", fetch, timeoutMs: 5 });
      await expect(caller.json("get", "/v1/health")).rejects.toThrow(TimeoutError);
    }
  });

  it("ends with a CancelledError when its signal says so, whatever the reason", async () => {
    const caller = new Caller({ baseUrl: "http://h", fetch: never });
    for (const reason of [undefined, new Error("mine"), "text"]) {
      const controller = new AbortController();
      const call = caller.json("get", "/v1/health", { signal: controller.signal });
      controller.abort(reason);
      await expect(call).rejects.toThrow(CancelledError);
      await expect(caller.open("get", "/v1/health", { signal: controller.signal })).rejects.toThrow(CancelledError);
    }
  });

  it("leaves nothing on the caller's signal", async () => {
    const { fetch } = recording();
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args));
    signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove(...args));
    await new Caller({ baseUrl: "http://h", fetch }).json("get", "/v1/health", { signal });
    expect(listeners).toBe(0);
  });

  it("rejects with one of our classes when a fetch of somebody's own fails", async () => {
    const fetch = () => Promise.reject(new Error("the policy forbids it"));
    const call = new Caller({ baseUrl: "http://h", fetch }).json("get", "/v1/health");
    await expect(call).rejects.toThrow(SandboxAgentError);
    await expect(call).rejects.toThrow("the policy forbids it");
  });
});
