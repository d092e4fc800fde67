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

const { signal } = new AbortController();

describe("a stream to send", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("stays a stream where fetch can send one", async () => {
    const body = await sendable(bytes("a", "b"), signal);
    expect(body).toBeInstanceOf(ReadableStream);
    expect(await new Response(body).text()).toBe("ab");
  });

  it("is collected where fetch cannot", async () => {
    vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
    const body = await sendable(bytes("a", "b"), signal);
    expect(body).toBeInstanceOf(Blob);
    expect(await new Response(body).text()).toBe("ab");
  });

  it("that fails says why in both cases", async () => {
    const message = expect.stringContaining("the disk is on fire");
    const why = { code: "content_unreadable", message, hint: expect.any(String) };
    await expect(new Response(await sendable(broken(), signal)).text()).rejects.toMatchObject(why);
    vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
    await expect(sendable(broken(), signal)).rejects.toMatchObject(why);
  });

  it("is broken off and let go when nobody wants it, also while it is collected", async () => {
    const isOver = new AbortController();
    let cancelled = 0;
    const endless = () =>
      new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            await new Promise((resolve) => setTimeout(resolve, 1));
            controller.enqueue(new Uint8Array(9));
          },
          cancel: () => void ++cancelled,
        },
        { highWaterMark: 0 },
      );
    const sent = new Response(await sendable(endless(), isOver.signal)).text();
    vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
    const collected = sendable(endless(), isOver.signal);
    setTimeout(() => isOver.abort(), 20);
    await expect(sent).rejects.toThrow("aborted");
    await expect(collected).rejects.toThrow();
    await expect(sendable(endless(), isOver.signal)).rejects.toThrow(); // as it was before
    expect(cancelled).toBe(3);
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
