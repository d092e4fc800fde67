// A tree of files as far as it was looked at: which folders are open, what was found in them, and the rows that this makes.
import type { Daemon } from "sandbox-agent/daemon";
import { isWithin, movedPath, nameOf } from "./file_paths.js";
import type { Problem } from "./problem.js";
import { sizeWords } from "./size_words.js";

export type FileEntry = Awaited<ReturnType<Daemon["fs"]["list"]>>[number];
export type FileStat = Awaited<ReturnType<Daemon["fs"]["stat"]>>;

export interface FolderContent {
  /** Folders first. Undefined: never read. Beside a problem: as it was before. */
  readonly entries?: readonly FileEntry[];
  readonly isLoading: boolean;
  readonly problem?: Problem;
}

export interface FileTree {
  readonly root: string;
  readonly folders: ReadonlyMap<string, FolderContent>;
  readonly open: ReadonlySet<string>;
  /** Links that lead to folders, as far as somebody followed them. */
  readonly folderLinks: ReadonlySet<string>;
}

export type FileRowKind = "folder" | "file" | "loading" | "empty" | "problem";

export interface FileRow {
  /** Its path; of what is no entry, the folder's with a word. */
  readonly id: string;
  readonly path: string;
  readonly kind: FileRowKind;
  readonly name: string;
  /** From 1. */
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  /** Undefined: nothing to open. */
  readonly isOpen?: boolean;
  readonly isLink: boolean;
  /** Beside the name: where a link leads, how large a file is. */
  readonly note: string;
  /** It cannot be asked for: its name is no text. */
  readonly isDead: boolean;
}

export const treeAt = (root: string): FileTree => ({
  root,
  folders: new Map(),
  open: new Set([root]),
  folderLinks: new Set(),
});

/** Folders first, then by name as people sort. */
export function inOrder(entries: readonly FileEntry[]): FileEntry[] {
  const order = new Intl.Collator("en", { numeric: true });
  const rank = ({ entryType }: FileEntry) => (entryType === "directory" ? 0 : 1);
  return [...entries].sort((a, b) => rank(a) - rank(b) || order.compare(a.name, b.name));
}

export function withFolder(tree: FileTree, path: string, content: FolderContent): FileTree {
  return { ...tree, folders: new Map(tree.folders).set(path, content) };
}

export function withOpen(tree: FileTree, path: string, isOpen: boolean): FileTree {
  if (tree.open.has(path) === isOpen) return tree;
  const open = new Set(tree.open);
  if (isOpen) open.add(path);
  else open.delete(path);
  return { ...tree, open };
}

/** A link was followed, and a folder is behind it. */
export function withFolderLink(tree: FileTree, path: string): FileTree {
  return tree.folderLinks.has(path) ? tree : { ...tree, folderLinks: new Set([...tree.folderLinks, path]) };
}

/** All that is known of a path is forgotten: it is gone. */
export function withoutPath(tree: FileTree, gone: string): FileTree {
  const stays = (path: string) => !isWithin(path, gone);
  return {
    ...tree,
    folders: new Map([...tree.folders].filter(([path]) => stays(path))),
    open: new Set([...tree.open].filter(stays)),
    folderLinks: new Set([...tree.folderLinks].filter(stays)),
  };
}

/** What was open below a moved folder is open below its new place. */
export function withMoved(tree: FileTree, from: string, to: string): FileTree {
  const open = new Set([...tree.open].map((path) => movedPath(path, from, to)));
  return { ...withoutPath(tree, from), open };
}

export const isFolder = (tree: FileTree, { entryType, path }: FileEntry): boolean =>
  entryType === "directory" || tree.folderLinks.has(path);

/** What is shown, from the root on. With a filter: what is so named in the folders that are open, and the way to it. */
export function rowsOf(tree: FileTree, filter = ""): FileRow[] {
  const rows: FileRow[] = [{ ...plainRow(tree.root, 1, 1, 1), kind: "folder", isOpen: tree.open.has(tree.root) }];
  const wanted = filter.trim().toLowerCase();
  if (tree.open.has(tree.root)) addRows(tree, tree.root, 2, wanted, rows);
  return wanted !== "" && rows.length === 1 ? [] : rows;
}

function addRows(tree: FileTree, folder: string, level: number, wanted: string, rows: FileRow[]): void {
  const content = tree.folders.get(folder);
  const say = (kind: FileRowKind, name: string) => {
    if (wanted === "") rows.push({ ...plainRow(folder, level, 1, 1), id: `${folder}/ ${kind}`, kind, name });
  };
  if (content?.problem) say("problem", `${content.problem.message} Press Enter to try again.`);
  if (content?.entries === undefined) return content?.problem ? undefined : say("loading", "Loading …");
  if (content.entries.length === 0) return say("empty", "Nothing in it");
  const shown = wanted === "" ? content.entries : content.entries.filter((entry) => isWanted(tree, entry, wanted));
  shown.forEach((entry, at) => {
    const { path, name, symlink, size, special, escapedPath } = entry;
    const isOpen = tree.open.has(path);
    const isOpenable = isFolder(tree, entry);
    const note = symlink ?? special ?? (isOpenable ? "" : sizeWords(size));
    rows.push({
      ...plainRow(path, level, at + 1, shown.length),
      ...(escapedPath !== undefined && { id: `${folder}/ ${escapedPath}` }),
      name,
      note,
      kind: isOpenable ? "folder" : "file",
      ...(isOpenable && { isOpen }),
      isLink: symlink !== undefined,
      isDead: escapedPath !== undefined,
    });
    if (isOpenable && isOpen) addRows(tree, path, level + 1, wanted, rows);
  });
}

function isWanted(tree: FileTree, entry: FileEntry, wanted: string): boolean {
  if (entry.name.toLowerCase().includes(wanted)) return true;
  if (!isFolder(tree, entry) || !tree.open.has(entry.path)) return false;
  return tree.folders.get(entry.path)?.entries?.some((below) => isWanted(tree, below, wanted)) ?? false;
}

function plainRow(path: string, level: number, position: number, siblings: number): FileRow {
  const name = nameOf(path);
  return { id: path, path, kind: "file", name, level, position, siblings, isLink: false, note: "", isDead: false };
}
