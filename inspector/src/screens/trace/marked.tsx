// A text with what was searched for marked in it.
import { piecesOf } from "../../state/trace_marks.js";

export function Marked({ text, wanted }: { text: string; wanted: string | undefined }) {
  if (wanted === undefined) return <>{text}</>;
  return <>{piecesOf(text, wanted).map((piece, at) => (piece.isMarked ? <mark key={at}>{piece.text}</mark> : piece.text))}</>;
}
