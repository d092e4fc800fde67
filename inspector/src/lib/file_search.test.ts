import { expect, test } from "vitest";
import { FileSearch, mostEntries, mostOfFolder } from "./file_search.js";

type Tree = { readonly [name: string]: Tree | null };

function lister(tree: Tree, asked: string[] = []) {
  return (path: string) => {
    asked.push(path);
    const folder = path
      .split("/")
      .slice(2)
      .reduce<Tree | null | undefined>((at, name) => at?.[name], tree);
    if (!folder) return Promise.reject(new Error(`no folder ${path}`));
    const entries = Object.entries(folder);
    return Promise.resolve(
      entries.map(([name, what]) => ({ name, entryType: what ? ("directory" as const) : ("file" as const) })),
    );
  };
}

const found = async (tree: Tree, asked?: string[]) => {
  const search = new FileSearch("/project", lister(tree, asked));
  await search.look();
  return search;
};

test("files are found level by level, with their paths", async () => {
  const search = await found({ src: { deep: { "a.ts": null }, "b.ts": null }, "c.md": null });
  expect(search.files).toEqual(["c.md", "src/b.ts", "src/deep/a.ts"]);
  expect([search.isOver, search.isPart, search.unread, search.failure]).toEqual([true, false, 0, undefined]);
});

test("what nobody wrote is not looked at", async () => {
  const asked: string[] = [];
  const search = await found({ ".git": { HEAD: null }, node_modules: { x: { "y.js": null } }, "a.ts": null }, asked);
  expect(search.files).toEqual(["a.ts"]);
  expect(asked).toEqual(["/project"]);
});

test("it ends after so many entries, and says that this is not all", async () => {
  const many = Object.fromEntries(Array.from({ length: mostEntries }, (_, at) => [`${at}.txt`, null]));
  expect((await found(many)).isPart).toBe(false);
  const search = await found({ ...many, one: { more: null } });
  expect([search.files.length, search.isPart]).toEqual([mostEntries - 1, true]); // the folder is an entry too
  expect(search.files).toContain("one/more");
});

test("a folder that cannot be read is counted; the first one is the reason for nothing", async () => {
  const list = lister({ open: { "a.ts": null }, shut: {} });
  const search = new FileSearch("/project", (path) =>
    path === "/project/shut" ? Promise.reject(new Error("no")) : list(path),
  );
  await search.look();
  expect([search.files, search.unread]).toEqual([["open/a.ts"], 1]);
  const none = new FileSearch("/project", () => Promise.reject(new Error("There is no such folder.")));
  await none.look();
  expect([none.failure?.message, none.isOver]).toEqual(["There is no such folder.", true]);
});

test("very deep folders are left out, and that is said", async () => {
  let tree: Tree = { "bottom.txt": null };
  for (let depth = 0; depth < 20; ++depth) tree = { down: tree };
  const search = await found(tree);
  expect([search.files, search.isPart]).toEqual([[], true]);
});

test("links are not followed, and what was left out is said", async () => {
  const list = (path: string) =>
    path === "/project"
      ? Promise.resolve([
          { name: "loop", entryType: "directory" as const, symlink: "." },
          { name: "shut", entryType: "directory" as const },
          { name: "a.ts", entryType: "file" as const },
        ])
      : Promise.reject(new Error("no"));
  const search = new FileSearch("/project", list);
  await search.look();
  expect([search.files, search.said]).toEqual([["a.ts"], "1 folder could not be read."]);
});

const filesOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}.txt`, null]));

test("one big folder hides no other", async () => {
  const search = await found({ many: filesOf(3_000), sub: { dir: { "x.txt": null } }, ...filesOf(600) });
  expect(search.files).toContain("sub/dir/x.txt");
  expect(search.files).toContain("f599.txt");
  expect(search.files.indexOf("sub/dir/x.txt")).toBeLessThanOrEqual(2 * mostOfFolder);
  expect([search.files.length < mostEntries, search.isPart]).toEqual([true, true]);
});

test("a folder that is named is looked into, once, whatever was found", async () => {
  const asked: string[] = [];
  const search = await found({ many: filesOf(3_000) }, asked);
  expect(search.files).not.toContain("many/f2999.txt");
  await Promise.all([search.lookInto("many/f29"), search.lookInto("many/f299"), search.lookInto("many")]);
  expect(search.files).toContain("many/f2999.txt");
  expect([search.files.length, search.isLooking]).toEqual([3_000, false]);
  expect(asked).toEqual(["/project", "/project/many", "/project/many"]);
});

test("letters that name no folder below are nothing to look into", async () => {
  const asked: string[] = [];
  const search = await found({ "a.ts": null }, asked);
  for (const words of ["../up/", "/etc/", "a//b", "no/folder"]) await search.lookInto(words);
  expect([asked, search.unread, search.failure]).toEqual([["/project", "/project/no"], 0, undefined]);
});
