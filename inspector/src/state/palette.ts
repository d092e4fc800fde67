// Finding by a few letters: which entries a query means, the best first, and which of their letters it names.
import { lettersOf, type Match } from "./fuzzy.js";

export interface Findable {
  readonly group: string;
  readonly name: string;
  /** Also searched, and shown beside the name: a folder, an agent. */
  readonly about?: string;
}

export interface Hit<Entry> {
  readonly entry: Entry;
  /** Which letters of the name were meant. */
  readonly marks: readonly number[];
}

export interface HitGroup<Entry> {
  readonly name: string;
  readonly hits: readonly Hit<Entry>[];
  /** How many more were found. */
  readonly left: number;
}

/** In groups, each with its best first; groups as their entries come, or with a query the one with the best entry first. */
export function find<Entry extends Findable>(entries: readonly Entry[], query: string, most: number): HitGroup<Entry>[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, { hit: Hit<Entry>; score: number }[]>();
  for (const entry of entries) {
    const match = matchOf(entry, words);
    if (!match) continue;
    const group = groups.get(entry.group) ?? [];
    group.push({ hit: { entry, marks: match.marks }, score: match.score });
    groups.set(entry.group, group);
  }
  const best = (group: { score: number }[]) => Math.max(...group.map(({ score }) => score));
  const all = [...groups].map(([name, found]) => ({ name, found: found.sort((a, b) => b.score - a.score) }));
  if (words.length > 0) all.sort((a, b) => best(b.found) - best(a.found));
  return all.map(({ name, found }) => ({
    name,
    hits: found.slice(0, most).map(({ hit }) => hit),
    left: Math.max(0, found.length - most),
  }));
}

// Every word must be there, in the name or, for less, in what is said about it.
function matchOf({ name, about = "" }: Findable, words: readonly string[]): Match | undefined {
  let score = words.length === 0 ? 0 : -name.length / 1_000;
  const marks = new Set<number>();
  for (const word of words) {
    const inName = lettersOf(name, word);
    const found = inName ?? lettersOf(about, word);
    if (!found) return undefined;
    score += inName ? found.score : found.score / 4;
    for (const mark of inName?.marks ?? []) marks.add(mark);
  }
  return { score, marks: [...marks].sort((a, b) => a - b) };
}
