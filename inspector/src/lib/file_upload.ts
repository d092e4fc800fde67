// Files from this computer to the daemon's: what was dropped or chosen, and how it is sent. One file goes by itself, several as one
// archive; the browser takes their bytes from the disk while it sends.
import type { Daemon } from "sandbox-agent/daemon";
import { childOf } from "../state/file_paths.js";
import { tarEnd, tarHead, tarPadding } from "../state/file_tar.js";

export interface UploadItem {
  /** Relative to the folder it goes to. */
  readonly path: string;
  /** Undefined: a folder. */
  readonly file?: File;
}

/** The names that an upload makes in its folder. */
export const namesOf = (items: readonly UploadItem[]): string[] => [...new Set(items.map(({ path }) => path.split("/")[0]!))];

export const bytesIn = (items: readonly UploadItem[]): number => items.reduce((sum, { file }) => sum + (file?.size ?? 0), 0);

/** What was dropped, folders with all that is in them. To be called while the drop is handled. */
export async function droppedItems(data: DataTransfer): Promise<UploadItem[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry());
  const files = [...data.files];
  if (entries.every((entry) => entry === null)) return files.map((file) => ({ path: file.name, file }));
  const found: UploadItem[] = [];
  for (const entry of entries) if (entry) await collect(entry, "", found);
  return found;
}

async function collect(entry: FileSystemEntry, folder: string, found: UploadItem[]): Promise<void> {
  const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
  if (entry.isFile) {
    const file = await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail));
    found.push({ path, file });
    return;
  }
  found.push({ path });
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0) return; // it gives a hundred at a time
    for (const below of some) await collect(below, path, found);
  }
}

/** `mayReplace`: what is there already is replaced; else a single file that is there is refused. */
export async function upload(
  { fs }: Daemon,
  folder: string,
  items: readonly UploadItem[],
  { mayReplace, signal }: { mayReplace: boolean; signal: AbortSignal },
): Promise<void> {
  const only = items.length === 1 ? items[0] : undefined;
  if (only?.file) {
    await fs.writeFile(childOf(folder, only.path), only.file, { signal, ...(!mayReplace && { ifNoneMatch: "*" }) });
    return;
  }
  await fs.uploadTar(archiveOf(items), { path: folder, signal });
}

function archiveOf(items: readonly UploadItem[]): Blob {
  const parts: BlobPart[] = [];
  for (const { path, file } of items) {
    const modified = file?.lastModified ?? Date.now();
    parts.push(tarHead({ path, modified, ...(file && { size: file.size }) }));
    if (file) parts.push(file, tarPadding(file.size));
  }
  return new Blob([...parts, tarEnd()]);
}
