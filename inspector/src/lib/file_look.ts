// Looks at a path: what is there, and as much of it as can be shown. Large files are not read whole.
import { SandboxAgentError, type Daemon } from "sandbox-agent/daemon";
import { parentOf } from "../state/file_paths.js";
import { pictureKind, textIn, type FileText } from "../state/file_text.js";
import type { FileStat } from "../state/file_tree.js";
import type { Problem } from "../state/problem.js";
import { problemOf } from "./problem.js";

const mostText = 2_000_000; // bytes that are read whole
const mostPicture = 20_000_000;
const textHead = 64_000;
const hexHead = 4_096;

export type Look = { readonly path: string } & (
  | { readonly kind: "folder"; readonly stat: FileStat }
  | { readonly kind: "text"; readonly stat: FileStat; readonly etag: string; readonly content: FileText }
  /** The beginning of a text that is too large to show. */
  | { readonly kind: "head"; readonly stat: FileStat; readonly content: FileText; readonly bytes: number }
  | { readonly kind: "picture"; readonly stat: FileStat; readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "bytes"; readonly stat: FileStat; readonly head: Uint8Array }
  | { readonly kind: "special"; readonly stat: FileStat }
  /** There is nothing, or it cannot be read. `nearest`: a folder above it that is there. */
  | { readonly kind: "failed"; readonly problem: Problem; readonly isMissing: boolean; readonly nearest?: string }
);

export async function lookAt({ fs }: Daemon, path: string, signal: AbortSignal): Promise<Look> {
  try {
    const stat = await fs.stat(path, { signal });
    if (stat.entryType === "directory") return { path, kind: "folder", stat };
    if (stat.special !== undefined) return { path, kind: "special", stat };
    if (stat.size > mostText) return await lookAtLarge(fs, path, stat, signal);
    const file = await fs.open(path, { signal });
    if (file.size > mostText) {
      await file.stream().cancel();
      return await lookAtLarge(fs, path, stat, signal); // it grew meanwhile
    }
    const bytes = (await file.bytes()) as Uint8Array<ArrayBuffer>;
    const type = pictureKind(bytes);
    if (type !== undefined) return { path, kind: "picture", stat, type, bytes };
    const content = textIn(bytes);
    if (content) return { path, kind: "text", stat, etag: file.etag, content };
    return { path, kind: "bytes", stat, head: bytes.subarray(0, hexHead) };
  } catch (error) {
    const isMissing = error instanceof SandboxAgentError && (error.status === 404 || error.status === 409);
    const nearest = isMissing ? await nearestFolder(fs, path, signal) : undefined;
    return { path, kind: "failed", problem: problemOf(error), isMissing, ...(nearest !== undefined && { nearest }) };
  }
}

async function lookAtLarge(fs: Daemon["fs"], path: string, stat: FileStat, signal: AbortSignal): Promise<Look> {
  const head = await fs.readFile(path, { range: { offset: 0, length: textHead }, signal });
  const type = pictureKind(head);
  if (type !== undefined && stat.size <= mostPicture) {
    return { path, kind: "picture", stat, type, bytes: (await fs.readFile(path, { signal })) as Uint8Array<ArrayBuffer> };
  }
  const content = type === undefined ? textIn(head, true) : undefined;
  if (content) return { path, kind: "head", stat, content, bytes: head.length };
  return { path, kind: "bytes", stat, head: head.subarray(0, hexHead) };
}

async function nearestFolder(fs: Daemon["fs"], path: string, signal: AbortSignal): Promise<string | undefined> {
  for (let at = path; at !== "/";) {
    at = parentOf(at);
    try {
      if ((await fs.stat(at, { signal })).entryType === "directory") return at;
    } catch {
      // higher, then
    }
  }
  return undefined;
}
