import type { Instance } from "sandbox-agent/daemon";
import { expect, test } from "vitest";
import { firstState, reduce, sessionKey, type Action, type Shown } from "./app.js";
import { sessionRows, type SessionNote } from "./session_list.js";
import { chunk, Talk } from "./talk_for_tests.js";

const first = firstState({ route: { screen: "chat" }, notes: [], composers: {}, theme: "system", side: false });
const after = (...actions: Action[]) => actions.reduce(reduce, first);
const shownOf = ({ view }: Talk): Shown => ({
  serverId: view.serverId,
  view,
  version: view.version,
  stream: "live",
  behind: 0,
});
const instance = (lastEventId: number, instanceId = "i") =>
  ({ serverId: "server", instanceId, lastEventId, status: "running", openAgentRequests: 0, pendingRequests: 0 }) as Instance;
const note: SessionNote = {
  serverId: "server",
  sessionId: "s",
  instanceId: "i",
  agent: "demo",
  cwd: "/",
  title: "t",
  createdAt: 0,
};

test("the page begins with what was kept, and knows nothing else yet", () => {
  expect(first).toMatchObject({ theme: "system", daemon: { word: "loading" }, agents: { state: "loading" }, instances: [] });
  expect(first.areInstancesKnown).toBe(false);
  expect(first.side).toEqual({ open: false, tab: "trace" });
});

test("no action changes the state it was given", () => {
  const talk = new Talk().begin();
  const actions: Action[] = [
    { type: "went", route: { screen: "trace" } },
    { type: "daemon", news: { type: "late" } },
    { type: "agents", agents: { state: "failed", message: "no" } },
    { type: "instances", instances: [instance(1)] },
    { type: "note", note },
    { type: "show", shown: shownOf(talk) },
    { type: "shown", change: { stream: "ended" } },
    { type: "compose", session: "server/s", news: { type: "typed", text: "x" } },
    { type: "unsent", session: "server/s", why: "gone" },
    { type: "stopping", session: "server/s", at: 1 },
    { type: "answered", key: "k", by: "user" },
    { type: "dialog", dialog: "new" },
    { type: "start", agent: "demo", cwd: "/" },
    { type: "starting", news: { type: "over", at: 1 } },
    { type: "start forgotten" },
    { type: "side", change: { open: true } },
    { type: "theme", theme: "dark" },
    { type: "home", home: "/" },
    { type: "forget note", serverId: "server", sessionId: "s" },
  ];
  let state = first;
  for (const action of actions) {
    const { shown: _, ...before } = state;
    const copy = structuredClone(before);
    const next = reduce(state, action);
    const { shown: __, ...same } = state;
    expect(same).toEqual(copy);
    state = next;
  }
  expect(state).toMatchObject({
    route: { screen: "trace" },
    theme: "dark",
    home: "/",
    notes: [],
    side: { open: true, tab: "trace" },
  });
});

test("drafts of two sessions are apart", () => {
  const type = (session: string, text: string): Action => ({ type: "compose", session, news: { type: "typed", text } });
  const { composers } = after(type("a/s", "one"), type("b/s", "two"), type("a/s", "three"));
  expect(composers["a/s"]?.draft).toBe("three");
  expect(composers["b/s"]?.draft).toBe("two");
});

test("what could not be sent is said until it is solved, and a stop is timed until it is over", () => {
  const told = after({ type: "unsent", session: "a/s", why: "gone" }, { type: "stopping", session: "a/s", at: 5 });
  expect([told.unsent, told.stops]).toEqual([{ "a/s": "gone" }, { "a/s": 5 }]);
  const solved = [
    { type: "unsent", session: "a/s", why: undefined } as const,
    { type: "stopping", session: "a/s", at: undefined } as const,
  ].reduce(reduce, told);
  expect([solved.unsent, solved.stops]).toEqual([{}, {}]);
});

test("news of a stream that is not shown, or of a start that was left, change nothing", () => {
  expect(reduce(first, { type: "shown", change: { stream: "live" } })).toBe(first);
  expect(reduce(first, { type: "starting", news: { type: "over", at: 0 } })).toBe(first);
});

test("a dialog opens and closes", () => {
  expect(after({ type: "dialog", dialog: "keys" }).dialog).toBe("keys");
  expect("dialog" in after({ type: "dialog", dialog: "keys" }, { type: "dialog", dialog: undefined })).toBe(false);
});

test("a start is followed from its first step, and a second one begins anew", () => {
  const start: Action = { type: "start", agent: "demo", cwd: "/" };
  const began: Action = { type: "starting", news: { type: "began", step: "start", at: 0 } };
  expect(after(start, began).starting?.steps[1]?.state).toBe("working");
  expect(after(start, began, start).starting?.steps[1]?.state).toBe("waiting");
  expect(after(start, began, { type: "start forgotten" }).starting).toBeUndefined();
});

test("what is shown is read; what comes after one has left is unread", () => {
  const talk = new Talk().begin().update(chunk("one"));
  const noted: Action = { type: "note", note };
  const there = after(noted, { type: "instances", instances: [instance(2)] }, { type: "show", shown: shownOf(talk) });
  const isUnread = (state: typeof there) => sessionRows(state)[0]?.isUnread;
  expect(isUnread(there)).toBe(false);
  talk.update(chunk("two"));
  const heard = [
    { type: "instances", instances: [instance(3)] } as const,
    { type: "shown", change: { version: talk.view.version } } as const,
  ].reduce(reduce, there);
  expect(isUnread(heard)).toBe(false);
  const left = [{ type: "show", shown: undefined } as const, { type: "instances", instances: [instance(4)] } as const].reduce(
    reduce,
    heard,
  );
  expect(left.shown).toBeUndefined();
  expect(isUnread(left)).toBe(true);
});

test("sessions are named by process and session", () => {
  expect(sessionKey("a", "s")).not.toBe(sessionKey("b", "s"));
});

test("a deleted session leaves nothing that was written in it or decided for it", () => {
  const session = sessionKey("server", "s");
  const others = sessionKey("server", "other");
  const written: Action[] = [session, others].flatMap((key) => [
    { type: "compose", session: key, news: { type: "typed", text: "a plan" } },
    { type: "unsent", session: key, why: "Not sent" },
    { type: "stopping", session: key, at: 1 },
    { type: "approve", session: key, approvals: "all" },
  ]);
  const { composers, unsent, stops, approvals, notes } = after({ type: "note", note }, ...written, {
    type: "forget note",
    serverId: "server",
    sessionId: "s",
  });
  expect(notes).toEqual([]);
  expect([composers, unsent, stops, approvals].map(Object.keys)).toEqual([[others], [others], [others], [others]]);
});
