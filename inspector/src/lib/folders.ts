// The folders where the daemon runs, for suggestions. A folder is asked for only when the one above it has it, so that looking at what a user
// is still writing makes no errors.
import type { Daemon } from "sandbox-agent/daemon";

const freshMs = 5_000;

export interface FolderEntry {
  readonly name: string;
  readonly path: string;
  readonly isFolder: boolean;
}

interface Known {
  readonly at: number;
  readonly entries: Promise<readonly FolderEntry[]>;
  /** Why it could not be read. */
  failure?: unknown;
}

export class Folders {
  readonly #daemon: () => Daemon;
  readonly #known = new Map<string, Known>();

  constructor(daemon: () => Daemon) {
    this.#daemon = daemon;
  }

  /** What is in a folder; nothing, when there is no such folder. */
  async list(path: string): Promise<readonly FolderEntry[]> {
    const folder = path.replace(/\/+$/, "") || "/";
    const known = this.#known.get(folder);
    if (known && Date.now() - known.at < freshMs) return known.entries;
    const fresh: Known = {
      at: Date.now(),
      entries: this.#list(folder).catch((error: unknown) => {
        fresh.failure = error;
        return [];
      }),
    };
    this.#known.set(folder, fresh);
    return fresh.entries;
  }

  /** Whether there is such a folder, as far as can be seen. */
  async exists(path: string): Promise<boolean> {
    const folder = path.replace(/\/+$/, "") || "/";
    if (folder === "/" || folder === this.home) return true;
    const above = await this.list(folder.slice(0, folder.lastIndexOf("/")));
    return above.some((entry) => entry.isFolder && entry.path === folder);
  }

  /** Whether there is one; rejects when that cannot be seen. */
  async find(path: string): Promise<boolean> {
    if (await this.exists(path)) return true;
    for (const [folder, { failure }] of this.#known)
      if (failure !== undefined && path.startsWith(folder === "/" ? folder : `${folder}/`)) throw failure;
    return false;
  }

  /** Something was written there: what is in it is asked for anew. */
  forget(folder: string): void {
    for (const known of this.#known.keys()) if (`${known}/`.startsWith(`${folder}/`)) this.#known.delete(known);
  }

  async #list(folder: string): Promise<readonly FolderEntry[]> {
    if (!folder.startsWith("/")) return [];
    if (folder !== "/" && folder !== this.home) {
      const above = await this.list(folder.slice(0, folder.lastIndexOf("/")));
      if (!above.some(({ path, isFolder }) => isFolder && path === folder)) return [];
    }
    const entries = await this.#daemon().fs.list(folder);
    return entries.map((entry) => ({
      name: entry.name,
      path: entry.path,
      isFolder: entry.entryType === "directory" || entry.symlink !== undefined,
    }));
  }

  /** Known to be there, and to begin with. */
  home: string | undefined;
}
