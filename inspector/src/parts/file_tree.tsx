// A tree of which only the rows in view are in the page. Arrows, Home, End and the page keys move; right and left open and close;
// Enter chooses. One row is the active one, and the focus stays on the tree.
import type { ComponentChildren, Ref } from "preact";
import { useImperativeHandle, useLayoutEffect, useRef, useState } from "preact/hooks";
import { nextRow } from "./file_tree_keys.js";
import { RowSpace } from "./virtual_rows_space.js";
import "./file_tree.css";

export interface TreeRow {
  readonly id: string;
  /** From 1. */
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  /** Undefined: nothing to open. */
  readonly isOpen?: boolean;
}

export interface TreeHandle {
  focus(): void;
}

export interface FileTreeViewProps<Row extends TreeRow> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** Where the keys are. */
  readonly active: string | undefined;
  readonly onActive: (id: string) => void;
  /** The row that is shown elsewhere. */
  readonly selected: string | undefined;
  /** What a row shows; its text is its name. */
  readonly draw: (row: Row) => ComponentChildren;
  readonly onChoose: (row: Row) => void;
  readonly onOpen: (row: Row, isOpen: boolean) => void;
  readonly handle?: Ref<TreeHandle>;
}

const more = 8; // rows on both sides that are in the page without being in view
let trees = 0;

export function FileTreeView<Row extends TreeRow>(props: FileTreeViewProps<Row>) {
  const { rows, active, selected } = props;
  const [, redraw] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const kept = useRef<{ space: RowSpace; id: string }>(null);
  kept.current ??= { space: new RowSpace(matchMedia("(pointer: coarse)").matches ? 44 : 28), id: `tree-${++trees}` };
  const { space, id } = kept.current;
  space.count = rows.length;
  const at = rows.findIndex((row) => row.id === active);

  useImperativeHandle(props.handle ?? null, () => ({ focus: () => scroller.current?.focus({ preventScroll: true }) }), []);
  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = () => {
      if (element.clientHeight === space.viewport) return;
      space.viewport = element.clientHeight;
      requestAnimationFrame(() => redraw((times) => times + 1));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    space.viewport = element.clientHeight;
    redraw((times) => times + 1);
    return () => observer.disconnect();
  }, [space]);
  const hasRoom = space.viewport > 0;
  useLayoutEffect(() => {
    if (at < 0 || !hasRoom) return;
    const top = space.topFor(at);
    if (top === space.top) return;
    scroller.current!.scrollTop = space.moveTo(top);
    space.scrollTop = scroller.current!.scrollTop;
    redraw((times) => times + 1);
  }, [active, at, hasRoom]);

  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== scroller.current) return;
    const row = rows[at];
    const step = nextRow(event.key, rows, at, Math.max(1, Math.floor(space.viewport / space.rowHeight) - 1));
    if (step === undefined) return;
    event.preventDefault();
    if (typeof step === "number") props.onActive(rows[step]!.id);
    else if (row && step === "choose") props.onChoose(row);
    else if (row) props.onOpen(row, step === "open");
  };
  const { first, end } = space.range(more);
  const shown = rows.slice(first, end).map((row, index) => [row, first + index] as const);
  if (at >= 0 && (at < first || at >= end)) shown.push([rows[at]!, at]); // the focus needs it
  return (
    <div
      class="file-tree"
      ref={scroller}
      role="tree"
      aria-label={props.label}
      aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
      tabIndex={0}
      onScroll={({ currentTarget }) => {
        space.scrolled(currentTarget.scrollTop);
        redraw((times) => times + 1);
      }}
      onFocus={() => at < 0 && rows[0] && props.onActive(rows[0].id)}
      onKeyDown={press}
    >
      <div class="file-tree-space" role="none" style={{ height: `${space.height}px` }}>
        {shown.map(([row, index]) => (
          <div
            key={row.id}
            id={`${id}-${index}`}
            role="treeitem"
            class="file-tree-row"
            aria-level={row.level}
            aria-posinset={row.position}
            aria-setsize={row.siblings}
            aria-expanded={row.isOpen}
            aria-selected={row.id === selected}
            data-active={row.id === active ? "" : undefined}
            style={{
              top: `${space.place(index)}px`,
              height: `${space.rowHeight}px`,
              paddingInlineStart: `${4 + (row.level - 1) * 14}px`,
            }}
            onClick={({ target }) => {
              props.onActive(row.id);
              const isTwist = target instanceof Element && target.closest(".file-tree-twist") !== null;
              if (isTwist && row.isOpen !== undefined) props.onOpen(row, !row.isOpen);
              else props.onChoose(row);
            }}
          >
            {props.draw(row)}
          </div>
        ))}
      </div>
    </div>
  );
}
