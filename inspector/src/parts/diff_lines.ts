// The lines of a change: which are new, gone or the same, which words changed within a line, and how they lie beside each other.
// Pure; the time is bounded: what is too large or too different is said to be so.
import { diffArrays, diffWordsWithSpace } from "diff";

export interface DiffPart {
  readonly text: string;
  readonly changed: boolean;
}

export interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  /** Its number in the old text, in the new text. */
  readonly old?: number;
  readonly new?: number;
  readonly parts: readonly DiffPart[];
  /** It is the last line and no line break ends it. */
  readonly open?: boolean;
}

export interface LineChanges {
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
}

/** A line of the split view: what was on the left, what is on the right. */
export interface DiffPair {
  readonly left?: DiffLine;
  readonly right?: DiffLine;
}

export interface Fold {
  /** How many lines that did not change are hidden here, and from which on. */
  readonly from: number;
  readonly count: number;
}

const maxSize = 500_000;
const maxChanged = 2000;
const maxTime = 200; // ms
const maxWordLine = 1000;

/** undefined: too large, or too much changed. */
export function changesBetween(oldText: string | null, newText: string): LineChanges | undefined {
  if ((oldText?.length ?? 0) + newText.length > maxSize) return undefined;
  const before = linesOf(oldText ?? "");
  const after = linesOf(newText);
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) ++start;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) ++end;

  const writer = new LineWriter(before, after);
  writer.same(start);
  const gone = before.slice(start, before.length - end);
  const come = after.slice(start, after.length - end);
  if (gone.length === 0 || come.length === 0) writer.changed(gone.length, come.length);
  else {
    const changes = diffArrays(gone, come, { maxEditLength: maxChanged, timeout: maxTime });
    if (changes === undefined) return undefined;
    for (let at = 0; at < changes.length; ++at) {
      const change = changes[at]!;
      const next = changes[at + 1];
      if (!change.added && !change.removed) writer.same(change.count);
      else if (change.removed && next?.added) {
        writer.changed(change.count, next.count);
        ++at;
      } else if (change.added && next?.removed) {
        writer.changed(next.count, change.count);
        ++at;
      } else writer.changed(change.removed ? change.count : 0, change.added ? change.count : 0);
    }
  }
  writer.same(end);
  return writer;
}

/** The lines of a text, each with its line break. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

class LineWriter implements LineChanges {
  readonly lines: DiffLine[] = [];
  added = 0;
  removed = 0;
  #old = 0;
  #new = 0;

  constructor(
    readonly before: readonly string[],
    readonly after: readonly string[],
  ) {}

  same(count: number): void {
    for (let left = count; left > 0; --left) {
      const line = this.after[this.#new]!;
      this.lines.push({ kind: "same", old: ++this.#old, new: ++this.#new, parts: plain(line), ...open(line) });
    }
  }

  changed(removed: number, added: number): void {
    const gone = this.before.slice(this.#old, this.#old + removed);
    const come = this.after.slice(this.#new, this.#new + added);
    // Lines that changed are marked by words only when as many came as went: else nobody knows which became which.
    const marks = removed === added && removed <= 100 ? gone.map((line, at) => wordMarks(line, come[at]!)) : [];
    gone.forEach((line, at) =>
      this.lines.push({ kind: "removed", old: ++this.#old, parts: marks[at]?.old ?? plain(line), ...open(line) }),
    );
    come.forEach((line, at) =>
      this.lines.push({ kind: "added", new: ++this.#new, parts: marks[at]?.new ?? plain(line), ...open(line) }),
    );
    this.removed += removed;
    this.added += added;
  }
}

const open = (line: string) => (line.endsWith("\n") ? {} : { open: true });
const shown = (line: string) => line.replace(/\r?\n$/, "");
const plain = (line: string): DiffPart[] => [{ text: shown(line), changed: false }];

/** Which words differ; undefined when the lines have too little in common. */
export function wordMarks(oldLine: string, newLine: string): { old: DiffPart[]; new: DiffPart[] } | undefined {
  const [before, after] = [shown(oldLine), shown(newLine)];
  if (before === after || before.length > maxWordLine || after.length > maxWordLine) return undefined;
  const changes = diffWordsWithSpace(before, after, { maxEditLength: 200 });
  if (changes === undefined) return undefined;
  const common = changes.reduce((sum, { added, removed, value }) => sum + (added || removed ? 0 : value.trim().length), 0);
  if (common * 3 < Math.min(before.trim().length, after.trim().length)) return undefined;
  const side = (other: "added" | "removed") =>
    changes.filter((change) => !change[other]).map(({ value, added, removed }) => ({ text: value, changed: added || removed }));
  return { old: side("added"), new: side("removed") };
}

/** Lines side by side: within a change, the first that went beside the first that came, and so on. */
export function pairsOf(lines: readonly DiffLine[]): DiffPair[] {
  const pairs: DiffPair[] = [];
  for (let at = 0; at < lines.length;) {
    if (lines[at]!.kind === "same") {
      pairs.push({ left: lines[at]!, right: lines[at]! });
      ++at;
      continue;
    }
    const run = (kind: DiffLine["kind"]) => {
      const from = at;
      while (lines[at]?.kind === kind) ++at;
      return lines.slice(from, at);
    };
    const left = run("removed");
    const right = run("added");
    for (let row = 0; row < Math.max(left.length, right.length); ++row) {
      pairs.push({ ...(left[row] && { left: left[row] }), ...(right[row] && { right: right[row] }) });
    }
  }
  return pairs;
}

/** What is hidden: stretches of more than `least` lines that did not change, save `around` lines beside each change. */
export function foldsOf(lines: readonly DiffLine[], around = 3, least = 8): Fold[] {
  const folds: Fold[] = [];
  for (let at = 0; at < lines.length; ++at) {
    if (lines[at]!.kind !== "same") continue;
    const first = at;
    while (lines[at + 1]?.kind === "same") ++at;
    const from = first === 0 ? 0 : first + around;
    const to = at === lines.length - 1 ? lines.length : at + 1 - around;
    if (to - from >= least) folds.push({ from, count: to - from });
  }
  return folds;
}
