// What is in a file: text, a picture or just bytes; and text back into the bytes it was made of. Fields know only one kind of line
// end, so what the file had is noted and put back.

export type LineEnds = "LF" | "CRLF" | "CR" | "mixed";

export interface FileText {
  /** With "\n" as line end, without a byte order mark. */
  readonly text: string;
  readonly ends: LineEnds;
  readonly hasMark: boolean;
}

/** The text in these bytes; undefined: they are none. `isCut`: they may end in the middle of a character. */
export function textIn(bytes: Uint8Array, isCut = false): FileText | undefined {
  if (bytes.includes(0)) return undefined;
  let whole: string;
  try {
    whole = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  } catch {
    return undefined;
  }
  const hasMark = whole.startsWith("\ufeff");
  const ends = lineEndsOf(whole);
  const text = (hasMark ? whole.slice(1) : whole).replace(/\r\n?/g, "\n");
  return { text, ends, hasMark };
}

/** The bytes of a text that was edited: as the file had it, or with LF where it was mixed. */
export function bytesOf({ text, ends, hasMark }: FileText): Uint8Array {
  const end = ends === "CRLF" ? "\r\n" : ends === "CR" ? "\r" : "\n";
  return new TextEncoder().encode((hasMark ? "\ufeff" : "") + (end === "\n" ? text : text.replaceAll("\n", end)));
}

function lineEndsOf(text: string): LineEnds {
  const crlf = text.split("\r\n").length - 1;
  const cr = text.split("\r").length - 1 - crlf;
  const lf = text.split("\n").length - 1 - crlf;
  if (crlf > 0 && cr === 0 && lf === 0) return "CRLF";
  if (cr > 0 && crlf === 0 && lf === 0) return "CR";
  return cr > 0 || crlf > 0 ? "mixed" : "LF";
}

const pictures: readonly (readonly [string, RegExp])[] = [
  ["image/png", /^\x89PNG\r\n\x1a\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF[^]{4}WEBP/],
  ["image/avif", /^[^]{4}ftypavi[fs]/],
  ["image/bmp", /^BM[^]{4}\0\0\0\0/],
  ["image/x-icon", /^\0\0\x01\0[^]\0?/],
];

/** The kind of picture that begins so; undefined: none that a browser shows. */
export function pictureKind(head: Uint8Array): string | undefined {
  const words = String.fromCharCode(...head.subarray(0, 16));
  return pictures.find(([, beginning]) => beginning.test(words))?.[0];
}

export interface HexRow {
  readonly offset: string;
  readonly hex: string;
  readonly text: string;
}

/** Bytes as they are written in tables: sixteen in a row. */
export function hexRows(bytes: Uint8Array): HexRow[] {
  const rows: HexRow[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const part = [...bytes.subarray(at, at + 16)];
    const hex = part.map((byte, index) => (index === 8 ? " " : "") + byte.toString(16).padStart(2, "0")).join(" ");
    const text = part.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·")).join("");
    rows.push({ offset: at.toString(16).padStart(8, "0"), hex, text });
  }
  return rows;
}

const languages: Readonly<Record<string, string>> = {
  yml: "yaml",
  sh: "bash",
  bashrc: "bash",
  profile: "bash",
  htm: "html",
  py: "python",
  md: "markdown",
  js: "javascript",
  ts: "typescript",
  hh: "cpp",
  svg: "markup",
  xml: "markup",
};

/** The word for the colours of a file with this name; "" when the name says nothing. */
export function languageOf(name: string): string {
  const end = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return end === name.toLowerCase() ? "" : (languages[end] ?? end);
}
