import type { Instance } from "sandbox-agent/daemon";
import { expect, test } from "vitest";
import {
  ageOf,
  roughAgeOf,
  rowsWith,
  sessionRows,
  withChange,
  withNote,
  withoutNote,
  type SessionNote,
} from "./session_list.js";

const instance = (serverId: string, more: Partial<Instance> = {}): Instance => ({
  serverId,
  agent: "demo",
  createdAtMs: 0,
  status: "running",
  lastActivityAtMs: 0,
  pendingRequests: 0,
  openAgentRequests: 0,
  readers: 0,
  lastEventId: 0,
  instanceId: `${serverId}-1`,
  ...more,
});
const note = (serverId: string, more: Partial<SessionNote> = {}): SessionNote => ({
  serverId,
  sessionId: "s",
  instanceId: `${serverId}-1`,
  agent: "demo",
  cwd: "/work",
  title: `about ${serverId}`,
  createdAt: 0,
  ...more,
});
const rowsOf = (instances: Instance[], notes: SessionNote[] = [], seen = new Map<string, number>()) =>
  sessionRows({ instances, notes, seen });
const wordsOf = (...instances: Instance[]) => rowsOf(instances).map(({ group, word }) => `${group}: ${word}`);

test("a session is where what it does belongs", () => {
  expect(wordsOf(instance("a", { status: "starting" }))).toEqual(["Running: starting"]);
  expect(wordsOf(instance("a", { pendingRequests: 1 }))).toEqual(["Running: running"]);
  expect(wordsOf(instance("a", { pendingRequests: 1, openAgentRequests: 1 }))).toEqual(["Needs you: waiting for you"]);
  expect(wordsOf(instance("a"))).toEqual(["Idle: idle"]);
});

test("a process that ended says with which code or signal", () => {
  expect(wordsOf(instance("a", { status: "exited", exitCode: 7 }))).toEqual(["Ended: exited 7"]);
  expect(wordsOf(instance("a", { status: "exited", exitCode: 0 }))).toEqual(["Ended: exited 0"]);
  expect(wordsOf(instance("a", { status: "exited", signal: "SIGKILL" }))).toEqual(["Ended: exited SIGKILL"]);
  expect(wordsOf(instance("a", { status: "exited", openAgentRequests: 1 }))).toEqual(["Ended: exited"]);
});

test("who needs you comes first, and within a group who did something last", () => {
  const rows = rowsOf([
    instance("ended", { status: "exited", lastActivityAtMs: 9 }),
    instance("idle, old", { lastActivityAtMs: 1 }),
    instance("idle, new", { lastActivityAtMs: 2 }),
    instance("waits", { openAgentRequests: 1 }),
    instance("runs", { pendingRequests: 1 }),
  ]);
  expect(rows.map(({ serverId }) => serverId)).toEqual(["waits", "runs", "idle, new", "idle, old", "ended"]);
});

test("a session of another client is listed, and said to be from elsewhere", () => {
  const [row] = rowsOf([instance("a")]);
  expect(row).toMatchObject({ title: "a", agent: "demo", isForeign: true });
  expect(row?.sessionId).toBeUndefined();
});

test("a session of this browser has its title and its folder", () => {
  expect(rowsOf([instance("a")], [note("a")])).toMatchObject([
    { key: "a/s", sessionId: "s", title: "about a", folder: "/work", isForeign: false, word: "idle" },
  ]);
});

test("two sessions of one process are two rows", () => {
  const rows = rowsOf([instance("a")], [note("a", { sessionId: "s" }), note("a", { sessionId: "t" })]);
  expect(rows.map(({ key }) => key).sort()).toEqual(["a/s", "a/t"]);
});

test("a session whose process is gone has ended", () => {
  expect(rowsOf([], [note("a", { createdAt: 5 })])).toMatchObject([{ group: "Ended", word: "ended", at: 5, title: "about a" }]);
});

test("a process of the same name that is another one is not that of the note", () => {
  const rows = rowsOf([instance("a", { instanceId: "a-2" })], [note("a")]);
  expect(rows.map(({ title, group, isForeign }) => [title, group, isForeign])).toEqual([
    ["a", "Idle", true],
    ["about a", "Ended", false],
  ]);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(2);
});

test("what was shown here and said more since is unread", () => {
  const isUnread = (seen: Map<string, number>) => rowsOf([instance("a", { lastEventId: 5 })], [note("a")], seen)[0]?.isUnread;
  expect(isUnread(new Map())).toBe(false);
  expect(isUnread(new Map([["a-1", 5]]))).toBe(false);
  expect(isUnread(new Map([["a-1", 4]]))).toBe(true);
});

