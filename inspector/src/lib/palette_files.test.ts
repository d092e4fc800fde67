import { expect, test } from "vitest";
import type { App } from "./app.js";
import { filesBelow } from "./palette_files.js";

const appWith = (isThere: boolean) => {
  const list = (path: string) =>
    path === "/w"
      ? Promise.resolve([
          { name: "shut", entryType: "directory" },
          { name: "a.txt", entryType: "file" },
        ])
      : Promise.reject(new Error("permission denied"));
  return { folders: { exists: () => Promise.resolve(isThere) }, daemon: { fs: { list } } } as unknown as App;
};

test("a folder that cannot be read hides no other file, and is counted", async () => {
  const search = (await filesBelow(appWith(true), "/w"))!;
  while (!search.isOver) await new Promise<void>((resolve) => void search.onNews(resolve));
  expect([search.files, search.said, search.failure]).toEqual([["a.txt"], "1 folder could not be read.", undefined]);
});

test("what is not there is not asked for", async () => {
  expect(await filesBelow(appWith(false), "/gone")).toBeUndefined();
});
