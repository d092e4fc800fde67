// A tree of files that is read as it is opened. Views hear of every change.
import { useEffect, useState } from "preact/hooks";
import type { Daemon, SandboxAgentError } from "sandbox-agent/daemon";
import { isWithin, parentOf, wayDown } from "../state/file_paths.js";
import {
  inOrder,
  isFolder,
  treeAt,
  withFolder,
  withFolderLink,
  withMoved,
  withOpen,
  withoutPath,
  type FileStat,
  type FileTree,
} from "../state/file_tree.js";
import { problemOf } from "./problem.js";

export class FileTrees {
  tree: FileTree;
  readonly #daemon: () => Daemon;
  readonly #listeners = new Set<() => void>();
  readonly #asked = new Map<string, number>(); // per folder: only the last answer counts
  #questions = 0;

  constructor(daemon: () => Daemon, root: string) {
    this.#daemon = daemon;
    this.tree = treeAt(root);
    void this.load(root);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What is open stays so, where it is still to be seen. */
  setRoot(root: string): void {
    if (root === this.tree.root) return;
    this.#set(withOpen({ ...this.tree, root }, root, true));
    for (const path of this.tree.open) if (isWithin(path, root) && !this.tree.folders.has(path)) void this.load(path);
  }

  open(path: string): void {
    this.#set(withOpen(this.tree, path, true));
    if (this.tree.folders.get(path)?.entries === undefined) void this.load(path);
  }

  close(path: string): void {
    this.#set(withOpen(this.tree, path, false));
  }

  /** Opens the folders on the way from the root to this one, and it. */
  reveal(folder: string): void {
    if (isWithin(folder, this.tree.root)) for (const path of wayDown(this.tree.root, folder)) this.open(path);
  }

  /** A link was followed, and a folder is behind it. */
  knowFolderLink(path: string): void {
    this.#set(withFolderLink(this.tree, path));
  }

  async load(path: string): Promise<void> {
    const question = ++this.#questions;
    this.#asked.set(path, question);
    const { problem: _, ...before } = this.tree.folders.get(path) ?? {};
    this.#set(withFolder(this.tree, path, { ...before, isLoading: true }));
    let content;
    try {
      content = { isLoading: false, entries: inOrder(await this.#daemon().fs.list(path)) };
    } catch (error) {
      const isAway = (error as SandboxAgentError).code === "unreachable"; // what was there is still to be seen
      content = { ...(isAway && before), isLoading: false, problem: problemOf(error) };
    }
    if (this.#asked.get(path) === question) this.#set(withFolder(this.tree, path, content));
  }

  /** Reads a folder again, and the open ones in it. What is gone is forgotten. */
  async refresh(path = this.tree.root): Promise<void> {
    await this.load(path);
    const { entries, problem } = this.tree.folders.get(path) ?? {};
    if (!entries || problem) return;
    const there = new Set(entries.flatMap((entry) => (isFolder(this.tree, entry) ? [entry.path] : [])));
    const parts = path === "/" ? 1 : path.split("/").length;
    const below = [...this.tree.open].filter(
      (open) => open !== path && isWithin(open, path) && open.split("/").length === parts + 1,
    );
    for (const gone of below.filter((open) => !there.has(open))) this.#set(withoutPath(this.tree, gone));
    await Promise.all(below.filter((open) => there.has(open)).map((open) => this.refresh(open)));
  }

  /** What was found at a path. If the tree says otherwise, its folder is read again. */
  compare(path: string, stat: FileStat | undefined): void {
    const entries = this.tree.folders.get(parentOf(path))?.entries;
    const known = entries?.find((entry) => entry.path === path);
    if (!entries || known?.symlink !== undefined || known?.entryType === "directory") return;
    if (known?.size !== stat?.size || known?.modified !== stat?.modified) void this.load(parentOf(path));
  }

  forget(path: string): void {
    this.#set(withoutPath(this.tree, path));
  }

  moved(from: string, to: string): void {
    this.#set(withMoved(this.tree, from, to));
  }

  #set(tree: FileTree): void {
    if (tree === this.tree) return;
    this.tree = tree;
    for (const listener of [...this.#listeners]) listener();
  }
}

/** The tree as it is now; the component is drawn anew when it changes. */
export function useFileTree(trees: FileTrees): FileTree {
  const [, draw] = useState({});
  useEffect(() => {
    draw({});
    return trees.subscribe(() => draw({}));
  }, [trees]);
  return trees.tree;
}
