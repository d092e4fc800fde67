// Whether a program is where the daemon runs, as far as the file API can tell. Nothing is started.
import { argumentsHint } from "../state/config_form.js";
import type { App } from "./app.js";

/** One sentence. */
export async function lookForCommand(app: App, command: string): Promise<string> {
  const slash = command.lastIndexOf("/");
  const folder = command.slice(0, slash) || "/";
  if (!(await app.folders.exists(folder)))
    return `There is no folder ${folder} where the daemon runs. ${argumentsHint(command)}`.trim();
  const entry = (await app.daemon.fs.list(folder)).find(({ name }) => name === command.slice(slash + 1));
  if (!entry) return `There is no ${command} where the daemon runs. ${argumentsHint(command)}`.trim();
  if (entry.entryType === "directory") return `${command} is a folder.`;
  const mode = entry.symlink === undefined ? entry.mode : (await app.daemon.fs.stat(entry.path)).mode;
  if ((Number.parseInt(mode, 8) & 0o111) === 0) return `${command} is there, but may not be executed: chmod +x it.`;
  return `${command} is there and may be executed.`;
}
