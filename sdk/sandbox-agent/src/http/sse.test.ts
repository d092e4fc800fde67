import { describe, expect, it } from "vitest";
import { serverSentEvents } from "./sse.js";

async function eventsOf(...pieces: (string | Uint8Array)[]) {
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(typeof piece === "string" ? encoder.encode(piece) : piece);
      controller.close();
    },
  });
  const events = [];
  for await (const event of serverSentEvents(stream)) events.push(event);
  return events;
}

describe("server-sent events", () => {
  it("are read wherever the pieces were cut", async () => {
    const text = ': hello\n\nevent: progress\r\ndata: {"ü":1}\r\n\r\ndata: a\rdata:b\rid: 7\r\rdata\n\n';
    const bytes = new TextEncoder().encode(text);
    const expected = [
      { event: "progress", data: '{"ü":1}' },
      { event: "message", data: "a\nb" },
      { event: "message", data: "" },
    ];
    expect(await eventsOf(bytes)).toEqual(expected);
    expect(await eventsOf(...[...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
  });

  it("that are unfinished or without data are dropped", async () => {
    expect(await eventsOf("event: done\n\ndata: 1\n\ndata: 2\n")).toEqual([{ event: "message", data: "1" }]);
  });

  it("are no longer asked for when the reader leaves", async () => {
    let cancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode("data: 1\n\n")),
      cancel: () => void (cancelled = true),
    });
    for await (const event of serverSentEvents(stream)) if (event.data === "1") break;
    expect(cancelled).toBe(true);
  });
});
