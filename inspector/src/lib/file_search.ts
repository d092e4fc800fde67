// Looks for the files of a folder, level by level, one question at a time, and not for ever: what is too far down is not found, and
// that is said. No folder takes the place of all others, and one that is named is looked into whatever was found. Links are not followed.
import { folderIn } from "../state/mention_match.js";

export const mostEntries = 2_000;
/** Of one folder, before the others had their turn. */
export const mostOfFolder = 500;
const deepest = 12;
const tellEveryMs = 200;
const freshMs = 10_000;
const skipped = new Set([".git", ".hg", ".svn", "node_modules", "__pycache__"]);

interface Entry {
  readonly name: string;
  readonly entryType: "file" | "directory";
  readonly symlink?: unknown;
}

type List = (path: string) => Promise<readonly Entry[]>;

export class FileSearch {
  /** Relative to the folder. */
  readonly files: string[] = [];
  /** There is more than was looked at. */
  isPart = false;
  isOver = false;
  /** How many folders could not be read. */
  unread = 0;
  /** Why nothing is known: the folder itself could not be read. */
  failure: Error | undefined;
  readonly #known = new Set<string>();
  readonly #named = new Set<string>();
  #underWay = 0;
  readonly #since = Date.now();
  readonly #listeners = new Set<() => void>();

  constructor(
    readonly folder: string,
    readonly list: List,
  ) {}

  get isFresh(): boolean {
    return Date.now() - this.#since < freshMs;
  }

  get isLooking(): boolean {
    return !this.isOver || this.#underWay > 0;
  }

  /** What one has to know of what was found. */
  get said(): string {
    const said: string[] = [];
    if (this.isPart)
      said.push(
        `Only the first ${mostEntries.toLocaleString("en")} entries were looked at. Write a folder and / to see all of it.`,
      );
    if (this.unread > 0)
      said.push(this.unread === 1 ? "1 folder could not be read." : `${this.unread} folders could not be read.`);
    return said.join(" ");
  }

  /** Calls `listener` when more is known. */
  onNews(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async look(): Promise<void> {
    let entries = 0;
    let told = Date.now();
    const late: string[] = [];
    const folders = [{ path: "", depth: 0 }];
    while (folders.length > 0 && entries < mostEntries) {
      const { path, depth } = folders.shift()!;
      let files = 0;
      for (const { name, entryType, symlink } of await this.#entriesOf(path)) {
        if (entryType === "directory" && (skipped.has(name) || symlink !== undefined)) continue;
        if (entryType !== "directory" && ++files > mostOfFolder) late.push(path + name);
        else if (++entries > mostEntries) break;
        else if (entryType !== "directory") this.#add(path + name);
        else if (depth < deepest) folders.push({ path: `${path}${name}/`, depth: depth + 1 });
        else this.isPart = true;
      }
      if (Date.now() - told < tellEveryMs) continue;
      told = Date.now();
      this.#tell();
    }
    const room = Math.max(0, mostEntries - entries);
    late.slice(0, room).forEach((path) => this.#add(path));
    if (entries > mostEntries || late.length > room || folders.length > 0) this.isPart = true;
    this.isOver = true;
    this.#tell();
  }

  /** Looks into the folder that the words name, if they name one. */
  async lookInto(words: string): Promise<void> {
    const path = folderIn(words);
    if (path === undefined || this.#named.has(path)) return;
    this.#named.add(path);
    ++this.#underWay;
    try {
      for (const { name, entryType } of await this.list(this.#whole(path)))
        if (entryType !== "directory") this.#add(path + name);
    } catch {
      // letters with a slash between them need not name a folder
    }
    --this.#underWay;
    this.#tell();
  }

  #add(path: string): void {
    if (this.#known.has(path)) return;
    this.#known.add(path);
    this.files.push(path);
  }

  #whole(path: string): string {
    return this.folder.replace(/\/+$/, "") + (path === "" ? "" : `/${path.slice(0, -1)}`) || "/";
  }

  async #entriesOf(path: string): ReturnType<List> {
    try {
      return await this.list(this.#whole(path));
    } catch (error) {
      if (path === "") this.failure = error as Error;
      else ++this.unread;
      return [];
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

let last: FileSearch | undefined;

/** The search in a folder: the last one, if it is of this folder and not old. */
export function searchIn(folder: string, list: List): FileSearch {
  if (last?.folder === folder && last.failure === undefined && (last.isFresh || !last.isOver)) return last;
  last = new FileSearch(folder, list);
  void last.look();
  return last;
}
