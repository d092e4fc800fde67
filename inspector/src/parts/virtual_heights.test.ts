import fc from "fast-check";
import { expect, test } from "vitest";
import { anchorAt, Heights, scrollTopFor } from "./virtual_heights.js";

const estimate = 100;
const names = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`);

function column(keys: readonly string[], known: readonly number[] = [], heights = new Heights(estimate)): Heights {
  heights.update(keys.length, (index) => keys[index] as string, known);
  return heights;
}

test("blocks count with the estimate until they are measured", () => {
  const heights = column(names(3));
  expect(heights.total).toBe(300);
  expect(heights.measure(1, 40)).toBe(true);
  expect(heights.measure(1, 40)).toBe(false);
  expect([0, 1, 2, 3].map((index) => heights.offset(index))).toEqual([0, 100, 140, 240]);
  expect([-5, 0, 99, 100, 139, 140, 239, 240, 9999].map((at) => heights.indexAt(at))).toEqual([0, 0, 0, 1, 1, 2, 2, 2, 2]);
});

test("an empty column has no blocks", () => {
  const heights = column([]);
  expect(heights.total).toBe(0);
  expect(heights.range(0, 500)).toEqual({ first: 0, end: 0 });
  expect(anchorAt(heights, 0)).toBeUndefined();
});

test("heights stay with their keys when blocks come before them or go", () => {
  const heights = column(["a", "b", "c"]);
  heights.measure(1, 10);
  column(["x", "a", "b", "c"], [], heights);
  expect(heights.height(2)).toBe(10);
  column(["b"], [], heights);
  expect(heights.total).toBe(10);
});

test("sums are those of adding up, whatever is measured, added or put before", () => {
  const change = fc.oneof(
    fc.record({ what: fc.constant("measure" as const), at: fc.nat(300), height: fc.integer({ min: 0, max: 2000 }) }),
    fc.record({ what: fc.constant("append" as const), count: fc.nat(40) }),
    fc.record({ what: fc.constant("prepend" as const), count: fc.nat(10) }),
    fc.record({ what: fc.constant("remove" as const), at: fc.nat(300) }),
  );
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), fc.nat(40_000), (changes, distance) => {
      const known = new Map<string, number>();
      const heights = new Heights(estimate);
      let keys: string[] = [];
      let fresh = 0;
      const some = (count: number) => Array.from({ length: count }, () => `k${fresh++}`);
      for (const step of changes) {
        if (step.what === "append") keys = [...keys, ...some(step.count)];
        if (step.what === "prepend") keys = [...some(step.count), ...keys];
        if (step.what === "remove") keys = keys.filter((_, index) => index !== step.at);
        column(keys, [], heights);
        if (step.what !== "measure" || step.at >= keys.length) continue;
        heights.measure(step.at, step.height);
        known.set(keys[step.at] as string, step.height);
      }
      let sum = 0;
      let found = -1;
      for (const [index, key] of keys.entries()) {
        expect(heights.offset(index)).toBe(sum);
        sum += known.get(key) ?? estimate;
        if (found === -1 && sum > distance) found = index;
      }
      expect(heights.total).toBe(sum);
      expect(heights.indexAt(distance)).toBe(found === -1 ? Math.max(0, keys.length - 1) : found);
    }),
    { numRuns: 300 },
  );
});

test("what the reader sees stays when blocks above change or come", () => {
  const heights = column(names(50));
  const anchor = anchorAt(heights, 1234);
  expect(anchor).toEqual({ key: "k12", index: 12, above: 34 });
  heights.measure(3, 300);
  heights.measure(20, 999);
  expect(scrollTopFor(heights, anchor as NonNullable<typeof anchor>)).toBe(1434);
  column(["new", ...names(50)], [], heights);
  expect(scrollTopFor(heights, anchor as NonNullable<typeof anchor>)).toBe(1534);
  column(["other"], [], heights);
  expect(scrollTopFor(heights, anchor as NonNullable<typeof anchor>)).toBeUndefined();
});

test("a block exchanged at a place one looks at is noticed", () => {
  const heights = column(names(10));
  const keys = names(10).with(5, "other");
  column(keys, [5], heights);
  expect(heights.keyAt(5)).toBe("other");
});

test("a frame of a hundred thousand blocks costs less than a millisecond", () => {
  const keys = names(101_000);
  const heights = new Heights(estimate);
  const keyOf = (index: number) => keys[index] as string;
  heights.update(100_000, keyOf);
  const start = performance.now();
  for (let frame = 1; frame <= 1000; ++frame) {
    heights.update(100_000 + frame, keyOf, [500, 501]);
    for (let at = 0; at < 20; ++at) heights.measure(frame * 80 + at, 50 + at);
    const anchor = anchorAt(heights, 5_000_000);
    heights.range(scrollTopFor(heights, anchor as NonNullable<typeof anchor>) as number, 5_001_000);
  }
  expect((performance.now() - start) / 1000).toBeLessThan(1);
});
