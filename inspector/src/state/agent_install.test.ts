import { expect, test } from "vitest";
import {
  installAfter,
  installOf,
  installWord,
  isUnderWay,
  percentOf,
  soundsOffline,
  speedOf,
  timeWord,
} from "./agent_install.js";
import type { Install, InstallNews } from "./agent_install.js";

const after = (...news: InstallNews[]) => news.reduce<Install>(installAfter, installOf({}, false, 1000));
const progress = (phase: string, at: number, bytes?: number, total?: number): InstallNews => ({
  type: "progress",
  at,
  progress: { phase, ...(bytes !== undefined && { bytes }), ...(total !== undefined && { total }) },
});

test("steps are told once each, with the time that they took", () => {
  const install = after(progress("registry", 1000), progress("downloading", 1200), progress("downloading", 1300, 5, 10));
  expect(install.steps).toEqual([
    { phase: "registry", at: 1000, tookMs: 200 },
    { phase: "downloading", at: 1200 },
  ]);
  expect(percentOf(install)).toBe(50);
  expect(installWord(install)).toBe("downloading 50 %");
});

test("the next step has no bytes of the one before", () => {
  const install = after(progress("downloading", 1300, 5, 10), progress("unpacking", 1400));
  expect([install.bytes, install.total, percentOf(install), speedOf(install)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(installWord(install)).toBe("unpacking");
});

test("without a total there is no per cent", () => {
  expect(percentOf(after(progress("downloading", 1000, 5)))).toBeUndefined();
  expect(percentOf(after(progress("downloading", 1000, 5, 0)))).toBeUndefined();
});

test("the speed is that of the last seconds, and none is said of a moment", () => {
  const slow = [progress("downloading", 1000, 0, 9e6), progress("downloading", 1100, 1e6, 9e6)];
  expect(speedOf(after(...slow))).toBeUndefined();
  const fast = [progress("downloading", 5000, 2e6, 9e6), progress("downloading", 6000, 6e6, 9e6)];
  expect(speedOf(after(...slow, ...fast))).toBe(4e6);
});

test.each([
  [after(), "installing", true],
  [after(progress("npm", 1100)), "npm installs", true],
  [after({ type: "cancelling" }), "cancelling", true],
  [after({ type: "cancelled", at: 1100 }), undefined, false],
  [after({ type: "done", wasThere: false, version: "1", at: 1100 }), undefined, false],
  [after({ type: "failed", failure: { message: "no", isOffline: false }, at: 1100 }), "failed", false],
  [after({ type: "failed", failure: { message: "no", isOffline: true }, at: 1100 }), "failed, offline", false],
])("an install has a word: %#", (install, word, isWorking) => {
  expect([installWord(install), isUnderWay(install)]).toEqual([word, isWorking]);
});

test("an install that could not be cancelled goes on, and says why until it ends", () => {
  const failure = { message: "no", isOffline: false };
  const install = after({ type: "cancelling" }, { type: "not cancelled", failure });
  expect([install.state, install.failure]).toEqual(["working", failure]);
  expect(installAfter(install, { type: "done", wasThere: false, version: "1", at: 1500 })).toMatchObject({
    state: "done",
    tookMs: 500,
  });
  expect(installAfter(install, { type: "done", wasThere: false, version: "1", at: 1500 }).failure).toBeUndefined();
});

test("what did not answer on the network is told from other failures", () => {
  expect(soundsOffline("the registry could not be reached")).toBe(true);
  expect(soundsOffline(undefined, "npm error code ENOTFOUND")).toBe(true);
  expect(soundsOffline("what it sent has another SHA-256", undefined)).toBe(false);
});

test("times are short", () => {
  expect([-1, 120.4, 3456].map(timeWord)).toEqual(["0 ms", "120 ms", "3.5 s"]);
});
