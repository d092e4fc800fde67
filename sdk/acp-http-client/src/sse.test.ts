import { describe, expect, test } from "vitest";
import { SseParser } from "./sse.js";

function parse(...pieces: string[]) {
  const parser = new SseParser();
  return pieces.flatMap((piece) => [...parser.feed(piece)]);
}

const both = [
  { event: "a", id: "1", data: "x\ny" },
  { event: "message", id: "2", data: "z" },
];

describe("a line ends with CR, LF or both", () => {
  const text = "event: a\nid: 1\ndata: x\ndata: y\n\nid: 2\ndata: z\n\n";
  test.each([
    ["LF", "\n"],
    ["CR", "\r"],
    ["CRLF", "\r\n"],
  ])("%s, wherever the pieces are cut", (_name, end) => {
    const stream = text.replaceAll("\n", end) + (end === "\r" ? ":" : "");
    for (let cut = 0; cut <= stream.length; ++cut) expect(parse(stream.slice(0, cut), stream.slice(cut))).toEqual(both);
    expect(parse(...stream)).toEqual(both);
  });
});

test("a byte order mark at the very beginning is dropped, once", () => {
  expect(parse("\uFEFFdata: 1\n\n")).toEqual([{ event: "message", id: "", data: "1" }]);
  expect(parse("\uFEFF", "data: 1\n\n")).toHaveLength(1);
  expect(parse("\uFEFF\uFEFFdata: 1\n\n")).toEqual([]);
});

test("one space after the colon belongs to it, further ones to the value; a line without a colon is a field without a value", () => {
  expect(parse("data:a\n\n", "data:  b\n\n", "data\n\n", "data: a:b\n\n").map(({ data }) => data)).toEqual([
    "a",
    " b",
    "",
    "a:b",
  ]);
});

test("comments, unknown fields and events without data say nothing", () => {
  expect(parse(": heartbeat\n\n", "retry: 5\n\n", "event: x\nid: 3\n\n", "Data: 1\n\n")).toEqual([]);
});

test("an id lasts until the next one; one with a NUL is ignored; an empty one counts", () => {
  const events = parse("id: 7\ndata: 1\n\ndata: 2\n\nid: 8\0\ndata: 3\n\nid\ndata: 4\n\n");
  expect(events.map(({ id }) => id)).toEqual(["7", "7", "7", ""]);
});

test("the event name does not last", () => {
  expect(parse("event: gap\ndata: 1\n\ndata: 2\n\n").map(({ event }) => event)).toEqual(["gap", "message"]);
});

test("an event that has not ended is not given out", () => {
  expect(parse("data: 1\n")).toEqual([]);
});

test("a line of 64 MB in pieces of 64 KB takes time linear in its length", () => {
  const piece = "x".repeat(64 * 1024);
  const time = (pieces: number) => {
    const parser = new SseParser();
    const begun = performance.now();
    expect([...parser.feed("data: ")]).toEqual([]);
    for (let i = 0; i < pieces; ++i) for (const event of parser.feed(piece)) expect(event).toBeUndefined();
    const [event] = [...parser.feed("\n\n")];
    expect(event?.data.length).toBe(pieces * piece.length);
    return performance.now() - begun;
  };
  time(16);
  expect(time(1024)).toBeLessThan(3_000);
});
