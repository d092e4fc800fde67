// The rows of a change as a table: in one column (unified) or two (split).
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { foldsOf, pairsOf, type DiffLine, type DiffPart } from "./diff_lines.js";

const most = 400; // rows, until all are asked for

interface RowsProps {
  lines: readonly DiffLine[];
}

export function UnifiedRows({ lines }: RowsProps) {
  const hidden = useFolds(lines);
  return (
    <Table head={["Old line", "New line", "Change", "Text"]} wide={4} count={lines.length} hidden={hidden}>
      {(at) => {
        const line = lines[at]!;
        return (
          <tr class={`diff-line diff-${line.kind}`} data-diff={line.kind} key={at}>
            <td class="diff-number">{line.old}</td>
            <td class="diff-number">{line.new}</td>
            <LineCells line={line} />
          </tr>
        );
      }}
    </Table>
  );
}

export function SplitRows({ lines }: RowsProps) {
  const pairs = useMemo(() => pairsOf(lines), [lines]);
  const asLines = useMemo(
    () => pairs.map(({ left, right }) => (left === right ? left! : { kind: "added", parts: [] }) as DiffLine),
    [pairs],
  );
  const hidden = useFolds(asLines);
  return (
    <Table
      head={["Old line", "Change", "Old text", "New line", "Change", "New text"]}
      wide={6}
      count={pairs.length}
      hidden={hidden}
      split
    >
      {(at) => {
        const { left, right } = pairs[at]!;
        return (
          <tr class="diff-line" data-diff={left === right ? "same" : "changed"} key={at}>
            <td class={`diff-number diff-${left?.kind ?? "none"}`}>{left?.old}</td>
            <LineCells line={left} />
            <td class={`diff-number diff-${right?.kind ?? "none"}`}>{right?.new}</td>
            <LineCells line={right} />
          </tr>
        );
      }}
    </Table>
  );
}

const signs = { same: "", added: "+", removed: "−" };

function LineCells({ line }: { line: DiffLine | undefined }) {
  const kind = `diff-${line?.kind ?? "none"}`;
  return (
    <>
      <td class={`diff-sign ${kind}`}>{line ? signs[line.kind] : null}</td>
      <td class={`diff-content ${kind}`}>
        {line ? <Content line={line} /> : null}
        {line?.open ? <span class="diff-open"> (no line break at the end)</span> : null}
      </td>
    </>
  );
}

function Content({ line: { kind, parts } }: { line: DiffLine }) {
  const content = parts.map((part: DiffPart) => (part.changed ? <mark class="diff-word">{part.text}</mark> : part.text));
  if (kind === "added") return <ins>{content}</ins>;
  return kind === "removed" ? <del>{content}</del> : <>{content}</>;
}

/** The folds that are still closed, by the line they start at, and how to open one. */
function useFolds(lines: readonly DiffLine[]) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const folds = useMemo(() => foldsOf(lines), [lines]);
  const closed = new Map(folds.filter(({ from }) => !opened.has(from)).map(({ from, count }) => [from, count]));
  return { closed, open: (from: number) => setOpened(new Set([...opened, from])) };
}

interface TableProps {
  head: string[];
  wide: number;
  count: number;
  hidden: ReturnType<typeof useFolds>;
  split?: boolean;
  children: (at: number) => ComponentChildren;
}

function Table({ head, wide, count, hidden, split, children }: TableProps) {
  const [all, setAll] = useState(false);
  const rows: ComponentChildren[] = [];
  let at = 0;
  for (; at < count && (all || rows.length < most); ++at) {
    const folded = hidden.closed.get(at);
    if (folded === undefined) rows.push(children(at));
    else {
      const from = at;
      rows.push(
        <Bar wide={wide} key={`fold ${from}`} onClick={() => hidden.open(from)}>
          … {folded} unchanged lines
        </Bar>,
      );
      at += folded - 1;
    }
  }
  return (
    <table class={split ? "diff-table diff-split" : "diff-table"}>
      <thead class="diff-names">
        <tr>
          {head.map((name) => (
            <th scope="col">{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows}
        {at < count ? (
          <Bar wide={wide} key="all" onClick={() => setAll(true)}>
            Show all ({(count - at).toLocaleString("en")} more lines)
          </Bar>
        ) : null}
      </tbody>
    </table>
  );
}

function Bar({ wide, onClick, children }: { wide: number; onClick: () => void; children: ComponentChildren }) {
  return (
    <tr class="diff-bar">
      <td colSpan={wide}>
        <button type="button" class="diff-more" onClick={onClick}>
          {children}
        </button>
      </td>
    </tr>
  );
}
