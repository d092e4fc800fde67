// Words of an agent on a card that is answered: signs that cannot be seen are written out, and marked as such.
import { piecesOf } from "../../state/plain_signs.js";

export function Words({ text }: { text: string }) {
  return <>{piecesOf(text).map((piece, index) => (index % 2 === 0 ? piece : <span class="ask-sign">{piece}</span>))}</>;
}
