import { expect, test } from "vitest";
import { mergedList } from "./session_list.js";
import { metadataKey, SessionRecord } from "./session_records.js";

const own = (sessionId: string, cwd = "/") => new SessionRecord(sessionId, "a", cwd);

test("a session both sides know is listed once, with this side's metadata over the agent's", () => {
  const record = own("s1");
  record.keep({ title: "Mine", variant: "v" });
  const listed = { sessionId: "s1", cwd: "/", title: "Theirs", _meta: { [metadataKey]: { variant: "old", own: 1 }, "x.y": 2 } };
  const { sessions } = mergedList("a", [record], { sessions: [listed] }, {});
  expect(sessions).toHaveLength(1);
  expect(sessions[0]).toMatchObject({
    sessionId: "s1",
    title: "Mine",
    metadata: { title: "Mine", variant: "v", own: 1, agent: "a", ended: false },
  });
  expect(sessions[0]).not.toHaveProperty("_meta");
});

test("a session only the agent knows has all derived keys that can be known", () => {
  const listed = { sessionId: "old", cwd: "/", title: "Then", updatedAt: "2020-01-01T00:00:00Z" };
  const { sessions } = mergedList("a", [], { sessions: [listed] }, {});
  expect(sessions[0]).toEqual({
    sessionId: "old",
    cwd: "/",
    title: "Then",
    updatedAt: "2020-01-01T00:00:00Z",
    metadata: {
      title: "Then",
      agent: "a",
      ended: false,
      eventCount: 0,
      createdAt: "2020-01-01T00:00:00Z",
      updatedAt: "2020-01-01T00:00:00Z",
    },
  });
});

test("sessions the agent does not name are added to the first page, in the wanted folder", () => {
  const records = [own("s1"), own("s2", "/usr")];
  const ids = (query: object, next?: string) =>
    mergedList("a", records, { sessions: [], ...(next && { nextCursor: next }) }, query).sessions.map(
      ({ sessionId }) => sessionId,
    );
  expect(ids({})).toEqual(["s1", "s2"]);
  expect(ids({ cwd: "/usr" })).toEqual(["s2"]);
  expect(ids({ cursor: "x" })).toEqual([]);
  expect(mergedList("a", [], { sessions: [], nextCursor: "n" }, {}).nextCursor).toBe("n");
  expect(mergedList("a", records, undefined, {}).sessions).toHaveLength(2);
});
