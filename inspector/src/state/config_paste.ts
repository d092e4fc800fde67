// The JSON of an MCP server as other programs keep it: wrapped as {"mcpServers": {name: …}}, or without a type. Unwrapped, and with the
// type that its members tell, it is what the daemon takes.
import { isFields, type Fields } from "./config_shape.js";
import type { ConfigKind } from "./route.js";

export interface Pasted {
  readonly value: unknown;
  /** Where it is in what was written, as steps. */
  readonly way: readonly string[];
  /** The name that was around it. */
  readonly name?: string;
  /** What was made of it; empty: nothing. */
  readonly said: string;
  /** Why one entry cannot be found in it. */
  readonly fault?: string;
}

const wrapper = "mcpServers";

export function pasted(kind: ConfigKind, value: unknown): Pasted {
  if (kind !== "mcp" || !isFields(value)) return { value, way: [], said: "" };
  const servers = value[wrapper];
  const isWrapped = isFields(servers) && value.type === undefined && value.command === undefined && value.url === undefined;
  if (!isWrapped) return { ...typed(value), way: [] };
  const names = Object.keys(servers);
  const [name] = names;
  if (name === undefined || names.length > 1) {
    const fault =
      name === undefined ? `There is no server in '${wrapper}'.` : `'${wrapper}' has ${names.length} servers; leave one.`;
    return { value, way: [wrapper], said: "", fault };
  }
  const inner = servers[name];
  const { value: entry, said } = isFields(inner) ? typed(inner) : { value: inner, said: "" };
  return { value: entry, way: [wrapper, name], name, said: `Only what is in “${name}” is kept.${said && ` ${said}`}` };
}

function typed(entry: Fields): { readonly value: Fields; readonly said: string } {
  const isLocal = entry.command !== undefined;
  if ((entry.type !== undefined && entry.type !== null) || isLocal === (entry.url !== undefined))
    return { value: entry, said: "" };
  const type = isLocal ? "local" : "remote";
  return { value: { ...entry, type }, said: `It has no type; its ${isLocal ? "command" : "url"} makes it '${type}'.` };
}
