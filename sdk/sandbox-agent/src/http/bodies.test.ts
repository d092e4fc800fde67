import { afterEach, describe, expect, it, vi } from "vitest";
import { readable, sendable } from "./bodies.js";

const bytes = (...pieces: string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
const broken = () =>
  new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("the disk is on fire")) });

describe("a stream to send", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("stays a stream where fetch can send one", async () => {
    const body = await sendable(bytes("a", "b"));
    expect(body).toBeInstanceOf(ReadableStream);
    expect(await new Response(body).text()).toBe("ab");
  });

  it("is collected where fetch cannot", async () => {
    vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
    const body = await sendable(bytes("a", "b"));
    expect(body).toBeInstanceOf(Blob);
    expect(await new Response(body).text()).toBe("ab");
  });

  it("that fails says why in both cases", async () => {
    const message = expect.stringContaining("the disk is on fire");
    const why = { code: "content_unreadable", message, hint: expect.any(String) };
    await expect(new Response(await sendable(broken())).text()).rejects.toMatchObject(why);
    vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
    await expect(sendable(broken())).rejects.toMatchObject(why);
  });
});

describe("a body that is read", () => {
  it("is not read ahead, and is let go when its reader leaves", async () => {
    let pulled = 0;
    let cancelled = false;
    const source = new ReadableStream<Uint8Array>(
      { pull: (controller) => (pulled++, controller.enqueue(new Uint8Array(1))), cancel: () => void (cancelled = true) },
      { highWaterMark: 0 },
    );
    const reader = readable(new Response(source), {}).getReader();
    expect(pulled).toBe(0);
    await reader.read();
    expect(pulled).toBe(1);
    await reader.cancel();
    expect(cancelled).toBe(true);
  });

  it("may be none", async () => {
    expect(await new Response(readable(new Response(null), {})).text()).toBe("");
  });
});
