import { expect, test } from "vitest";
import {
  inOrder,
  rowsOf,
  treeAt,
  withFolder,
  withFolderLink,
  withMoved,
  withOpen,
  withoutPath,
  type FileEntry,
  type FileTree,
} from "./file_tree.js";

const file = (path: string, more: Partial<FileEntry> = {}): FileEntry => ({
  name: path.slice(path.lastIndexOf("/") + 1),
  path,
  entryType: "file",
  size: 12,
  modified: "2026-01-01T00:00:00Z",
  mode: "0644",
  ...more,
});
const folder = (path: string) => file(path, { entryType: "directory" });
const read = (tree: FileTree, path: string, ...entries: FileEntry[]) =>
  withFolder(tree, path, { isLoading: false, entries: inOrder(entries) });
const lines = (tree: FileTree, filter?: string) =>
  rowsOf(tree, filter).map(({ level, name, kind }) => `${" ".repeat(level - 1)}${name}${kind === "folder" ? "/" : ""}`);

const plain = read(treeAt("/w"), "/w", file("/w/b10"), file("/w/b9"), folder("/w/src"), file("/w/.env"));

test("folders come first, then names as people count, hidden ones too", () => {
  expect(lines(plain)).toEqual(["w/", " src/", " .env", " b9", " b10"]);
});

test("an open folder shows that it loads, that it is empty, or why it cannot be read", () => {
  const open = withOpen(plain, "/w/src", true);
  expect(lines(open)[2]).toBe("  Loading …");
  expect(lines(read(open, "/w/src"))[2]).toBe("  Nothing in it");
  const failed = withFolder(open, "/w/src", { isLoading: false, problem: { message: "No." } });
  expect(lines(failed)[2]).toBe("  No. Press Enter to try again.");
});

test("what was in a folder before stays below why it cannot be read now", () => {
  const away = withFolder(plain, "/w", { ...plain.folders.get("/w")!, problem: { message: "No." } });
  expect(lines(away)).toEqual(["w/", " No. Press Enter to try again.", " src/", " .env", " b9", " b10"]);
});

test("a row says where it is among its siblings", () => {
  const row = rowsOf(plain)[2]!;
  expect([row.level, row.position, row.siblings, row.isOpen]).toEqual([2, 2, 4, undefined]);
});

test("a filter keeps the way to what is so named, and nothing else", () => {
  const deep = read(withOpen(plain, "/w/src", true), "/w/src", file("/w/src/Main.ts"), file("/w/src/x"));
  expect(lines(deep, " main")).toEqual(["w/", " src/", "  Main.ts"]);
  expect(lines(deep, "nothing")).toEqual([]);
});

test("a link says where it leads, and opens once a folder was found behind it", () => {
  const linked = read(treeAt("/w"), "/w", file("/w/l", { symlink: "../x" }));
  expect(rowsOf(linked)[1]).toMatchObject({ kind: "file", isLink: true, note: "../x" });
  expect(rowsOf(withFolderLink(linked, "/w/l"))[1]).toMatchObject({ kind: "folder", isOpen: false });
});

test("what is gone is forgotten with all below it", () => {
  const deep = read(withOpen(plain, "/w/src", true), "/w/src", file("/w/src/x"));
  const without = withoutPath(deep, "/w/src");
  expect([without.folders.has("/w/src"), without.open.has("/w/src"), without.open.has("/w")]).toEqual([false, false, true]);
});

test("a moved folder stays open", () => {
  const moved = withMoved(withOpen(withOpen(plain, "/w/src", true), "/w/src/a", true), "/w/src", "/w/lib");
  expect([...moved.open]).toEqual(["/w", "/w/lib", "/w/lib/a"]);
});

test("a name that is no text is shown, and cannot be asked for", () => {
  const odd = read(
    treeAt("/w"),
    "/w",
    file("/w/\ufffd", { escapedPath: "/w/%FF" }),
    file("/w/\ufffd", { escapedPath: "/w/%FE" }),
  );
  const rows = rowsOf(odd).slice(1);
  expect(rows.map(({ isDead }) => isDead)).toEqual([true, true]);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(2);
});
