import fc from "fast-check";
import { expect, test } from "vitest";
import { RowSpace } from "./virtual_rows_space.js";

function space(count: number, viewport = 280, limit?: number): RowSpace {
  const made = new RowSpace(28, limit);
  made.count = count;
  made.viewport = viewport;
  return made;
}

test("a list that fits is moved as the scroller is", () => {
  const list = space(1000);
  list.scrolled(2800);
  expect(list.range(0)).toEqual({ first: 100, end: 110 });
  expect(list.range(5)).toEqual({ first: 95, end: 115 });
  expect(list.place(100)).toBe(2800);
  expect(list.moveTo(1e9)).toBe(28_000 - 280);
});

test("an empty list has no rows and no height", () => {
  const list = space(0);
  expect(list.range(8)).toEqual({ first: 0, end: 0 });
  expect(list.height).toBe(0);
  expect(list.moveTo(50)).toBe(0);
});

test("ten million rows have a room that browsers can make, and both ends are reached", () => {
  const list = space(10_000_000);
  expect(list.height).toBeLessThanOrEqual(15_000_000);
  list.scrolled(list.height - list.viewport);
  expect(list.range(0).end).toBe(10_000_000);
  expect(list.place(9_999_999) + 28).toBe(list.height);
  list.scrolled(0);
  expect(list.range(0).first).toBe(0);
});

test("a small step moves a long list by as many pixels", () => {
  const list = space(10_000_000);
  list.scrolled(7_000_000);
  const { top } = list;
  list.scrolled(7_000_100);
  expect(list.top).toBe(top + 100);
  list.scrolled(3_000_000);
  expect(list.top).toBeCloseTo((3_000_000 / (15_000_000 - 280)) * (280_000_000 - 280), 3);
});

test("a row is brought into view by the shortest way", () => {
  const list = space(1000);
  list.moveTo(2800);
  expect(list.topFor(105)).toBe(2800);
  expect(list.topFor(50)).toBe(1400);
  expect(list.topFor(110)).toBe(2828);
});

test("wherever the list is moved, the rows in view are drawn within the viewport", () => {
  fc.assert(
    fc.property(
      fc.nat(20_000),
      fc.integer({ min: 30, max: 900 }),
      fc.nat(700_000),
      fc.nat(30_000),
      (count, viewport, top, to) => {
        const list = space(count, viewport, 100_000);
        list.moveTo(top);
        list.scrolled(Math.min(to, Math.max(0, list.height - viewport)));
        const { first, end } = list.range(0);
        const shown = Math.min(viewport, list.total);
        expect(list.place(first)).toBeLessThanOrEqual(list.scrollTop);
        expect(list.place(end)).toBeGreaterThanOrEqual(list.scrollTop + shown - 0.001);
      },
    ),
  );
});

test.each([undefined, 5_000])("what is seen stays when rows of the front go (room %s)", (limit) => {
  const list = space(1000, 280, limit);
  list.moveTo(500 * 28 + 10);
  const seen = () => [list.top % 28, list.range(0).first];
  const rows = 200;
  list.count -= rows;
  list.drop(rows);
  expect(seen()).toEqual([10, 500 - rows]);
  expect(list.place(300) - list.scrollTop).toBe(-10);
  list.count -= 400;
  list.drop(400);
  expect(list.top).toBe(0);
});
