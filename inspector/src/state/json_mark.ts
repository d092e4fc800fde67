// Where in a JSON text something is: the place where it stops being JSON, and the place of each value by its path. Browsers say the first
// in words of their own, some without a place, and the second not at all.

/** Counted from 1, as editors do. */
export interface Mark {
  readonly line: number;
  readonly column: number;
}

export type JsonRead =
  | { readonly value: unknown; readonly offsets: ReadonlyMap<string, number> }
  | { readonly fault: string; readonly offset: number };

const deepest = 256; // what the daemon reads

/** Paths are the daemon's: `env.PATH`, `sources[0].type`; the whole is "". */
export function readJson(text: string): JsonRead {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { fault } = scanned(text);
    return fault ? { fault: fault.message, offset: fault.offset } : { fault: "This is not JSON.", offset: 0 };
  }
  let offsets: ReadonlyMap<string, number> | undefined;
  return {
    value,
    get offsets() {
      return (offsets ??= scanned(text).offsets); // when somebody asks for places: a text may be long
    },
  };
}

// The places of the values, up to a fault.
function scanned(text: string): { offsets: ReadonlyMap<string, number>; fault?: Fault } {
  const offsets = new Map<string, number>();
  try {
    new Scanner(text, offsets).document();
    return { offsets };
  } catch (error) {
    if (error instanceof Fault) return { offsets, fault: error };
    throw error;
  }
}

export function markAt(text: string, offset: number): Mark {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return { line, column: offset - (before.lastIndexOf("\n") + 1) + 1 };
}

export function offsetOf(text: string, { line, column }: Mark): number {
  const above = text.split("\n").slice(0, line - 1);
  return above.reduce((sum, { length }) => sum + length + 1, 0) + column - 1;
}

/** The place of a value; of one that is missing, that of what it is missing in. */
export function placeOf(offsets: ReadonlyMap<string, number>, path: string): number {
  for (let here = path; here !== ""; here = here.replace(/(?:^|\.)[^.[]*$|\[\d+\]$|.$/, "")) {
    const offset = offsets.get(here);
    if (offset !== undefined) return offset;
  }
  return offsets.get("") ?? 0;
}

class Fault extends Error {
  readonly offset: number;

  constructor(offset: number, what: string) {
    super(what);
    this.offset = offset;
  }
}

const space = /[ \t\r\n]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /(?:true|false|null)(?![\p{L}\d_])/uy;
const plain = /[^"\\\u0000-\u001f]*/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

class Scanner {
  readonly #text: string;
  readonly #offsets: Map<string, number>;
  #at = 0;

  constructor(text: string, offsets: Map<string, number>) {
    this.#text = text;
    this.#offsets = offsets;
  }

  document(): void {
    this.#value("", 0);
    if (this.#next() !== undefined) this.#fail("Only one value is expected; something follows it.");
  }

  #value(path: string, depth: number): void {
    const first = this.#next();
    if (depth > deepest) this.#fail("This nests too deep.");
    this.#offsets.set(path, this.#at);
    if (first === "{") return this.#members(path, depth + 1);
    if (first === "[") return this.#items(path, depth + 1);
    if (first === '"') return void this.#string();
    if (this.#take(number) !== undefined || this.#take(word) !== undefined) return;
    if (first === undefined) this.#fail("The text ends where a value is expected.");
    if (first === "'") this.#fail("Texts stand in double quotes.");
    this.#fail(/[}\],]/.test(first) ? "A value is missing here." : "This is no value; texts stand in double quotes.");
  }

  #members(path: string, depth: number): void {
    this.#at++;
    if (this.#skip("}")) return;
    for (;;) {
      const first = this.#next();
      if (first === undefined) this.#fail("The text ends before the closing }.");
      if (first === "}") this.#fail("There is a comma too many before this.");
      if (first !== '"') this.#fail("A name in double quotes is expected here.");
      const name = this.#string();
      if (!this.#skip(":")) this.#fail("A colon is missing before this.");
      this.#value(path === "" ? name : `${path}.${name}`, depth);
      if (this.#skip("}")) return;
      if (!this.#skip(",")) this.#fail(this.#next() === undefined ? "The text ends before the closing }." : missing("}"));
    }
  }

  #items(path: string, depth: number): void {
    this.#at++;
    if (this.#skip("]")) return;
    for (let item = 0; ; ++item) {
      if (this.#next() === "]") this.#fail("There is a comma too many before this.");
      this.#value(`${path}[${item}]`, depth);
      if (this.#skip("]")) return;
      if (!this.#skip(",")) this.#fail(this.#next() === undefined ? "The text ends before the closing ]." : missing("]"));
    }
  }

  #string(): string {
    const from = this.#at++;
    do this.#take(plain);
    while (this.#take(escape) !== undefined);
    if (this.#text[this.#at] === '"') return JSON.parse(this.#text.slice(from, ++this.#at)) as string;
    this.#at = from;
    const end = /["\n]/.exec(this.#text.slice(from + 1))?.[0];
    return this.#fail(
      end === '"' ? "This text has a character or a \\ that must be escaped." : "The closing quote of this text is missing.",
    );
  }

  // The next character that is no space; undefined at the end.
  #next(): string | undefined {
    this.#take(space);
    return this.#text[this.#at];
  }

  #skip(character: string): boolean {
    if (this.#next() !== character) return false;
    this.#at++;
    return true;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #fail(what: string): never {
    throw new Fault(this.#at, what);
  }
}

const missing = (close: string) => `A comma or the closing ${close} is missing before this.`;
