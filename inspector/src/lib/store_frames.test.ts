// When the store tells what happened: with the next frame, and also when there is none.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { firstState } from "../state/app.js";
import { Store } from "./store.js";

let frames: Map<number, () => void>;

beforeEach(() => {
  frames = new Map();
  let last = 0;
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", (tell: () => void) => (frames.set(++last, tell), last));
  vi.stubGlobal("cancelAnimationFrame", (frame: number) => frames.delete(frame));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const newStore = () =>
  new Store(firstState({ route: { screen: "chat" }, notes: [], composers: {}, theme: "system", side: false }));

test("views hear once per frame, however much happened", () => {
  const store = newStore();
  const listener = vi.fn();
  store.subscribe(listener);
  store.dispatch({ type: "theme", theme: "dark" });
  store.dispatch({ type: "home", home: "/home" });
  expect(listener).not.toHaveBeenCalled();
  [...frames.values()].forEach((tell) => tell());
  vi.runAllTimers();
  expect(listener).toHaveBeenCalledTimes(1);
});

test("a page that is hidden before its frame comes hears nevertheless, and goes on hearing", () => {
  const store = newStore();
  const listener = vi.fn();
  store.subscribe(listener);
  store.dispatch({ type: "theme", theme: "dark" });
  vi.runAllTimers();
  expect(listener).toHaveBeenCalledTimes(1);
  expect(frames.size).toBe(0);
  store.dispatch({ type: "theme", theme: "light" });
  vi.runAllTimers();
  expect(listener).toHaveBeenCalledTimes(2);
});
