// What must not grow for as long as a page is open.
import type { Instance } from "sandbox-agent/daemon";
import { expect, test } from "vitest";
import { firstState, reduce, type AppState } from "./app.js";

const first = (): AppState => firstState({ route: { screen: "chat" }, notes: [], composers: {}, theme: "system", side: false });
const instance = (instanceId: string) => ({ serverId: instanceId, instanceId }) as Instance;

test("what was seen of processes that are gone is forgotten", () => {
  const state = {
    ...first(),
    seen: new Map([
      ["a", 3],
      ["b", 5],
    ]),
  };
  const next = reduce(state, { type: "instances", instances: [instance("b")] });
  expect([...next.seen]).toEqual([["b", 5]]);
});

test("of the answers given here the last ones are remembered", () => {
  let state = first();
  for (let at = 0; at < 1_200; ++at) state = reduce(state, { type: "answered", key: `agent ${at}`, by: "user" });
  expect([state.answered.size, state.answered.has("agent 1199"), state.answered.has("agent 0")]).toEqual([1_000, true, false]);
});
