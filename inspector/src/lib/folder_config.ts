// What is configured for a folder: names and entries of its MCP servers, names of its skills. Read from the files, which the file API gives.
import type { Daemon } from "sandbox-agent/daemon";
import type { McpServerEntry } from "sandbox-agent/transcript";
import { fieldsOf } from "../state/json_rpc.js";
import type { Folders } from "./folders.js";

export interface FolderConfig {
  readonly mcp: Readonly<Record<string, McpServerEntry>>;
  readonly skills: readonly string[];
}

export async function folderConfig(folders: Folders, daemon: Daemon, folder: string): Promise<FolderConfig> {
  const files = await folders.list(`${folder.replace(/\/+$/, "")}/.sandbox-agent/config`);
  const read = async (wanted: string) => {
    const file = files.find(({ name }) => name === wanted);
    if (!file) return {}; // most folders have none
    try {
      return fieldsOf(JSON.parse(await daemon.fs.readText(file.path)));
    } catch {
      return {}; // a file that cannot be read offers nothing to choose
    }
  };
  const [mcp, skills] = await Promise.all([read("mcp.json"), read("skills.json")]);
  const servers = Object.entries(mcp).filter(([, entry]) => "command" in fieldsOf(entry) || "url" in fieldsOf(entry));
  return { mcp: Object.fromEntries(servers) as Record<string, McpServerEntry>, skills: Object.keys(skills) };
}
