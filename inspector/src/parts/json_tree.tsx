// A JSON value as a tree that keys can walk. Only what is open is drawn.
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Icon } from "./icon.js";
import { jsonMove, jsonPath, jsonRows, longString, pageSize, type JsonRow } from "./json_rows.js";
import "./json_tree.css";

export interface JsonTreeProps {
  value: unknown;
  /** How many levels are open at the start. */
  open?: number;
  label?: string;
  onCopy?: (what: "value" | "path", text: string) => void;
}

const moves = { ArrowUp: "up", ArrowDown: "down", Home: "first", End: "last" } as const;

export function JsonTree({ value, open = 1, label = "JSON", onCopy }: JsonTreeProps) {
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [pages, setPages] = useState<ReadonlyMap<string, number>>(new Map());
  const [current, setCurrent] = useState("[]");
  const tree = useRef<HTMLDivElement>(null);
  const next = useRef<number>(undefined);
  const rows = useMemo(() => jsonRows(value, { depth: open, toggled, pages }), [value, open, toggled, pages]);
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === current),
  );

  const focus = (index: number) => {
    setCurrent(rows[index]!.id);
    (tree.current?.children[index] as HTMLElement | undefined)?.focus();
  };
  useLayoutEffect(() => {
    if (next.current !== undefined) focus(next.current);
    next.current = undefined;
  }, [pages]);
  const toggle = (row: JsonRow) => {
    if (row.kind === "more") {
      const id = JSON.stringify(row.keys);
      setPages(new Map(pages).set(id, (pages.get(id) ?? pageSize) + pageSize));
      next.current = rows.indexOf(row); // where the first of the new ones will be
    } else if (row.open !== undefined) setToggled(new Map(toggled).set(row.id, !row.open));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== tree.current?.children[at] || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rows[at]!;
    if (event.key in moves) focus(jsonMove(rows, at, moves[event.key as keyof typeof moves]));
    else if (event.key === "ArrowRight" && row.open === false) toggle(row);
    else if (event.key === "ArrowRight") focus(jsonMove(rows, at, "child"));
    else if (event.key === "ArrowLeft" && row.open) toggle(row);
    else if (event.key === "ArrowLeft") focus(jsonMove(rows, at, "parent"));
    else if (event.key === "Enter" || event.key === " ") toggle(row);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class="json" role="tree" aria-label={label} ref={tree} onKeyDown={onKeyDown}>
      {rows.map((row, index) => (
        <div
          key={row.id}
          class="json-row"
          role="treeitem"
          aria-level={row.level}
          aria-posinset={row.position}
          aria-setsize={row.size}
          aria-expanded={row.open}
          aria-selected={index === at}
          tabIndex={index === at ? 0 : -1}
          style={{ paddingLeft: `${Math.min(row.level - 1, 20) * 16}px` }}
          onFocus={() => setCurrent(row.id)}
          onClick={(event) => {
            if (!(event.target as Element).closest("button") && !getSelection()?.toString()) toggle(row);
          }}
        >
          <RowText row={row} />
          {index === at && onCopy && row.kind !== "more" ? <CopyRow row={row} onCopy={onCopy} /> : null}
        </div>
      ))}
    </div>
  );
}

function RowText({ row }: { row: JsonRow }) {
  const key = row.keys.at(-1);
  if (row.kind === "more")
    return (
      <span class="json-more">
        show {Math.min(row.count!, pageSize)} more of {row.count}
      </span>
    );
  return (
    <>
      <span class="json-mark">
        {row.open === undefined ? null : <Icon name={row.open ? "chevron-down" : "chevron-right"} />}
      </span>
      {key === undefined ? null : <span class="json-key">{key}: </span>}
      <Value row={row} />
    </>
  );
}

function Value({ row: { kind, value, open, count } }: { row: JsonRow }) {
  if (kind === "array") return <span class="json-size">{count === 0 ? "[]" : `[ ${count} ]`}</span>;
  if (kind === "object") return <span class="json-size">{count === 0 ? "{}" : `{ ${count} }`}</span>;
  if (typeof value !== "string") return <span class={`json-${kind}`}>{String(value ?? null)}</span>;
  if (open !== false) return <span class="json-string">{JSON.stringify(value)}</span>;
  return (
    <span class="json-string">
      {JSON.stringify(value.slice(0, longString)).slice(0, -1)}…
      <span class="json-more"> show all {value.length.toLocaleString("en")} characters</span>
    </span>
  );
}

function CopyRow({ row, onCopy }: { row: JsonRow; onCopy: NonNullable<JsonTreeProps["onCopy"]> }) {
  const text = () => (typeof row.value === "string" ? row.value : JSON.stringify(row.value, null, 2));
  return (
    <span class="json-copy">
      <button
        type="button"
        class="json-button"
        title="Copy value"
        aria-label="Copy value"
        onClick={() => onCopy("value", text())}
      >
        <Icon name="copy" />
      </button>
      <button
        type="button"
        class="json-button"
        title="Copy path"
        aria-label="Copy path"
        onClick={() => onCopy("path", jsonPath(row.keys))}
      >
        <Icon name="link" />
      </button>
    </span>
  );
}