test("a note replaces the one before it and is the first; the same again changes nothing", () => {
  const notes = withNote(withNote([], note("a")), note("b"));
  expect(notes.map(({ serverId }) => serverId)).toEqual(["b", "a"]);
  expect(withNote(notes, note("a"))).toBe(notes);
  const renamed = withNote(notes, note("a", { title: "other" }));
  expect(renamed.map(({ title }) => title)).toEqual(["other", "about b"]);
});

test("a note keeps what it continues, and its title when nobody knows a better one", () => {
  const continues = { serverId: "z", sessionId: "s" };
  const notes = withNote([note("a", { continues })], note("a", { instanceId: "a-2", title: "New session" }));
  expect(notes).toEqual([note("a", { instanceId: "a-2", continues })]);
});

test("of many notes the oldest are forgotten", () => {
  let notes: SessionNote[] = [];
  for (let i = 0; i < 250; ++i) notes = withNote(notes, note(`${i}`));
  expect(notes).toHaveLength(200);
  expect(notes[0]?.serverId).toBe("249");
});

test("a note can be taken away", () => {
  const notes = [note("a"), note("a", { sessionId: "t" }), note("b")];
  expect(withoutNote(notes, "a", "s").map(({ serverId, sessionId }) => serverId + sessionId)).toEqual(["at", "bs"]);
});

test.each([
  [-5, "0 s"],
  [59.9, "59 s"],
  [60, "1 min"],
  [3_599, "59 min"],
  [3_600, "1 h"],
  [86_399, "23 h"],
  [86_400 * 2.9, "2 d"],
])("%s seconds are %s", (seconds, word) => {
  expect(ageOf(0, seconds * 1_000)).toBe(word);
});

test.each([
  [-5, "now"],
  [0, "now"],
  [59.9, "now"],
  [60, "1 min"],
  [3_600, "1 h"],
])("%s seconds are roughly %s", (seconds, word) => {
  expect(roughAgeOf(0, seconds * 1_000)).toBe(word);
});

const a = { serverId: "a", sessionId: "s" };
test("a name of the user's own counts more than the agent's, until it is emptied", () => {
  const named = withChange([note("a")], a, { name: " mine " });
  expect(rowsOf([instance("a")], named)).toMatchObject([{ title: "mine", ownTitle: "about a" }]);
  expect(withNote(named, note("a", { title: "the agent's new one" }))[0]).toMatchObject({ name: "mine" });
  expect(withChange(named, a, { name: " " })).toEqual([note("a")]);
});

test("what is archived comes last, and back when it needs somebody", () => {
  const archived = withChange([note("a"), note("b")], a, { isArchived: true });
  const flags = (...instances: Instance[]) =>
    rowsOf(instances, archived).map(({ serverId, isArchived }) => [serverId, isArchived]);
  expect(flags(instance("a", { lastActivityAtMs: 9 }), instance("b"))).toEqual([
    ["b", false],
    ["a", true],
  ]);
  expect(flags(instance("a", { openAgentRequests: 1 }), instance("b"))[0]).toEqual(["a", false]);
  expect(withChange(archived, a, { isArchived: false })).toEqual([note("a"), note("b")]);
});

test("sessions are found by title, agent and folder, by all words", () => {
  const rows = rowsOf([], [note("a", { cwd: "/home/x/shop" }), note("b", { title: "Fix the SHOP", agent: "codex" })]);
  const found = (words: string) => rowsWith(rows, words).map(({ serverId }) => serverId);
  expect([found("shop").sort(), found("codex shop"), found("x/shop demo"), found("none"), found(" ").length]).toEqual([
    ["a", "b"],
    ["b"],
    ["a"],
    [],
    2,
  ]);
});

test("before the daemon has said what runs, a remembered session is not said to have ended", () => {
  const stateOf = (areInstancesKnown: boolean) =>
    sessionRows({ instances: [], areInstancesKnown, notes: [note("a")], seen: new Map() }).map(({ group, word }) => [
      group,
      word,
    ]);
  expect([stateOf(false), stateOf(true)]).toEqual([[["Remembered", "…"]], [["Ended", "ended"]]]);
});

test("what a session offers is noted once, and kept for the newest sessions only", () => {
  const offer = { options: [], commands: [{ name: "go", description: "" }] };
  let notes = withNote(withNote([], note("a")), note("a", { offer }));
  expect(notes[0]!.offer).toEqual(offer);
  expect(withNote(notes, note("a"))).toBe(notes);
  expect(withNote(notes, note("a", { offer: { ...offer, commands: [...offer.commands] } }))).toBe(notes);
  for (let i = 0; i < 30; ++i) notes = withNote(notes, note(`${i}`, { offer }));
  expect(notes.length).toBe(31);
  expect(notes.filter((kept) => kept.offer).length).toBe(20);
  expect(withNote(notes, note("0", { title: "other" }))[0]!.title).toBe("other");
});
