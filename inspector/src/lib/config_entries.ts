// The entries of a folder's config files. Names come from the file, for there is no list to ask for; entries are read, written and removed
// by the config API. What is not there is not asked for: files are looked for from the folder down.
import { SandboxAgentError, type Daemon } from "sandbox-agent/daemon";
import { isFields, type Fields } from "../state/config_shape.js";
import { markAt, readJson, type Mark } from "../state/json_mark.js";
import type { ConfigKind } from "../state/route.js";
import type { Folders } from "./folders.js";

export type Listing =
  | { readonly state: "no folder" }
  | { readonly state: "broken"; readonly detail: string; readonly mark?: Mark }
  | { readonly state: "ready"; readonly isThere: boolean; readonly entries: Readonly<Record<string, Fields>> };

export type Saved = "saved" | "taken" | "changed";

type McpConfig = Parameters<Daemon["mcp"]["set"]>[2];
type SkillsConfig = Parameters<Daemon["skills"]["set"]>[2];

const steps = [".sandbox-agent", "config"];

/** The file that has a folder's entries. */
export const configPath = (folder: string, kind: ConfigKind) =>
  [folder.replace(/\/+$/, ""), ...steps, `${kind}.json`].join("/");

export class ConfigEntries {
  readonly #current: () => Daemon;
  readonly #folders: Folders;
  readonly #folder: string;
  readonly #kind: ConfigKind;

  constructor(daemon: () => Daemon, folders: Folders, folder: string, kind: ConfigKind) {
    this.#current = daemon;
    this.#folders = folders;
    this.#folder = folder.replace(/\/+$/, "") || "/";
    this.#kind = kind;
  }

  get #daemon(): Daemon {
    return this.#current(); // another one when another token was given
  }

  get path(): string {
    return configPath(this.#folder, this.#kind);
  }

  async list(): Promise<Listing> {
    if (!(await this.#folders.find(this.#folder))) return { state: "no folder" };
    if (!(await this.#isThere())) return { state: "ready", isThere: false, entries: {} };
    const text = await this.#daemon.fs.readText(this.path);
    const read = readJson(text);
    if ("fault" in read) return this.#broken(read.fault, markAt(text, read.offset));
    const entries = isFields(read.value) ? Object.entries(read.value) : [];
    const wrong = entries.find(([, entry]) => !isFields(entry));
    if (!isFields(read.value) || wrong) {
      const at = (wrong && read.offsets.get(wrong[0])) ?? 0;
      return this.#broken("An object of objects is expected here.", markAt(text, at));
    }
    return { state: "ready", isThere: true, entries: read.value as Readonly<Record<string, Fields>> };
  }

  /** In the daemon's spelling. Rejects with config_corrupt when its shape is wrong. */
  async read(name: string): Promise<Fields> {
    const entry = await this.#daemon[this.#kind].get(this.#folder, name);
    if (entry) return entry as unknown as Fields;
    throw new SandboxAgentError(`“${name}” is no longer in ${this.path}.`, { code: "not_found" });
  }

  /** `before`: as the file had it when it was read; undefined for a new one. Nothing that somebody else wrote is replaced. */
  async save(name: string, value: Fields, before: Fields | undefined): Promise<Saved> {
    const listing = await this.list();
    const now = listing.state === "ready" && Object.hasOwn(listing.entries, name) ? listing.entries[name] : undefined;
    if (before === undefined && now !== undefined) return "taken";
    if (before !== undefined && JSON.stringify(now) !== JSON.stringify(before)) return "changed";
    if (this.#kind === "mcp") await this.#daemon.mcp.set(this.#folder, name, value as unknown as McpConfig);
    else await this.#daemon.skills.set(this.#folder, name, value as unknown as SkillsConfig);
    this.#folders.forget(this.#folder);
    return "saved";
  }

  async remove(name: string): Promise<void> {
    await this.#daemon[this.#kind].remove(this.#folder, name);
    this.#folders.forget(this.#folder);
  }

  async #isThere(): Promise<boolean> {
    let here = this.#folder;
    for (const step of [...steps, `${this.#kind}.json`]) {
      const entries = await this.#daemon.fs.list(here);
      const next = entries.find(({ name }) => name === step);
      if (!next) return false;
      here = next.path;
    }
    return true;
  }

  // In the daemon's words.
  async #broken(fault: string, mark: Mark): Promise<Listing> {
    try {
      await this.#daemon[this.#kind].get(this.#folder, "-");
    } catch (error) {
      if (!(error instanceof SandboxAgentError) || error.code !== "config_corrupt") throw error;
      return { state: "broken", detail: error.message, mark };
    }
    return { state: "broken", detail: fault, mark };
  }
}
