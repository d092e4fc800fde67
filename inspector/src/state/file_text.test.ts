import { expect, test } from "vitest";
import { bytesOf, hexRows, languageOf, pictureKind, textIn } from "./file_text.js";

const bytes = (text: string) => new TextEncoder().encode(text);

test.each(["a\nb\n", "a\r\nb\r\n", "a\rb", "\ufeffa\r\nb", "", "no end"])(
  "%j is the same after it was read and written",
  (text) => {
    expect(bytesOf(textIn(bytes(text))!)).toEqual(bytes(text));
  },
);

test("line ends are one kind for the reader, and mixed ones are said to be", () => {
  expect(textIn(bytes("a\r\nb\nc\r"))).toEqual({ text: "a\nb\nc\n", ends: "mixed", hasMark: false });
  expect(textIn(bytes("a\r\nb"))?.ends).toBe("CRLF");
});

test("bytes that are no text are none, unless only the last character is cut", () => {
  expect(textIn(new Uint8Array([0xff, 0x41]))).toBeUndefined();
  expect(textIn(new Uint8Array([0x41, 0]))).toBeUndefined();
  expect(textIn(new Uint8Array([0x41, 0xc3]))).toBeUndefined();
  expect(textIn(new Uint8Array([0x41, 0xc3]), true)?.text).toBe("A");
});

test("pictures are known by how they begin", () => {
  expect(pictureKind(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]))).toBe("image/png");
  expect(pictureKind(new Uint8Array([0xff, 0xd8, 0xff, 0xe0]))).toBe("image/jpeg");
  expect(pictureKind(bytes("RIFF1234WEBPVP8 "))).toBe("image/webp");
  expect(pictureKind(bytes("hello"))).toBeUndefined();
});

test("bytes are shown sixteen in a row, what cannot be printed as a dot", () => {
  const rows = hexRows(new Uint8Array([...bytes("0123456789abcdef"), 0, 255]));
  expect(rows).toEqual([
    { offset: "00000000", hex: "30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66", text: "0123456789abcdef" },
    { offset: "00000010", hex: "00 ff", text: "··" },
  ]);
});

test("the end of a name says its language", () => {
  expect(["a.ts", "b.yml", "Makefile", ".bashrc", "x.tar.GO"].map(languageOf)).toEqual([
    "typescript",
    "yaml",
    "",
    "bash",
    "go",
  ]);
});
