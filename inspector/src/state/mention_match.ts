// Which files a few letters may mean: those with the letters in their own name first, then those with them anywhere in the path.
import { lettersOf } from "./fuzzy.js";

/** The paths that match, the best of them; without a query the shallowest. */
export function matching(paths: readonly string[], query: string, most: number): string[] {
  const wanted = query.toLowerCase();
  const scored: { path: string; score: number }[] = [];
  for (const path of paths) {
    const score = scoreOf(path, wanted);
    if (score !== undefined) scored.push({ path, score });
  }
  scored.sort((a, b) => b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
  return scored.slice(0, most).map(({ path }) => path);
}

function scoreOf(path: string, wanted: string): number | undefined {
  if (wanted === "") return -path.split("/").length;
  const inName = lettersOf(path.slice(path.lastIndexOf("/") + 1), wanted);
  return inName ? 1.5 * inName.score : lettersOf(path, wanted)?.score;
}

/** The folder that a few letters name, up to their last "/"; undefined: none below the one that is worked in. */
export function folderIn(query: string): string | undefined {
  const path = query.slice(0, query.lastIndexOf("/") + 1);
  const names = path.split("/").slice(0, -1);
  return names.length === 0 || names.some((name) => name === "" || name === "." || name === "..") ? undefined : path;
}
