// What runs on this machine, as /proc tells it.
import { readdirSync, readFileSync } from "node:fs";

function read(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return "";  // it ended meanwhile, or is not ours
  }
}

// { pid, parent, started, state, command } of all processes; a pid may be used again, pid and start time together are not.
function processes() {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    const fields = read(pid, "stat").replace(/^.*\) /s, "").split(" ");
    if (fields.length < 20) return [];
    const command = read(pid, "cmdline").replaceAll("\0", " ").trim();
    return [{ pid: Number(pid), state: fields[0], parent: Number(fields[1]), started: fields[19], command }];
  });
}

export function descendants(pid) {
  const all = processes();
  const found = all.filter(({ parent }) => parent === pid);
  for (const { pid: parent } of found) found.push(...all.filter((process) => process.parent === parent));
  return found;
}

// Those of `earlier` that still are there.
export function survivors(earlier) {
  const now = new Map(processes().map((process) => [process.pid, process]));
  return earlier.filter(({ pid, started }) => now.get(pid)?.started === started);
}

// Those that carry this environment variable.
export const marked = (variable) =>
  processes().filter(({ pid }) => read(pid, "environ").split("\0").includes(variable));
