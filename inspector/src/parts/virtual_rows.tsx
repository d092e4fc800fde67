// A table of many rows of one height: only those in view are in the page. One row is chosen and moved by keys; the table can keep to
// its end while rows come. What a row shows is the caller's.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { RowSpace } from "./virtual_rows_space.js";
import "./virtual_rows.css";

export interface Column {
  readonly name: string;
  readonly class?: string;
}

export interface VirtualRowsProps {
  readonly count: number;
  /** How many rows there were before the first one and are no more: what is seen stays when they go. */
  readonly dropped?: number;
  /** px; the heads of the columns are as high. */
  readonly rowHeight?: number;
  readonly columns: readonly Column[];
  /** The cells of a row, each with role="gridcell". */
  readonly render: (index: number) => ComponentChildren;
  /** More attributes of a row: data-…, class. */
  readonly rowProps?: (index: number) => Record<string, unknown>;
  readonly label: string;
  readonly class?: string;
  readonly selected: number | undefined;
  readonly onSelect: (index: number) => void;
  readonly onOpen: (index: number) => void;
  readonly onHover?: (index: number | undefined) => void;
  readonly follow: boolean;
  readonly onFollow: (follow: boolean) => void;
  /** Two rows to join by a line in the gutter. */
  readonly joined?: readonly [number, number] | undefined;
  /** Brings this row into view when it becomes another; in the upper part, if it was not in view. */
  readonly reveal?: number | undefined;
}

const more = 8; // rows on both sides that are in the page without being in view
let tables = 0;

export function VirtualRows(props: VirtualRowsProps) {
  const { count, dropped = 0, rowHeight = 28, columns, selected, follow, onFollow, joined, reveal } = props;
  const [, redraw] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const kept = useRef<{ space: RowSpace; id: string; dropped: number }>(null);
  if (kept.current === null || kept.current.space.rowHeight !== rowHeight) {
    kept.current = { space: new RowSpace(rowHeight), id: `rows-${++tables}`, dropped };
  }
  const { space, id } = kept.current;
  space.count = count;
  if (dropped > kept.current.dropped) space.drop(dropped - kept.current.dropped);
  kept.current.dropped = dropped;
  if (follow) space.moveTo(space.end);
  const { first, end } = space.range(more);

  const put = (top: number) => {
    const element = scroller.current as HTMLDivElement;
    const wanted = space.moveTo(top);
    if (element.scrollTop !== wanted) element.scrollTop = wanted;
    space.scrollTop = element.scrollTop;
  };
  const show = (index: number) => {
    put(space.topFor(index));
    redraw((times) => times + 1);
  };

  useLayoutEffect(() => {
    const element = scroller.current as HTMLDivElement;
    const measure = () => {
      const viewport = Math.max(0, element.clientHeight - rowHeight);
      if (viewport === space.viewport) return;
      space.viewport = viewport;
      requestAnimationFrame(() => redraw((times) => times + 1));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    space.viewport = Math.max(0, element.clientHeight - rowHeight);
    redraw((times) => times + 1);
    return () => observer.disconnect();
  }, [space]);
  useLayoutEffect(() => {
    if (follow) put(space.end);
  });
  useLayoutEffect(() => put(space.top), [dropped]);
  const revealed = reveal !== undefined && reveal < count ? reveal : undefined;
  useLayoutEffect(() => {
    if (revealed === undefined || space.topFor(revealed) === space.top) return;
    put(revealed * rowHeight - space.viewport / 4);
    redraw((times) => times + 1);
  }, [revealed]);

  const scrolled = () => {
    const { scrollTop } = scroller.current as HTMLDivElement;
    const moved = scrollTop - space.scrollTop;
    if (moved === 0) return;
    space.scrolled(scrollTop);
    const isEnd = space.top >= space.end - 1;
    if (follow && moved < 0 && !isEnd) onFollow(false);
    if (!follow && moved > 0 && isEnd) onFollow(true);
    redraw((times) => times + 1);
  };
  const choose = (index: number) => {
    const next = Math.max(0, Math.min(index, count - 1));
    if (follow) onFollow(false);
    show(next);
    props.onSelect(next);
  };
  const press = (event: KeyboardEvent) => {
    if (count === 0 || event.target !== scroller.current) return;
    if (event.key === "Enter" && selected !== undefined) props.onOpen(selected);
    else {
      const page = Math.max(1, Math.floor(space.viewport / rowHeight) - 1);
      const next = target(event, selected ?? (follow ? count : first - 1), page, count);
      if (next === undefined) return;
      choose(next);
      if (event.key === "End") onFollow(true);
    }
    event.preventDefault();
  };
  const pick = (index: number) => {
    choose(index);
    props.onOpen(index);
  };

  const rows = [];
  for (let index = first; index < end; ++index) {
    rows.push(
      <div
        key={index}
        id={`${id}-${index}`}
        role="row"
        aria-rowindex={index + 2}
        aria-selected={index === selected}
        style={{ top: `${space.place(index)}px`, height: `${rowHeight}px` }}
        onClick={() => pick(index)}
        onMouseEnter={props.onHover && (() => props.onHover?.(index))}
        {...props.rowProps?.(index)}
      >
        {props.render(index)}
      </div>,
    );
  }
  const isShown = selected !== undefined && selected >= first && selected < end;
  return (
    <div
      class={props.class === undefined ? "rows" : `rows ${props.class}`}
      ref={scroller}
      role="grid"
      aria-label={props.label}
      aria-rowcount={count + 1}
      aria-readonly="true"
      aria-activedescendant={isShown ? `${id}-${selected}` : undefined}
      tabIndex={0}
      onScroll={scrolled}
      onWheel={({ deltaY }) => follow && deltaY < 0 && space.top > 0 && onFollow(false)}
      onKeyDown={press}
      onMouseLeave={props.onHover && (() => props.onHover?.(undefined))}
    >
      <div class="rows-head" role="rowgroup">
        <div class="rows-names" role="row" aria-rowindex={1} style={{ height: `${rowHeight}px` }}>
          {columns.map((column) => (
            <div key={column.name} class={column.class} role="columnheader">
              <span>{column.name}</span>
            </div>
          ))}
        </div>
      </div>
      <div class="rows-space" role="rowgroup" style={{ height: `${space.height}px` }}>
        {rows}
        {joined !== undefined && <Join space={space} first={first} end={end} joined={joined} />}
      </div>
    </div>
  );
}

/** The line from a request to its answer, as far as it is in the page. */
function Join({
  space,
  first,
  end,
  joined,
}: {
  space: RowSpace;
  first: number;
  end: number;
  joined: readonly [number, number];
}) {
  const [from, to] = joined[0] < joined[1] ? joined : [joined[1], joined[0]];
  if (to < first || from >= end) return null;
  const half = space.rowHeight / 2;
  const top = from < first ? space.place(first) : space.place(from) + half;
  const bottom = to >= end ? space.place(end) : space.place(to) + half;
  const ends = `${from < first ? "" : " rows-join-from"}${to >= end ? "" : " rows-join-to"}`;
  return <div class={`rows-join${ends}`} aria-hidden="true" style={{ top: `${top}px`, height: `${bottom - top}px` }} />;
}

function target(event: KeyboardEvent, at: number, page: number, count: number): number | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  switch (event.key) {
    case "ArrowDown":
    case "j":
    case "J":
      return at + 1;
    case "ArrowUp":
    case "k":
    case "K":
      return at - 1;
    case "PageDown":
      return at + page;
    case "PageUp":
      return at - page;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
