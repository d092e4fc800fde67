// Paths of files, as text: absolute, with single slashes, without "." and "..".

/** The same path in its plainest form. What is not absolute begins at `base`. */
export function plainPath(path: string, base = "/"): string {
  const words: string[] = [];
  for (const word of (path.startsWith("/") ? path : `${base}/${path}`).split("/")) {
    if (word === "..") words.pop();
    else if (word !== "" && word !== ".") words.push(word);
  }
  return `/${words.join("/")}`;
}

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";

/** The last word; of the root its slash. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1) || "/";

export const childOf = (folder: string, name: string): string => `${folder === "/" ? "" : folder}/${name}`;

/** Whether a path is a folder or anything below it. */
export function isWithin(path: string, folder: string): boolean {
  return folder === "/" || path === folder || path.startsWith(`${folder}/`);
}

/** The folders from one to another that is within it, both included. */
export function wayDown(folder: string, path: string): string[] {
  const way = [path];
  for (let at = path; at !== folder && at !== "/";) way.unshift((at = parentOf(at)));
  return way;
}

/** Why what was written cannot be the name or the path of something. */
export function nameFault(written: string): string | undefined {
  const last = written
    .trim()
    .split("/")
    .findLast((word) => word !== "");
  if (last === undefined) return "Write a name.";
  return last === "." || last === ".." ? `“${last}” cannot be a name. Choose another.` : undefined;
}

/** Why something cannot be moved there, whatever is there. */
export function moveFault(from: string, to: string): string | undefined {
  if (from === to) return undefined;
  if (isWithin(to, from)) return "A folder cannot be moved into itself. Choose another place.";
  return isWithin(from, to) ? `It lies in ${shownName(to)}, and cannot take its place. Choose another name.` : undefined;
}

/** A name or a path as it can be shown: what would break or turn its line is seen as a sign. */
export function shownName(name: string): string {
  return name.replace(unseen, (sign) => {
    const code = sign.codePointAt(0)!;
    if (code === 0x7f) return "␡";
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `\\u{${code.toString(16)}}`;
  });
}

/** The last word, as it can be shown. */
export const shownNameOf = (path: string): string => shownName(nameOf(path));

// Control characters, those for the direction of text, line ends, and spaces without width.
const unseen = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/gu;

/** Where a path is after something was moved. */
export function movedPath(path: string, from: string, to: string): string {
  return isWithin(path, from) ? to + path.slice(from.length) : path;
}

/** "2 files", "1 file". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
