import { expect, test } from "vitest";
import { isRowOf, sessionRows, type SessionNote } from "./session_list.js";

const note = (serverId: string, sessionId: string): SessionNote => ({
  serverId,
  sessionId,
  instanceId: serverId,
  agent: "demo",
  cwd: "/",
  title: sessionId,
  createdAt: 1,
});

test("of two sessions of one process the address means one", () => {
  const rows = sessionRows({ instances: [], notes: [note("a", "1"), note("a", "2"), note("b", "1")], seen: new Map() });
  const meant = rows.filter((row) => isRowOf(row, { serverId: "a", sessionId: "2" }));
  expect(meant.map(({ key }) => key)).toEqual(["a/2"]);
});
