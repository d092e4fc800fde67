// A long text as pieces of whole lines: what is far from the eye need not be in the page.

export interface LinePiece {
  /** The number of its first line, from 1. */
  readonly first: number;
  readonly lines: readonly string[];
}

const linesEach = 100;

export function linePieces(text: string): LinePiece[] {
  const lines = text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop(); // a line end is no line
  const pieces: LinePiece[] = [];
  for (let at = 0; at < lines.length; at += linesEach) pieces.push({ first: at + 1, lines: lines.slice(at, at + linesEach) });
  return pieces;
}

/** Stretches of a text, dealt out to its lines. */
export function runsByLine<Run extends { readonly text: string }>(runs: readonly Run[]): Run[][] {
  const lines: Run[][] = [[]];
  for (const run of runs) {
    run.text.split("\n").forEach((text, at) => {
      if (at > 0) lines.push([]);
      if (text !== "") lines.at(-1)!.push({ ...run, text });
    });
  }
  return lines;
}
