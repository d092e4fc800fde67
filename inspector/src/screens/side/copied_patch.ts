// The patch of what is shown. The files are looked at as they are now, for agents often tell only the lines around an edit.
import { useState } from "preact/hooks";
import { useApp } from "../../lib/context.js";
import type { ChangedFile } from "../../state/changes.js";
import { patchOf, type PatchedFile } from "../../state/patch.js";

const mostOfFile = 2_000_000; // bytes

/** `turn`: only what was changed in it. `said`: what one has to know of the patch that was copied last. */
export function useCopiedPatch(files: readonly ChangedFile[], turn: number | undefined, folder: string | undefined) {
  const { daemon } = useApp();
  const [said, say] = useState("");
  const patched = async ({ path, edits }: ChangedFile): Promise<PatchedFile[]> => {
    const wanted = edits.filter((edit) => turn === undefined || edit.turn === turn);
    if (wanted.length === 0) return [];
    const later = edits.slice(edits.indexOf(wanted.at(-1)!) + 1);
    return [{ path, edits: wanted, later, content: await contentOf(path) }];
  };
  // A file that is gone, or is none, has no content.
  const contentOf = async (path: string): Promise<string | undefined> => {
    try {
      const entries = await daemon.fs.list(path.slice(0, path.lastIndexOf("/")) || "/");
      const isSmall = entries.some((entry) => entry.path === path && entry.entryType === "file" && entry.size <= mostOfFile);
      return isSmall ? await daemon.fs.readText(path) : undefined;
    } catch {
      return undefined;
    }
  };
  const patch = async () => {
    const found: PatchedFile[] = [];
    for (const file of files) found.push(...(await patched(file)));
    const { text, unplaced } = patchOf(found, folder);
    say(
      unplaced.length === 0
        ? ""
        : `Where the lines are in ${unplaced.join(", ")} is not known: patch -p1 looks for their places, git apply does not.`,
    );
    return text;
  };
  return { patch, said };
}
