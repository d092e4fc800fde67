// What can be done with files: make, move, remove, download. Each leaves the tree as the disk is then.
import { SandboxAgentError, type Daemon } from "sandbox-agent/daemon";
import { isWithin, nameOf, parentOf } from "../state/file_paths.js";
import { FileTrees } from "./file_trees.js";
import { saveAs } from "./save_as.js";

export class FileDesk {
  readonly trees: FileTrees;
  readonly #daemon: () => Daemon;

  constructor(daemon: () => Daemon, root: string) {
    this.#daemon = daemon;
    this.trees = new FileTrees(daemon, root);
  }

  /** An empty file that was not there before. */
  async newFile(path: string): Promise<void> {
    try {
      await this.#daemon().fs.writeFile(path, "", { ifNoneMatch: "*" });
    } catch (error) {
      if ((error as SandboxAgentError).code !== "precondition_failed") throw error;
      throw new SandboxAgentError("There is already a file of that name.", { code: "conflict", hint: "Choose another name." });
    }
    await this.#changed(path);
  }

  async newFolder(path: string): Promise<void> {
    const there = this.trees.tree.folders.get(parentOf(path))?.entries;
    if (there?.some((entry) => entry.path === path)) {
      throw new SandboxAgentError(`${path} is there already.`, { code: "conflict", hint: "Choose another name." });
    }
    await this.#daemon().fs.mkdir(path);
    await this.#changed(path);
  }

  async move(from: string, to: string, overwrite: boolean): Promise<void> {
    await this.#daemon().fs.move(from, to, { overwrite });
    this.trees.moved(from, to);
    await this.#changed(from);
    if (parentOf(from) !== parentOf(to)) await this.#changed(to);
  }

  /** Whether something has this path, be it a link that leads nowhere. */
  async isTaken(path: string): Promise<boolean> {
    const entries = await this.#daemon()
      .fs.list(parentOf(path))
      .catch(() => []);
    return entries.some(({ name }) => name === nameOf(path));
  }

  /** A folder with all that is in it; of a link only the link. */
  async remove(path: string, isFolder: boolean): Promise<void> {
    await this.#daemon().fs.remove(path, isFolder ? { recursive: true } : {});
    this.trees.forget(path);
    await this.#changed(path);
  }

  /** An upload to this folder ended; of an archive that failed, some is there. */
  async uploaded(folder: string): Promise<void> {
    if (!isWithin(folder, this.trees.tree.root)) return;
    this.trees.open(folder);
    await this.trees.refresh(folder);
  }

  async download(path: string, signal: AbortSignal): Promise<void> {
    const stream = await this.#daemon().fs.readStream(path, { signal });
    saveAs(await new Response(stream).blob(), nameOf(path));
  }

  // The nearest folder that the tree knows is read again, and those on the way to the path are opened.
  async #changed(path: string): Promise<void> {
    const { trees } = this;
    let known = parentOf(path);
    while (!trees.tree.folders.has(known) && known !== "/") known = parentOf(known);
    if (!isWithin(known, trees.tree.root)) return;
    await trees.refresh(known);
    trees.reveal(parentOf(path));
  }

  /** Writes a text; rejects with "precondition_failed" if it is another version by now. Answers the version that is there then. */
  async save(path: string, bytes: Uint8Array, ifMatch: string | undefined): Promise<string> {
    const { etag } = await this.#daemon().fs.writeFile(path, bytes, ifMatch === undefined ? {} : { ifMatch });
    await this.#changed(path);
    return etag;
  }
}
