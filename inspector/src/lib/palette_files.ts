// The files below the folder that is worked in, for the palette.
import type { App } from "./app.js";
import { searchIn, type FileSearch } from "./file_search.js";
import { sessionFolder } from "./session_folder.js";

/** The folder that is worked in: of the session that is shown, else the daemon's own. */
export function workFolder(app: App): string | undefined {
  return sessionFolder(app) ?? app.store.state.home;
}

/** Undefined: there is no such folder. */
export async function filesBelow(app: App, folder: string): Promise<FileSearch | undefined> {
  return (await app.folders.exists(folder)) ? searchIn(folder, (path) => app.daemon.fs.list(path)) : undefined;
}
