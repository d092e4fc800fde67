// skills: the sets of skills configured for a directory.
import type { components } from "./generated/api.js";
import type { Caller } from "./http/caller.js";
import { undefinedWhenMissing } from "./http/missing.js";
import type { CallOptions } from "./http/options.js";

export type SkillsConfig = components["schemas"]["SkillsConfig"];
export type SkillSource = components["schemas"]["SkillSource"];

export class Skills {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** The entry, or undefined when there is none. */
  async get(directory: string, name: string, options: CallOptions = {}): Promise<SkillsConfig | undefined> {
    const query = { directory, skillName: name };
    return this.#caller.json("get", "/v1/config/skills", { ...options, query }).catch(undefinedWhenMissing);
  }

  /** Adds or replaces the entry. */
  async set(directory: string, name: string, config: SkillsConfig, options: CallOptions = {}): Promise<void> {
    await this.#caller.json("put", "/v1/config/skills", { ...options, query: { directory, skillName: name }, json: config });
  }

  /** Removes the entry; one that is not there is fine. */
  async remove(directory: string, name: string, options: CallOptions = {}): Promise<void> {
    await this.#caller.json("delete", "/v1/config/skills", { ...options, query: { directory, skillName: name } });
  }
}
