// What a terminal's output looks like at the end: lines of runs of text, each with its look. Colours and weights are understood,
// a carriage return and a backspace go back in the line, erasing a line is done; every other sequence is dropped.

/** 0 to 15: a colour of the theme; a text: that colour. */
export type AnsiColour = number | string;

export interface AnsiLook {
  readonly colour?: AnsiColour;
  readonly ground?: AnsiColour;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
}

export interface AnsiRun {
  readonly text: string;
  readonly look: AnsiLook;
}

export interface AnsiText {
  /** How many lines were cut off at the top. */
  readonly before: number;
  readonly lines: readonly (readonly AnsiRun[])[];
}

const plain: AnsiLook = {};

// A control sequence with its parameters and its letter, a string for the terminal (titles, links), a short escape; the last
// alternative is one that ends with the text.
const sequence =
  /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~])|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-Z\\`-~]|(?:\x1b|\x9b)[^\n]*$|[\n\r\b]|[\x00-\x08\x0b-\x1f\x7f]/g;

export function ansiText(text: string, maxLines = 2000): AnsiText {
  const screen = new Screen(maxLines);
  let end = 0;
  for (const match of text.matchAll(sequence)) {
    if (match.index > end) screen.write(text.slice(end, match.index));
    end = match.index + match[0].length;
    if (match[0] === "\n") screen.newLine();
    else if (match[0] === "\r") screen.column = 0;
    else if (match[0] === "\b") screen.column = Math.max(0, screen.column - 1);
    else if (match[2] === "m") screen.look = changed(screen.look, match[1]!);
    else if (match[2] === "K") screen.erase(match[1]!);
  }
  if (end < text.length) screen.write(text.slice(end));
  return screen.result();
}

class Screen {
  look = plain;
  column = 0;
  readonly #maxLines: number;
  #before = 0;
  #lines: AnsiRun[][] = [];
  #line: AnsiRun[] = [];
  #length = 0;

  constructor(maxLines: number) {
    this.#maxLines = maxLines;
  }

  write(text: string): void {
    const line = this.#line;
    if (this.column > this.#length) this.#append(" ".repeat(this.column - this.#length), plain);
    if (this.column < this.#length) {
      const after = part(line, this.column + text.length, this.#length);
      this.#line = part(line, 0, this.column);
      this.#append(text, this.look);
      for (const run of after) this.#append(run.text, run.look);
    } else this.#append(text, this.look);
    this.column += text.length;
    this.#length = Math.max(this.#length, this.column);
  }

  /** "": from here to the end of the line; "1": from its start to here; "2": all of it. */
  erase(what: string): void {
    if (what === "1") {
      const column = this.column;
      this.column = 0;
      const look = this.look;
      this.look = plain;
      this.write(" ".repeat(Math.min(column + 1, this.#length)));
      this.look = look;
      this.column = column;
      return;
    }
    this.#length = what === "2" ? 0 : Math.min(this.#length, this.column);
    this.#line = part(this.#line, 0, this.#length);
  }

  newLine(): void {
    this.#lines.push(this.#line);
    this.#line = [];
    this.#length = 0;
    this.column = 0;
    if (this.#lines.length > this.#maxLines * 2) this.#cut();
  }

  result(): AnsiText {
    if (this.#line.length > 0) this.#lines.push(this.#line);
    this.#cut();
    return { before: this.#before, lines: this.#lines };
  }

  #append(text: string, look: AnsiLook): void {
    const last = this.#line.at(-1);
    if (last?.look === look) this.#line[this.#line.length - 1] = { text: last.text + text, look };
    else if (text !== "") this.#line.push({ text, look });
  }

  #cut(): void {
    const extra = this.#lines.length - this.#maxLines;
    if (extra <= 0) return;
    this.#before += extra;
    this.#lines = this.#lines.slice(extra);
  }
}

/** The runs of a line between two columns. */
function part(line: readonly AnsiRun[], from: number, to: number): AnsiRun[] {
  const runs: AnsiRun[] = [];
  let start = 0;
  for (const { text, look } of line) {
    const piece = text.slice(Math.max(0, from - start), Math.max(0, to - start));
    if (piece !== "") runs.push({ text: piece, look });
    start += text.length;
  }
  return runs;
}

/** The look after "select graphic rendition" with these parameters. */
function changed(look: AnsiLook, parameters: string): AnsiLook {
  const codes = parameters.split(/[;:]/).map(Number);
  const next: { -readonly [name in keyof AnsiLook]: AnsiLook[name] } = { ...look };
  for (let at = 0; at < codes.length; ++at) {
    const code = codes[at]!;
    if (code === 0) for (const name of Object.keys(next) as (keyof AnsiLook)[]) delete next[name];
    else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 3) next.italic = true;
    else if (code === 4) next.underline = true;
    else if (code === 7) next.inverse = true;
    else if (code === 22) (delete next.bold, delete next.dim);
    else if (code === 23) delete next.italic;
    else if (code === 24) delete next.underline;
    else if (code === 27) delete next.inverse;
    else if (code >= 30 && code <= 37) next.colour = code - 30;
    else if (code >= 90 && code <= 97) next.colour = code - 82;
    else if (code === 39) delete next.colour;
    else if (code >= 40 && code <= 47) next.ground = code - 40;
    else if (code >= 100 && code <= 107) next.ground = code - 92;
    else if (code === 49) delete next.ground;
    else if (code === 38 || code === 48) {
      const { colour, used } = longColour(codes.slice(at + 1), parameters.includes(":"));
      if (colour !== undefined) next[code === 38 ? "colour" : "ground"] = colour;
      at += used;
    }
  }
  return Object.keys(next).length === 0 ? plain : next;
}

/** "5;n": one of 256; "2;r;g;b": that colour (with colons a colour space may come before r). */
function longColour(codes: number[], colons: boolean): { colour?: AnsiColour; used: number } {
  if (codes[0] === 5 && byte(codes[1])) return { colour: indexed(codes[1]!), used: 2 };
  if (codes[0] !== 2) return { used: codes.length };
  const skip = colons && codes.length >= 5 ? 2 : 1;
  const [red, green, blue] = codes.slice(skip, skip + 3);
  if (!byte(red) || !byte(green) || !byte(blue)) return { used: codes.length };
  return { colour: `rgb(${red} ${green} ${blue})`, used: skip + 3 };
}

const byte = (value: number | undefined) => value !== undefined && Number.isInteger(value) && value >= 0 && value <= 255;

function indexed(index: number): AnsiColour {
  if (index < 16) return index;
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return `rgb(${grey} ${grey} ${grey})`;
  }
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const cube = index - 16;
  return `rgb(${level(Math.floor(cube / 36))} ${level(Math.floor(cube / 6) % 6)} ${level(cube % 6)})`;
}
