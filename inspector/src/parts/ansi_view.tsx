// The output of a terminal, with its colours.
import { useMemo } from "preact/hooks";
import { ansiText, type AnsiColour, type AnsiLook, type AnsiRun } from "./ansi_text.js";

export function AnsiView({ text }: { text: string }) {
  const { before, lines } = useMemo(() => ansiText(text), [text]);
  return (
    <pre class="ansi" tabIndex={0} role="group" aria-label="Terminal output">
      {before > 0 ? <span class="ansi-before">{`… ${before.toLocaleString("en")} lines before\n`}</span> : null}
      {inPieces(lines)}
    </pre>
  );
}

/** Neighbours of one look are one piece, across lines, so that plain output is one node. */
function inPieces(lines: readonly (readonly AnsiRun[])[]) {
  const pieces: AnsiRun[] = [];
  lines.forEach((line, index) => {
    for (const run of line) add(pieces, run.text, run.look);
    if (index < lines.length - 1) add(pieces, "\n", pieces.at(-1)?.look ?? {});
  });
  return pieces.map(({ text, look }) => (Object.keys(look).length === 0 ? text : <Run text={text} look={look} />));
}

function add(pieces: AnsiRun[], text: string, look: AnsiLook): void {
  const last = pieces.at(-1);
  if (last?.look === look) pieces[pieces.length - 1] = { text: last.text + text, look };
  else pieces.push({ text, look });
}

function Run({ text, look }: AnsiRun) {
  const words = (["bold", "dim", "italic", "underline"] as const).filter((word) => look[word]).map((word) => `ansi-${word}`);
  const colour = look.inverse ? (look.ground ?? "var(--raised)") : look.colour;
  const ground = look.inverse ? (look.colour ?? "var(--text)") : look.ground;
  return (
    <span
      class={words.join(" ") || undefined}
      style={{
        color: ground === undefined ? readable(colour) : valueOf(colour),
        backgroundColor: look.inverse ? valueOf(ground) : groundOf(ground),
      }}
    >
      {text}
    </span>
  );
}

const valueOf = (colour: AnsiColour | undefined) => (typeof colour === "number" ? `var(--ansi-${colour})` : colour);

/** Colours that do not know the theme are drawn towards its text, so that they can be read on its ground. */
const readable = (colour: AnsiColour | undefined) =>
  typeof colour === "string" ? `color-mix(in srgb, ${colour} 50%, var(--text))` : valueOf(colour);

/** Grounds of the theme are faint, so that every colour can be read on them. */
const groundOf = (colour: AnsiColour | undefined) =>
  typeof colour === "number" ? `color-mix(in srgb, var(--ansi-${colour}) 14%, var(--raised))` : colour;
