import { expect, test } from "vitest";
import { tarEnd, tarHead, tarPadding } from "./file_tar.js";

const text = (bytes: Uint8Array, at: number, length: number) =>
  new TextDecoder().decode(bytes.subarray(at, at + length)).replace(/\0.*$/s, "");

function sumIsTrue(head: Uint8Array): boolean {
  const blank = head.slice();
  blank.fill(32, 148, 156);
  return Number.parseInt(text(head, 148, 6), 8) === blank.reduce((sum, byte) => sum + byte, 0);
}

test("a short name fits into one header, with size, time, kind and a true sum", () => {
  const head = tarHead({ path: "a/b.txt", size: 1234, modified: 1_700_000_000_000 });
  expect(head.length).toBe(512);
  expect([text(head, 0, 100), text(head, 100, 8), text(head, 156, 1), text(head, 257, 6)]).toEqual([
    "a/b.txt",
    "0000644",
    "0",
    "ustar",
  ]);
  expect([Number.parseInt(text(head, 124, 11), 8), Number.parseInt(text(head, 136, 11), 8)]).toEqual([1234, 1_700_000_000]);
  expect(sumIsTrue(head)).toBe(true);
});

test("a folder ends in a slash and has no content", () => {
  const head = tarHead({ path: "a", modified: 0 });
  expect([text(head, 0, 100), text(head, 156, 1), text(head, 124, 11)]).toEqual(["a/", "5", "00000000000"]);
});

test.each(["ä".repeat(3), "x".repeat(101), `${"d/".repeat(200)}f`])("a name such as %s comes before, whole", (path) => {
  const head = tarHead({ path, size: 1, modified: 0 });
  expect(head.length).toBe(3 * 512);
  expect(text(head, 156, 1)).toBe("x");
  const length = Number.parseInt(text(head, 124, 11), 8);
  const record = text(head, 512, length);
  expect(record).toBe(`${length} path=${path}\n`);
  expect(sumIsTrue(head.subarray(0, 512)) && sumIsTrue(head.subarray(1024))).toBe(true);
});

test("more than eight gibibytes are said in words", () => {
  const head = tarHead({ path: "big", size: 8 ** 11, modified: 0 });
  expect(text(head, 512, 100)).toBe("19 size=8589934592\n");
});

test("content is filled up to whole blocks, and two empty ones are the end", () => {
  expect([0, 1, 511, 512, 513].map((size) => tarPadding(size).length)).toEqual([0, 511, 1, 0, 511]);
  expect(tarEnd()).toEqual(new Uint8Array(1024));
});
