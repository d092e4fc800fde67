// A tar archive, header by header (POSIX ustar; what does not fit there goes into a pax header before it). The content is the
// caller's: whatever Blob takes.

export interface TarEntry {
  /** Relative, with slashes. */
  readonly path: string;
  /** Bytes of its content; undefined: a folder. */
  readonly size?: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

const block = 512;
const most = 8 ** 11; // what eleven octal digits cannot say any more
const encoder = new TextEncoder();

/** What stands before an entry's content. */
export function tarHead({ path, size, modified }: TarEntry): Uint8Array<ArrayBuffer> {
  const name = size === undefined ? `${path}/` : path;
  const long = new Map<string, string>();
  if (encoder.encode(name).length > 100 || /[^ -~]/.test(name)) long.set("path", name);
  if (size !== undefined && size >= most) long.set("size", String(size));
  const kind = size === undefined ? "5" : "0";
  const own = header(name, size === undefined || size >= most ? 0 : size, modified, kind);
  if (long.size === 0) return own;
  const records = encoder.encode([...long].map(([key, value]) => record(key, value)).join(""));
  return joined(header("pax", records.length, modified, "x"), records, tarPadding(records.length), own);
}

/** Fills the last block of a content. */
export const tarPadding = (size: number): Uint8Array<ArrayBuffer> => new Uint8Array((block - (size % block)) % block);

/** Two empty blocks. */
export const tarEnd = (): Uint8Array<ArrayBuffer> => new Uint8Array(2 * block);

function header(name: string, size: number, modified: number, kind: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(block);
  const put = (at: number, text: string) => bytes.set(encoder.encode(text), at);
  const octal = (value: number, digits: number) => Math.max(0, Math.floor(value)).toString(8).padStart(digits, "0");
  bytes.set(encoder.encode(name).subarray(0, 100), 0);
  put(100, kind === "5" ? "0000755" : "0000644");
  put(108, octal(0, 7)); // owner
  put(116, octal(0, 7)); // group
  put(124, octal(size, 11));
  put(136, octal(modified / 1000, 11));
  put(148, "        "); // counts as spaces in its own sum
  put(156, kind);
  put(257, "ustar\0" + "00");
  put(
    148,
    `${octal(
      bytes.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0 `,
  );
  return bytes;
}

// "<length> key=value\n", where the length counts itself.
function record(key: string, value: string): string {
  const rest = encoder.encode(` ${key}=${value}\n`).length;
  let length = rest;
  while (length !== rest + String(length).length) length = rest + String(length).length;
  return `${length} ${key}=${value}\n`;
}

function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
