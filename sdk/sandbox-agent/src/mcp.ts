// mcp: the MCP servers configured for a directory. The daemon keeps them in it; nothing is sent to an agent by itself.
import type { components } from "./generated/api.js";
import type { Caller } from "./http/caller.js";
import { undefinedWhenMissing } from "./http/missing.js";
import type { CallOptions } from "./http/options.js";

export type McpServerConfig = components["schemas"]["McpServerConfig"];

export class McpServers {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** The entry, or undefined when there is none. */
  async get(directory: string, name: string, options: CallOptions = {}): Promise<McpServerConfig | undefined> {
    const query = { directory, mcpName: name };
    return this.#caller.json("get", "/v1/config/mcp", { ...options, query }).catch(undefinedWhenMissing);
  }

  /** Adds or replaces the entry. */
  async set(directory: string, name: string, config: McpServerConfig, options: CallOptions = {}): Promise<void> {
    await this.#caller.json("put", "/v1/config/mcp", { ...options, query: { directory, mcpName: name }, json: config });
  }

  /** Removes the entry; one that is not there is fine. */
  async remove(directory: string, name: string, options: CallOptions = {}): Promise<void> {
    await this.#caller.json("delete", "/v1/config/mcp", { ...options, query: { directory, mcpName: name } });
  }
}
