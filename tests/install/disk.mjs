// What lies in a folder, and which processes belong to a scene.
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import path from "node:path";

// Everything below `folder`, by relative name: kind, mode and content of each. Equal shots are equal trees.
export function treeShot(folder) {
  if (!existsSync(folder)) return {};
  const shot = {};
  for (const name of readdirSync(folder, { recursive: true }).sort()) {
    const file = path.join(folder, name);
    const state = lstatSync(file);
    const mode = (state.mode & 0o7777).toString(8);
    if (state.isSymbolicLink()) shot[name] = `link ${readlinkSync(file)}`;
    else if (state.isDirectory()) shot[name] = `directory ${mode}`;
    else shot[name] = `file ${mode} ${createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 16)}`;
  }
  return shot;
}

// Names directly in `folder`; none when it is not there.
export const namesIn = (folder) => (existsSync(folder) ? readdirSync(folder).sort() : []);

// Processes that carry this text in their environment: [{pid, command}].
export function processesWith(text) {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, "latin1").includes(text)) return [];
      const command = readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ").trim();
      return command ? [{ pid: Number(pid), command }] : [];
    } catch {
      return []; // it ended meanwhile
    }
  });
}
