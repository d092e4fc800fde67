// A long column of blocks, each as high as it is: only those near the viewport are in the page. What the reader looks at never moves
// by itself; at the end, the column follows its end. The browser's own anchoring is off, for it knows nothing of blocks left out.
import type { ComponentChildren, Ref } from "preact";
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ColumnScroll } from "./virtual_column_scroll.js";
import "./virtual_column.css";

export interface ColumnHandle {
  /** Puts the block at the upper edge. */
  scrollToIndex(index: number): void;
  scrollToEnd(): void;
}

export interface VirtualColumnProps {
  readonly count: number;
  readonly keyOf: (index: number) => string;
  readonly render: (index: number) => ComponentChildren;
  /** Changes whenever a block changed. */
  readonly version: number;
  readonly label: string;
  /** How high a block may be that was never shown. */
  readonly estimate?: number;
  /** False: begins at the start, and does not follow until the reader is at the end. */
  readonly follow?: boolean;
  readonly onFollow?: (isFollowing: boolean) => void;
  /** How many blocks came since the reader left the end. */
  readonly onNew?: (count: number) => void;
  readonly handle?: Ref<ColumnHandle>;
}

export function VirtualColumn(props: VirtualColumnProps) {
  const { count, keyOf, render, label, onFollow, onNew } = props;
  const [, redraw] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const kept = useRef<ColumnScroll>(null);
  kept.current ??= new ColumnScroll(props.estimate ?? 120, props.follow ?? true, () => redraw((times) => times + 1));
  const scroll = kept.current;
  scroll.update(count, keyOf);
  const shown = scroll.shown();
  const { isAway, fresh, isFollowing } = scroll;

  useImperativeHandle(props.handle ?? null, () => scroll, [scroll]);
  useLayoutEffect(() => scroll.attach(scroller.current as HTMLDivElement), [scroll]);
  useLayoutEffect(() => scroll.settle());
  useEffect(() => onFollow?.(isFollowing), [isFollowing]);
  useEffect(() => onNew?.(fresh), [fresh]);

  const left = useRef(0); // the version that was seen last at the end
  if (!isAway) left.current = props.version;
  const news = fresh > 0 ? ` (${fresh} new)` : isAway && props.version > left.current ? " (more)" : "";

  const jump = () => {
    scroll.scrollToEnd();
    scroller.current?.focus({ preventScroll: true });
  };
  return (
    <div class="column">
      <div class="column-scroller" ref={scroller} role="log" aria-label={label} aria-live="off" tabIndex={0}>
        {shown.map((piece) =>
          "space" in piece ? (
            <div key={`space ${piece.after}`} class="column-space" style={{ height: `${piece.space}px` }} />
          ) : (
            <div key={`block ${piece.key}`} class="column-block" ref={scroll.observe(piece.key)}>
              {render(piece.index)}
            </div>
          ),
        )}
      </div>
      {isAway && (
        <button type="button" class="column-jump" onClick={jump}>
          Jump to latest{news}
        </button>
      )}
    </div>
  );
}
