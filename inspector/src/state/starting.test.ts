import { expect, test } from "vitest";
import { startingAfter, startingOf, type StartNews } from "./starting.js";

const after = (...news: StartNews[]) => news.reduce(startingAfter, startingOf("demo", "/work"));
const inWords = (...news: StartNews[]) =>
  after(...news).steps.map(({ name, state, tookMs }) => `${name} ${state} ${tookMs ?? "-"}`);
const began = (step: "install" | "start" | "initialize" | "session", at: number): StartNews => ({ type: "began", step, at });
const progress = (bytes?: number, total?: number): StartNews => ({
  type: "progress",
  progress: { phase: "downloading", ...(bytes !== undefined && { bytes }), ...(total !== undefined && { total }) } as never,
});

test("before anything began all steps wait", () => {
  expect(inWords()).toEqual(["install waiting -", "start waiting -", "initialize waiting -", "session waiting -"]);
});

test("a step that begins ends the one before it, with the time it took", () => {
  expect(inWords(began("install", 100), began("start", 350), began("initialize", 400))).toEqual([
    "install done 250",
    "start done 50",
    "initialize working -",
    "session waiting -",
  ]);
});

test("a step that is not needed is skipped", () => {
  const news: StartNews[] = [
    { type: "skipped", step: "install" },
    began("start", 0),
    began("initialize", 1),
    began("session", 2),
  ];
  const starting = after(...news, { type: "over", at: 7 });
  expect(starting.steps.map(({ state }) => state)).toEqual(["skipped", "done", "done", "done"]);
  expect(starting.steps.at(-1)?.tookMs).toBe(5);
  expect(starting.over).toBe(true);
  expect(starting.failure).toBeUndefined();
});

test("a step that fails stays, with its cause and the time it took; later ones never began", () => {
  const failure = { step: "initialize", message: "It exited.", stderr: "oh" } as const;
  const starting = after(began("start", 0), began("initialize", 10), { type: "failed", failure, at: 40 });
  expect(starting.steps.slice(1).map(({ state, tookMs }) => [state, tookMs])).toEqual([
    ["done", 10],
    ["failed", 30],
    ["waiting", undefined],
  ]);
  expect(starting).toMatchObject({ failure, over: true });
});

test("a step that is tried again has not failed any more", () => {
  const failure = { step: "session", message: "Sign in.", signIn: true } as const;
  const starting = after(began("session", 0), { type: "failed", failure, at: 5 }, began("session", 100));
  expect(starting.failure).toBeUndefined();
  expect(starting.over).toBe(false);
  expect(starting.steps.at(-1)).toEqual({ name: "session", state: "working", startedAt: 100 });
});

test.each([
  [undefined, undefined, "downloading"],
  [1_500_000, undefined, "downloading 1.5 MB"],
  [1_500_000, 0, "downloading 1.5 MB"],
  [5_000_000, 20_000_000, "downloading 25 %, 5.0 MB of 20.0 MB"],
])("a download of %s of %s bytes is told as it goes", (bytes, total, note) => {
  expect(after(began("install", 0), progress(bytes, total)).steps[0]?.note).toBe(note);
});

test("remarks are on the step that works, and gone when it is over", () => {
  const news: StartNews[] = [began("initialize", 0), { type: "remark", text: "It says strange things." }];
  expect(after(...news).steps[2]?.note).toBe("It says strange things.");
  expect(after(...news, began("session", 1)).steps.map(({ note }) => note)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
