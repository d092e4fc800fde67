// One message of the Trace in full: in words, as a tree, or as it was on the wire; and whether it keeps to the protocol.
import { useMemo, useState } from "preact/hooks";
import { useIsLive } from "../../lib/context.js";
import { CopyButton } from "../../parts/copy_button.js";
import { copyText } from "../../parts/copy_text.js";
import { JsonTree } from "../../parts/json_tree.js";
import { Tabs } from "../../parts/tabs.js";
import { curlOf, type CurlTarget } from "../../state/curl.js";
import { inWords, type Said } from "../../state/envelope.js";
import { prettyJson } from "../../state/envelope_pretty.js";
import { seqOf } from "../../state/log.js";
import { sdkCodeOf } from "../../state/sdk_code.js";
import { sizeWords } from "../../state/size_words.js";
import type { Trace, TraceRow } from "../../state/trace.js";
import { RouteLink } from "../route_link.js";
import { Marked } from "./marked.js";
import { PaneHead } from "./pane_head.js";
import { SchemaLine } from "./schema_line.js";
import { methodText, timeText } from "./trace_words.js";

export interface EnvelopePaneProps {
  readonly trace: Trace;
  readonly row: TraceRow;
  readonly target: CurlTarget & { readonly cwd?: string | undefined };
  /** What was searched for. */
  readonly text: string | undefined;
  readonly onGoTo: (index: number) => void;
  readonly onClose: () => void;
}

const longest = 200_000; // characters that are shown at once
const tabs = [
  { id: "decoded", name: "Decoded" },
  { id: "raw", name: "Raw" },
];

export function EnvelopePane({ trace, row, target, text, onGoTo, onClose }: EnvelopePaneProps) {
  const [shown, show] = useState("decoded");
  const { entry, pair } = row;
  return (
    <section class="envelope" aria-label="Envelope">
      <PaneHead name={seqOf(entry)} what={row.kind === "gap" ? "events lost" : methodText(row)} onClose={onClose} />
      <div class="envelope-actions">
        <CopyButton text={entry.json} label="Copy envelope" />
        <CopyButton text={() => curlOf(entry, target)} label="Copy as curl" />
        <CopyButton text={() => sdkCodeOf(row, target, target.cwd)} label="Copy as SDK code" />
        {pair !== undefined && trace.at(pair) && (
          <button type="button" class="trace-button" onClick={() => onGoTo(pair)}>
            {row.kind === "request" ? "Go to its answer" : "Go to its request"}
          </button>
        )}
      </div>
      <SchemaLine row={row} />
      <Tabs label="Envelope" tabs={tabs} shown={shown} onShow={show}>
        {shown === "decoded" ? (
          <Decoded trace={trace} row={row} serverId={target.serverId} />
        ) : (
          <LongText key={entry.index} text={entry.json} wanted={text} isPretty />
        )}
      </Tabs>
    </section>
  );
}

function Decoded({ trace, row, serverId }: Pick<EnvelopePaneProps, "trace" | "row"> & { serverId: string }) {
  const isLive = useIsLive();
  const { sessionId, turn } = row;
  const toTurn = (value: string) =>
    isLive && sessionId !== undefined && turn !== undefined ? (
      <RouteLink route={{ screen: "chat", serverId, sessionId, turn }}>{value}</RouteLink>
    ) : (
      value
    );
  const { at, index, json } = row.entry;
  const [copied, setCopied] = useState("");
  const heard: Said = { label: "Heard", value: at === undefined ? "before this page was opened" : timeText(at) };
  const message = useMemo(() => JSON.parse(json) as unknown, [json]); // entry.message is an object, whatever the line is
  const copy = (what: "value" | "path", text: string) =>
    void copyText(text).then((isDone) => setCopied(isDone ? `Copied the ${what}` : "Could not copy"));
  return (
    <div class="envelope-decoded">
      <dl class="envelope-words">
        {[...inWords(trace, row), heard].map(({ label, value, isText }) => (
          <div key={label} class={isText ? "envelope-said envelope-text" : "envelope-said"}>
            <dt>{label}</dt>
            <dd>{isText ? <LongText key={index} text={value} /> : label === "Turn" ? toTurn(value) : value}</dd>
          </div>
        ))}
      </dl>
      <JsonTree key={index} value={message} open={2} onCopy={copy} />
      <span class="visually-hidden" role="status">
        {copied}
      </span>
    </div>
  );
}

interface LongTextProps {
  readonly text: string;
  readonly wanted?: string | undefined;
  readonly isPretty?: boolean;
}

/** Text as it is, or JSON with line breaks; of very long text the beginning, and the rest if one wants it. */
function LongText({ text, wanted, isPretty = false }: LongTextProps) {
  const [isWhole, setWhole] = useState(false);
  const limit = isWhole ? Infinity : longest;
  const drawn = useMemo(() => (isPretty ? prettyJson(text, limit) : text), [text, isPretty, limit]);
  const isCut = drawn.length > limit;
  return (
    <>
      <pre class="envelope-pre">
        <Marked text={isCut ? drawn.slice(0, limit) : drawn} wanted={wanted} />
      </pre>
      {isCut && (
        <button type="button" class="trace-button" onClick={() => setWhole(true)}>
          Show all ({sizeWords(text.length)})
        </button>
      )}
    </>
  );
}
