// Whatever is copied must be taken by the programs that apply patches.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { patchOf, type PatchedFile } from "./patch.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "patch-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const programs = {
  "git apply": (patch: string) => execFileSync("git", ["apply", "-"], { cwd: folder, input: patch, stdio: "pipe" }),
  "patch -p1": (patch: string) => execFileSync("patch", ["-p1", "--quiet"], { cwd: folder, input: patch, stdio: "pipe" }),
};

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

const edit = (oldText: string | null, newText: string) => ({ key: "k", turn: 1, oldText, newText });
const file = (path: string, edits: PatchedFile["edits"], more: Partial<PatchedFile> = {}): PatchedFile => ({
  path: `/project/${path}`,
  edits,
  later: [],
  ...more,
});
const lines = (count: number, more: Record<number, string> = {}) =>
  Array.from({ length: count }, (_, at) => `${more[at] ?? `line ${at}`}\n`).join("");

describe.each(Object.entries(programs))("%s", (_, apply) => {
  test.each([
    ["a line in the middle", lines(40), lines(40, { 20: "other" })],
    ["two places", lines(40), lines(40, { 2: "other", 35: "more" })],
    ["no line break at the end", "a\nb", "a\nc"],
    ["a line break comes", "a\nb", "a\nb\n"],
    ["everything goes", "a\nb\n", "c\nd\n"],
    ["a carriage return stays", "a\r\nb\r\n", "a\r\nc\r\n"],
    ["it was empty", "", "a\n"],
    ["too much to compare", lines(6_000), lines(6_000).replaceAll("line", "row")],
  ])("%s", (_name, before, after) => {
    write({ "src/a.ts": before });
    const { text, unplaced } = patchOf([file("src/a.ts", [edit(before, after)], { content: after })], "/project");
    apply(text);
    expect(readFileSync(join(folder, "src/a.ts"), "utf8")).toBe(after);
    expect(unplaced).toEqual([]);
  });

  test("new files, strange names, and several files at once", () => {
    write({ "a b.txt": "1\n", "ü.txt": "1\n" });
    const files = [
      file("new/x.txt", [edit(null, "hi\n")]),
      file("a b.txt", [edit("1\n", "2\n")]),
      file("ü.txt", [edit("1\n", "2\n")]),
      file("same.txt", [edit("1\n", "1\n")]),
    ];
    apply(patchOf(files, "/project/").text);
    const texts = ["new/x.txt", "a b.txt", "ü.txt"].map((name) => readFileSync(join(folder, name), "utf8"));
    expect(texts).toEqual(["hi\n", "2\n", "2\n"]);
  });

  test("edits that told only their lines lie where the file has them", () => {
    const before = lines(60);
    const after = lines(60, { 20: "first", 50: "second" });
    const edits = [edit("line 20\n", "first\n"), edit("line 50\n", "second\n")];
    const later = [edit("line 5\n", "not in the patch\n")];
    const content = after.replace("line 5\n", "not in the patch\n");
    const { text, unplaced } = patchOf([file("a.txt", edits, { later, content })], "/project");
    write({ "a.txt": before });
    apply(text);
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe(after);
    expect(unplaced).toEqual([]);
  });

  test("edits that follow each other are one change", () => {
    const edits = [edit("a\nb\n", "a\nc\n"), edit("a\nc\n", "a\nd\n"), edit("d", "e")];
    write({ "a.txt": "a\nb\n" });
    apply(patchOf([file("a.txt", edits)], "/project").text);
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("a\ne\n");
  });
});

test("when nobody knows where the lines are, that is said, and patch looks for them", () => {
  const edits = [edit("line 20\n", "first\n"), edit("line 50\n", "second\n")];
  const { text, unplaced } = patchOf([file("a.txt", edits, { content: "something else\n" })], "/project");
  expect(unplaced).toEqual(["/project/a.txt"]);
  write({ "a.txt": lines(60) });
  programs["patch -p1"](text);
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe(lines(60, { 20: "first", 50: "second" }));
});

test.each([
  ["the file is another by now", edit("line 50\n", "line fifty\n"), { content: lines(40) }, 1],
  ["the file has the line twice", edit("a\n", "b\n"), { content: "b\nb\n" }, 1],
  ["nobody knows the file", edit("line 50\n", "line fifty\n"), {}, 1],
  ["the file is new and gone", edit(null, "a\n"), {}, 0],
  ["the file is new and was written on", edit(null, "a\n"), { content: "a\nb\n" }, 0],
])("a single edit has numbers only if they are known: %s", (_name, only, more, unknown) => {
  const { text, unplaced } = patchOf([file("a.txt", [only], more)], "/project");
  expect(unplaced).toHaveLength(unknown);
  expect(text.includes("new file mode")).toBe(unknown === 0);
});

test("a file outside of the folder has its whole path", () => {
  expect(patchOf([{ ...file("x", [edit("1\n", "2\n")]), path: "/etc/hosts" }], "/project").text).toContain("--- a/etc/hosts\n");
});

test("nothing changed is nothing", () => {
  expect(patchOf([file("a", [edit("1\n", "1\n")])], "/project").text).toBe("");
});
