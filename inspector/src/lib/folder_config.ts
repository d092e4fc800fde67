// What is configured for a folder: names and entries of its MCP servers, names of its skills. Read from the files, which the file API gives.
import type { Daemon } from "sandbox-agent/daemon";
import type { McpServerEntry } from "sandbox-agent/transcript";
import { fieldsOf } from "../state/json_rpc.js";

export interface FolderConfig {
  readonly mcp: Readonly<Record<string, McpServerEntry>>;
  readonly skills: readonly string[];
}

export async function folderConfig(daemon: Daemon, folder: string): Promise<FolderConfig> {
  const place = `${folder.replace(/\/+$/, "")}/.sandbox-agent/config`;
  const names = await daemon.fs.list(place).then(
    (entries) => new Set(entries.map(({ name }) => name)),
    () => new Set<string>(), // most folders have none
  );
  const read = async (name: string) => {
    if (!names.has(name)) return {};
    try {
      return fieldsOf(JSON.parse(await daemon.fs.readText(`${place}/${name}`)));
    } catch {
      return {}; // a file that cannot be read offers nothing to choose
    }
  };
  const [mcp, skills] = await Promise.all([read("mcp.json"), read("skills.json")]);
  return { mcp: mcp as Record<string, McpServerEntry>, skills: Object.keys(skills) };
}
