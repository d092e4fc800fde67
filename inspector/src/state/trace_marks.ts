// Finding words in the text of a message, and showing where they are. Capitals do not matter; quotes and line breaks are found as JSON
// writes them.

export interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

const mostMarks = 2_000;
const around = 24; // characters before what was found

/** Tests, and has no memory of the last time. */
export function needleOf(text: string): RegExp {
  return new RegExp(patternOf(text), "i");
}

/** The text in pieces: what was found, and what is between. */
export function piecesOf(text: string, wanted: string | undefined): Piece[] {
  if (wanted === undefined || wanted === "") return [{ text, isMarked: false }];
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(new RegExp(patternOf(wanted), "gi"))) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), isMarked: false });
    pieces.push({ text: match[0], isMarked: true });
    end = match.index + match[0].length;
    if (pieces.length > mostMarks) break;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isMarked: false });
  return pieces;
}

/** What is around the first place where it is found, when the preview of the row does not show it. */
export function placeOf(json: string, preview: string, wanted: string | undefined): string {
  if (wanted === undefined) return preview;
  const needle = needleOf(wanted);
  if (needle.test(preview)) return preview;
  const at = json.search(needle);
  if (at < 0) return preview;
  const begin = Math.max(0, at - around);
  return `${begin > 0 ? "…" : ""}${json.slice(begin, at + 200)}`;
}

function patternOf(text: string): string {
  const written = JSON.stringify(text).slice(1, -1);
  return written === text ? plain(text) : `${plain(text)}|${plain(written)}`;
}

const plain = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
