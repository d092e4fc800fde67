// The first bytes of a file that is no text.
import { useMemo } from "preact/hooks";
import { sizeWords } from "../../state/size_words.js";
import { hexRows } from "../../state/file_text.js";

export function HexView({ head, size }: { head: Uint8Array; size: number }) {
  const rows = useMemo(() => hexRows(head), [head]);
  return (
    <>
      <p class="files-note">
        {head.length < size
          ? `No text. The first ${sizeWords(head.length)} of ${sizeWords(size)}; download it for the rest.`
          : `No text. All of its ${sizeWords(size)}.`}
      </p>
      <div class="files-hex" tabIndex={0} role="group" aria-label="Bytes">
        <table>
          <thead>
            <tr>
              <th scope="col">Offset</th>
              <th scope="col">Bytes</th>
              <th scope="col">Text</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ offset, hex, text }) => (
              <tr key={offset}>
                <th scope="row">{offset}</th>
                <td>{hex}</td>
                <td>{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
