// One message of the Trace in full: in words, as a tree, or as it was on the wire.
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Tabs } from "../../parts/tabs.js";
import { curlOf, type CurlTarget } from "../../state/curl.js";
import { inWords, type Said } from "../../state/envelope.js";
import { prettyJson } from "../../state/envelope_pretty.js";
import { seqOf } from "../../state/log.js";
import type { Trace, TraceRow } from "../../state/trace.js";
import { methodText, sizeText, timeText } from "./trace_words.js";

export interface EnvelopePaneProps {
  readonly trace: Trace;
  readonly row: TraceRow;
  readonly target: CurlTarget;
  readonly copy: (text: string) => void;
  readonly drawJson?: ((value: unknown) => ComponentChildren) | undefined;
  readonly onGoTo: (index: number) => void;
  readonly onClose: () => void;
}

const longest = 200_000; // characters that are shown at once
const tabs = [
  { id: "decoded", name: "Decoded" },
  { id: "raw", name: "Raw" },
];

export function EnvelopePane({ trace, row, target, copy, drawJson, onGoTo, onClose }: EnvelopePaneProps) {
  const [shown, show] = useState("decoded");
  const { entry, pair } = row;
  return (
    <section class="envelope" aria-label="Envelope">
      <div class="envelope-head">
        <h2 class="envelope-title">
          {seqOf(entry)} <span class="envelope-method">{row.kind === "gap" ? "events lost" : methodText(row)}</span>
        </h2>
        <button type="button" class="trace-button envelope-close" aria-label="Close envelope" onClick={onClose}>
          ✕
        </button>
      </div>
      <div class="envelope-actions">
        <button type="button" class="trace-button" onClick={() => copy(entry.json)}>
          Copy envelope
        </button>
        <button type="button" class="trace-button" onClick={() => copy(curlOf(entry, target))}>
          Copy as curl
        </button>
        {pair !== undefined && (
          <button type="button" class="trace-button" onClick={() => onGoTo(pair)}>
            {row.kind === "request" ? "Go to its answer" : "Go to its request"}
          </button>
        )}
      </div>
      <Tabs label="Envelope" tabs={tabs} shown={shown} onShow={show}>
        {shown === "decoded" ? (
          <Decoded trace={trace} row={row} drawJson={drawJson} />
        ) : (
          <LongText key={entry.index} text={entry.json} isPretty />
        )}
      </Tabs>
    </section>
  );
}

function Decoded({ trace, row, drawJson }: Pick<EnvelopePaneProps, "trace" | "row" | "drawJson">) {
  const { at } = row.entry;
  const heard: Said = { label: "Heard", value: at === undefined ? "before this page was opened" : timeText(at) };
  return (
    <div class="envelope-decoded">
      <dl class="envelope-words">
        {[...inWords(trace, row), heard].map(({ label, value, isText }) => (
          <div key={label} class={isText ? "envelope-said envelope-text" : "envelope-said"}>
            <dt>{label}</dt>
            <dd>{isText ? <LongText key={row.entry.index} text={value} /> : value}</dd>
          </div>
        ))}
      </dl>
      {drawJson?.(row.entry.message)}
    </div>
  );
}

/** Text as it is, or JSON with line breaks; of very long text the beginning, and the rest if one wants it. */
function LongText({ text, isPretty = false }: { text: string; isPretty?: boolean }) {
  const [isWhole, setWhole] = useState(false);
  const limit = isWhole ? Infinity : longest;
  const drawn = useMemo(() => (isPretty ? prettyJson(text, limit) : text), [text, isPretty, limit]);
  const isCut = drawn.length > limit;
  return (
    <>
      <pre class="envelope-pre">{isCut ? drawn.slice(0, limit) : drawn}</pre>
      {isCut && (
        <button type="button" class="trace-button" onClick={() => setWhole(true)}>
          Show all ({sizeText(text.length)})
        </button>
      )}
    </>
  );
}
