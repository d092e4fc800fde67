// A text with line numbers and colours. Pieces far from the eye are left out of the page while the text is long.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { CopyButton } from "../../parts/copy_button.js";
import type { CodeRun } from "../../parts/highlight.js";
import { Icon } from "../../parts/icon.js";
import { onDemand } from "../../parts/on_demand.js";
import { linePieces, runsByLine, type LinePiece } from "../../state/file_lines.js";
import { counted } from "../../state/file_paths.js";
import "../../parts/code.css";

const mostAtOnce = 200_000; // characters that are coloured in one go; beyond, each piece for itself
const mostInPiece = 50_000;
const longest = 10_000; // characters of a line that are shown
const mostWhole = 20; // pieces of a text that is in the page as a whole
const lineHeight = 20; // px, as in the style
const highlighter = onDemand(() => import("../../parts/highlight.js"));
let lastWrap = false; // as long as the page is open

export function TextView({ text, language, name }: { text: string; language: string; name: string }) {
  const [wrap, setWrap] = useState(lastWrap);
  const scroller = useRef<HTMLDivElement>(null);
  const pieces = useMemo(() => linePieces(text), [text]);
  const highlight = highlighter.use(language !== "")?.highlight;
  const whole = useMemo(() => {
    const runs = text.length <= mostAtOnce ? highlight?.(text, language) : undefined;
    return runs && runsByLine(runs);
  }, [highlight, text, language]);
  const runsOf = ({ first, lines }: LinePiece): readonly (readonly CodeRun[])[] | undefined => {
    if (whole) return whole.slice(first - 1, first - 1 + lines.length);
    if (!highlight || text.length <= mostAtOnce) return undefined;
    const own = lines.join("\n");
    const runs = own.length <= mostInPiece ? highlight(own, language) : undefined;
    return runs && runsByLine(runs);
  };
  const last = pieces.at(-1)!;
  const count = last.first + last.lines.length - 1;
  return (
    <>
      <div class="files-text-tools">
        <span class="quiet">{text === "" ? "empty" : counted(count, "line")}</span>
        <button
          type="button"
          class="code-wrap"
          aria-pressed={wrap}
          onClick={() => {
            lastWrap = !wrap;
            setWrap(!wrap);
          }}
        >
          <Icon name="wrap" /> Wrap lines
        </button>
        <CopyButton text={text} label="Copy content" />
      </div>
      <div
        class={wrap ? "files-text files-wrapped" : "files-text"}
        tabIndex={0}
        role="group"
        aria-label={`Content of ${name}`}
        ref={scroller}
        style={{ "--files-digits": String(count).length }}
      >
        {pieces.map((piece) => (
          <Piece key={piece.first} piece={piece} runsOf={runsOf} isKept={pieces.length <= mostWhole} scroller={scroller} />
        ))}
      </div>
    </>
  );
}

interface PieceProps {
  readonly piece: LinePiece;
  readonly runsOf: (piece: LinePiece) => readonly (readonly CodeRun[])[] | undefined;
  readonly isKept: boolean;
  readonly scroller: { readonly current: HTMLElement | null };
}

function Piece({ piece, runsOf, isKept, scroller }: PieceProps) {
  const own = useRef<HTMLDivElement>(null);
  const height = useRef(piece.lines.length * lineHeight);
  const [isNear, setNear] = useState(isKept || piece.first === 1);
  useEffect(() => {
    if (isKept) return undefined;
    const look = ([entry]: IntersectionObserverEntry[]) => {
      if (!entry!.isIntersecting && own.current) height.current = own.current.offsetHeight;
      setNear(entry!.isIntersecting);
    };
    const observer = new IntersectionObserver(look, { root: scroller.current, rootMargin: "800px" });
    observer.observe(own.current!);
    return () => observer.disconnect();
  }, [isKept]);
  const runs = isNear ? runsOf(piece) : undefined;
  return (
    <div ref={own} class="files-piece" style={{ counterReset: `line ${piece.first - 1}` }}>
      {isNear ? (
        piece.lines.map((line, at) => (
          <div key={at} class="files-line">
            {line.length > longest ? <LongLine line={line} /> : (drawRuns(runs?.[at]) ?? line)}
          </div>
        ))
      ) : (
        <div style={{ height: `${height.current}px` }} />
      )}
    </div>
  );
}

const drawRuns = (runs: readonly CodeRun[] | undefined) =>
  runs?.map((run) => (run.kind ? <span class={`code-${run.kind}`}>{run.text}</span> : run.text));

/** Browsers take seconds to set a line of a million characters. */
function LongLine({ line }: { line: string }) {
  return (
    <>
      {line.slice(0, longest)}
      <strong> … and {counted(line.length - longest, "character")} more in this line</strong>
    </>
  );
}
