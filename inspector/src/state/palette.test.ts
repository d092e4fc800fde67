import { describe, expect, test } from "vitest";
import { find, type Findable } from "./palette.js";

const entry = (group: string, name: string, about?: string): Findable => ({
  group,
  name,
  ...(about !== undefined && { about }),
});
const entries = [
  entry("Actions", "New session"),
  entry("Actions", "Stop the turn"),
  entry("Actions", "Stop all running turns"),
  entry("Files", "src/session_start.ts"),
  entry("Files", "README.md", "/home/me/project"),
];
const names = (query: string, most = 10) => find(entries, query, most).map(({ hits }) => hits.map(({ entry }) => entry.name));

describe("find", () => {
  test("without a query has everything in its order", () => {
    expect(names("")).toEqual([
      ["New session", "Stop the turn", "Stop all running turns"],
      ["src/session_start.ts", "README.md"],
    ]);
  });

  test("takes the beginnings of words, in any order, and letters with gaps", () => {
    expect(names("sa")[0]![0]).toBe("Stop all running turns");
    expect(names("turn stop")[0]).toEqual(["Stop the turn", "Stop all running turns"]);
    expect(names("nwss")).toEqual([["New session"]]);
  });

  test("puts the group with the best entry first", () => {
    expect(find(entries, "readme", 10).map(({ name }) => name)).toEqual(["Files"]);
    expect(find(entries, "session_", 10)[0]!.name).toBe("Files");
  });

  test("looks also at what is said about an entry, and marks only letters of the name", () => {
    const [group] = find(entries, "project", 10);
    expect(group!.hits.map(({ entry, marks }) => [entry.name, marks])).toEqual([["README.md", []]]);
    expect(find(entries, "new", 10)[0]!.hits[0]!.marks).toEqual([0, 1, 2]);
  });

  test("finds nothing where a word is missing, and says how much it left out", () => {
    expect(names("stop xyz")).toEqual([]);
    expect(find(entries, "st", 1).find(({ name }) => name === "Actions")).toMatchObject({ left: 1 });
  });

  test("a sign that folds into several letters breaks nothing", () => {
    expect(find([entry("Files", "İx")], "x", 5)).toHaveLength(1);
  });
});
