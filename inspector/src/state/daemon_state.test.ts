import { expect, test } from "vitest";
import { daemonAfter, daemonAtFirst, whyNoSending, type DaemonNews } from "./daemon_state.js";

const after = (...news: DaemonNews[]) => news.reduce(daemonAfter, daemonAtFirst);
const answered = (at: number, uptimeMs: number, tookMs = 1): DaemonNews => ({
  type: "answered",
  version: "1",
  uptimeMs,
  tookMs,
  at,
});
const failed = (why: "unreachable" | "token_missing" | "token_invalid", retryAt = 0): DaemonNews => ({
  type: "failed",
  why,
  retryAt,
});

test("a daemon that answers is healthy, and slow when it takes more than two seconds", () => {
  expect(after()).toEqual({ word: "loading", wasThere: false });
  expect(after(answered(10_000, 1_000))).toMatchObject({ word: "healthy", version: "1", startedAt: 9_000, wasThere: true });
  expect(after(answered(10_000, 1_000, 2_001)).word).toBe("slow");
  expect(after(answered(10_000, 1_000), { type: "late" }).word).toBe("slow");
});

test("one that was away is not called slow because it is late", () => {
  expect(after(failed("unreachable"), { type: "late" }).word).toBe("unreachable");
  expect(after({ type: "late" }).word).toBe("loading");
});

test("one that does not answer is unreachable, says when it is asked again, and is healthy when it answers", () => {
  const away = after(answered(10_000, 1_000), failed("unreachable", 12_000));
  expect(away).toMatchObject({ word: "unreachable", retryAt: 12_000, wasThere: true, version: "1" });
  const back = daemonAfter(away, answered(13_000, 4_000));
  expect(back.word).toBe("healthy");
  expect(back.retryAt).toBeUndefined();
  expect(back.restartedAt).toBeUndefined();
});

test("a token that is missing and one that is wrong are two words", () => {
  expect(after(failed("token_missing")).word).toBe("token needed");
  expect(after(failed("token_invalid")).word).toBe("token wrong");
});

test("a daemon that runs shorter than it should is another one, until the user has seen it", () => {
  const restarted = after(answered(10_000, 8_000), failed("unreachable"), answered(20_000, 500));
  expect(restarted).toMatchObject({ word: "healthy", restartedAt: 20_000, startedAt: 19_500 });
  expect(daemonAfter(restarted, answered(21_000, 1_500)).restartedAt).toBe(20_000);
  expect(daemonAfter(restarted, { type: "seen" }).restartedAt).toBeUndefined();
  expect([answered(22_000, 2_500)].reduce(daemonAfter, daemonAfter(restarted, { type: "seen" })).restartedAt).toBeUndefined();
});

test("an answer that took long to arrive is no restart", () => {
  expect(after(answered(10_000, 8_000), answered(20_000, 13_000, 5_000)).restartedAt).toBeUndefined();
  expect(after(answered(10_000, 8_000), answered(20_000, 17_000, 1)).restartedAt).toBeUndefined();
});

test("what keeps messages from being sent is said", () => {
  expect(whyNoSending(after(answered(1, 1)))).toBeUndefined();
  expect(whyNoSending(after(answered(1, 1, 5_000)))).toBeUndefined();
  expect(whyNoSending(after())).toMatch(/not answered/);
  expect(whyNoSending(after(failed("unreachable")))).toMatch(/unreachable/);
  expect(whyNoSending(after(failed("token_invalid")))).toMatch(/token/);
});
