// Each face of an error, as a user of a real daemon meets it.
import { createServer } from "node:net";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../tests/contract/free_port.mjs";
import { AuthError, SandboxAgentError, TimeoutError } from "../src/errors.js";
import { Files } from "../src/files.js";
import { Caller } from "../src/http/caller.js";
import { failureOf, startDaemon } from "./http_daemon.js";
import { quickest } from "./waiting.js";

let daemon: Awaited<ReturnType<typeof startDaemon>>;

beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

async function timed(call: () => Promise<unknown>): Promise<{ failure: SandboxAgentError; ms: number }> {
  const begun = performance.now();
  const failure = await failureOf(call());
  return { failure: failure as SandboxAgentError, ms: performance.now() - begun };
}

describe("a daemon that is down", () => {
  it("is reported within two seconds, with its address and what to do", async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    const caller = new Caller({ baseUrl, token: "very-secret" });
    const upload = () => new Files(caller).writeFile("x", new Blob(["x"]).stream());
    for (const call of [() => caller.json("get", "/v1/health"), upload]) {
      const { failure, ms } = await quickest(2000, () => timed(call));
      expect(ms).toBeLessThan(2000);
      expect(failure).toBeInstanceOf(SandboxAgentError);
      expect(failure).toMatchObject({ code: "unreachable", message: `No daemon answers at ${baseUrl}.` });
      expect(failure.hint).toContain("sandbox-agent server");
      expect(failure.cause).toBeInstanceOf(TypeError);
      expect(`${failure.message} ${failure.hint} ${failure.stack}`).not.toContain("very-secret");
    }
  });

  it("lets go of a stream it was to send", async () => {
    const files = new Files(new Caller({ baseUrl: `http://127.0.0.1:${await freePort()}` }));
    let cancelled = false;
    const content = new ReadableStream<Uint8Array>({ cancel: () => void (cancelled = true) });
    await timed(() => files.writeFile("x", content));
    expect(cancelled).toBe(true);
  });

  it("is reported for a host that does not exist", async () => {
    const { failure } = await timed(() => new Caller({ baseUrl: "http://nowhere.invalid" }).json("get", "/v1/health"));
    expect(failure.code).toBe("unreachable");
  });

  it("is a timeout when somebody listens and says nothing", async () => {
    const mute = createServer();
    await once(mute.listen(0, "127.0.0.1"), "listening");
    const baseUrl = `http://127.0.0.1:${(mute.address() as AddressInfo).port}`;
    const { failure } = await timed(() => new Caller({ baseUrl, timeoutMs: 50 }).json("get", "/v1/health"));
    expect(failure).toBeInstanceOf(TimeoutError);
    expect(failure).toMatchObject({ code: "timeout", hint: expect.any(String) });
    mute.close();
  });
});

describe("a wrong token", () => {
  it.each([
    ["token_invalid", "wrong-secret"],
    ["token_missing", undefined],
  ])("is reported within a second: %s", async (code, token) => {
    const caller = daemon.caller({ token });
    const { failure, ms } = await quickest(1000, () => timed(() => caller.json("get", "/v1/health")));
    expect(ms).toBeLessThan(1000);
    expect(failure).toBeInstanceOf(AuthError);
    expect(failure).toMatchObject({ code, status: 401 });
    expect(failure.hint).toContain("token");
    expect(JSON.stringify(failure) + failure.message).not.toContain("wrong-secret");
  });

  it("is reported for a long upload too, whose rest the daemon does not want", async () => {
    let sent = 0;
    const long = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(1 << 16));
        sent += 1 << 16;
        if (sent >= 64 << 20) controller.close();
      },
    });
    const { failure } = await timed(() => new Files(daemon.caller({ token: "wrong" })).writeFile("long", long));
    expect(failure).toMatchObject({ name: "AuthError", code: "token_invalid" });
  });
});

describe("other answers", () => {
  it("to a page of another origin are refused as forbidden", async () => {
    const stranger = daemon.caller({ headers: { origin: "https://evil.example" } });
    const { failure } = await timed(() => stranger.json("get", "/v1/health"));
    expect(failure).toMatchObject({ name: "SandboxAgentError", code: "forbidden", status: 403, hint: expect.any(String) });
  });

  it("of a daemon behind a wrong base path are not found", async () => {
    const { failure } = await timed(() => daemon.caller({ baseUrl: `${daemon.baseUrl}/wrong/` }).json("get", "/v1/health"));
    expect(failure).toMatchObject({ code: "not_found", status: 404 });
  });
});
