// Whether the daemon is another one than before, as far as clocks can tell.
import { expect, test } from "vitest";
import { daemonAfter, daemonAtFirst, type DaemonState } from "./daemon_state.js";

const answered = (state: DaemonState, at: number, uptimeMs: number) =>
  daemonAfter(state, { type: "answered", version: "1", uptimeMs, tookMs: 1, at });

test("a daemon that is younger than before was restarted, also when our clock stood still meanwhile", () => {
  const before = answered(daemonAtFirst, 1_000_000, 900_000);
  expect(answered(before, 1_005_000, 600_000).restartedAt).toBe(1_005_000);
});

test("a daemon that aged as we did is the same", () => {
  const before = answered(daemonAtFirst, 1_000, 50_000);
  expect(answered(before, 6_000, 54_900).restartedAt).toBeUndefined();
});

test("a daemon that aged while our clock stood still is the same", () => {
  const before = answered(daemonAtFirst, 1_000, 50_000);
  expect(answered(before, 6_000, 3_600_000).restartedAt).toBeUndefined();
});
