// Edits as one patch that `git apply` and `patch -p1` take. Agents tell an edit as the whole file before and after, or only as the lines
// around it: where those lie is found in the file as it is now, by undoing the edits one by one.
import { structuredPatch } from "diff";
import type { Edit } from "./changes.js";

export interface PatchedFile {
  readonly path: string;
  /** Those that go into the patch, in order. */
  readonly edits: readonly Edit[];
  /** Those that came after them. */
  readonly later: readonly Edit[];
  /** What the file is now, if that is known. */
  readonly content?: string | undefined;
}

export interface Patch {
  readonly text: string;
  /** Files in which the lines may have other numbers: the edits told perhaps only parts, and the file as it is does not have them. */
  readonly unplaced: readonly string[];
}

type Step = Pick<Edit, "oldText" | "newText">;

const around = 3; // lines
const bounds = { context: around, maxEditLength: 4_000, timeout: 300 };

export function patchOf(files: readonly PatchedFile[], folder: string | undefined): Patch {
  const unplaced: string[] = [];
  const texts = files.map((file) => {
    const whole = wholeStep(file);
    if (!whole) unplaced.push(file.path);
    const joined = whole ?? joinedStep(file.edits);
    const steps = joined ? [joined] : file.edits;
    const hunks = steps.flatMap(hunksOf).join("");
    return hunks === "" && steps[0]?.oldText !== null ? "" : headOf(inFolder(file.path, folder), steps) + hunks;
  });
  return { text: texts.join(""), unplaced };
}

// The file before the edits and after them; undefined: that cannot be known.
function wholeStep({ edits, later, content }: PatchedFile): Step | undefined {
  const newText = content === undefined ? undefined : undone(later, content);
  const oldText = newText === undefined || newText === null ? undefined : undone(edits, newText);
  if (newText !== undefined && newText !== null && oldText !== undefined) return { oldText, newText };
  const joined = joinedStep(edits);
  return joined?.oldText === null ? joined : undefined; // what was told of a new file is all of it
}

// The edits as one, if each begins where the one before ended. They may be of a part of the file.
function joinedStep([first, ...others]: readonly Step[]): Step | undefined {
  return others.reduce(then, first);
}

// What there was before these edits. null: no file.
function undone(edits: readonly Step[], content: string): string | null | undefined {
  return edits.reduceRight<string | null | undefined>((text, { oldText, newText }) => {
    if (text === undefined || text === null) return undefined;
    if (text === newText) return oldText;
    return oldText === null ? undefined : replacedOnce(text, newText, oldText);
  }, content);
}

// Two steps as one, if the second begins where the first ended.
function then(before: Step | undefined, { oldText, newText }: Step): Step | undefined {
  if (!before) return undefined;
  if (oldText === before.newText) return { ...before, newText };
  const next = replacedOnce(before.newText, oldText ?? "", newText);
  return next === undefined ? undefined : { ...before, newText: next };
}

function replacedOnce(text: string, part: string, other: string): string | undefined {
  const at = part === "" ? -1 : text.indexOf(part);
  if (at < 0 || text.includes(part, at + 1)) return undefined;
  return text.slice(0, at) + other + text.slice(at + part.length);
}

function headOf(path: string, [first]: readonly Step[]): string {
  const [before, after] = [quoted(`a/${path}`), quoted(`b/${path}`)];
  const isNew = first?.oldText === null;
  const isEmpty = isNew && first.newText === "";
  const names = isEmpty ? "" : `--- ${isNew ? "/dev/null" : named(before)}\n+++ ${named(after)}\n`;
  return `diff --git ${before} ${after}\n${isNew ? "new file mode 100644\n" : ""}${names}`;
}

function hunksOf({ oldText, newText }: Step): string[] {
  const patch = structuredPatch("", "", oldText ?? "", newText, undefined, undefined, bounds);
  const hunks = patch?.hunks ?? [allOf(oldText ?? "", newText)];
  return hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => {
    const range = (start: number, count: number) => `${count === 0 ? Math.max(0, start - 1) : start},${count}`;
    return `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@\n${lines.map((line) => `${line}\n`).join("")}`;
  });
}

// Too different to compare: all lines go, and all others come.
function allOf(oldText: string, newText: string) {
  const linesOf = (sign: string, text: string) => {
    const lines = text.split("\n");
    const isEnded = lines.at(-1) === "";
    if (isEnded) lines.pop();
    return {
      count: lines.length,
      lines: [...lines.map((line) => sign + line), ...(isEnded ? [] : ["\\ No newline at end of file"])],
    };
  };
  const gone = linesOf("-", oldText);
  const come = linesOf("+", newText);
  return { oldStart: 1, oldLines: gone.count, newStart: 1, newLines: come.count, lines: [...gone.lines, ...come.lines] };
}

function inFolder(path: string, folder = ""): string {
  const root = `${folder.replace(/\/+$/, "")}/`;
  return folder !== "" && path.startsWith(root) ? path.slice(root.length) : path.replace(/^\/+/, "");
}

// A name with a blank in it ends with a tab, one with stranger signs is quoted: so git does it.
const named = (name: string) => (/ /.test(name) && !name.startsWith('"') ? `${name}\t` : name);

function quoted(name: string): string {
  if (!/["\\\x00-\x1f\x7f]/.test(name)) return name;
  const signs: Record<string, string> = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r" };
  const escaped = [...name].map((sign) => {
    const code = sign.charCodeAt(0);
    return signs[sign] ?? (code < 32 || code === 127 ? `\\${code.toString(8).padStart(3, "0")}` : sign);
  });
  return `"${escaped.join("")}"`;
}
