// The line above the table: how many messages, what can be done with them, and whether the table follows.
import type { ComponentChildren } from "preact";
import { Icon } from "../../parts/icon.js";

export interface TraceHeadProps {
  readonly count: number;
  readonly total: number;
  /** So many of the oldest are not kept any more. */
  readonly dropped: number;
  readonly isWhole: boolean;
  readonly fresh: number;
  readonly follow: boolean;
  readonly onFollow: (follow: boolean) => void;
  readonly conditions: number;
  readonly areFiltersOpen: boolean;
  readonly onFilters: (open: boolean) => void;
  readonly children: ComponentChildren;
}

export function TraceHead(props: TraceHeadProps) {
  const { count, total, dropped, isWhole, fresh, follow, onFollow, conditions, areFiltersOpen, onFilters } = props;
  const messages = total === 1 ? "1 message" : `${total} messages`;
  return (
    <div class="trace-head">
      <span class="trace-count" data-count={total} data-shown={count}>
        {conditions > 0 ? `${count} of ${messages}` : messages}
        {isWhole ? "" : " …"}
        {dropped > 0 && ` · the first ${dropped} are not kept`}
      </span>
      <button
        type="button"
        class="trace-button trace-filter-button"
        aria-expanded={areFiltersOpen}
        onClick={() => onFilters(!areFiltersOpen)}
      >
        Filter{conditions > 0 && ` (${conditions})`}
      </button>
      {props.children}
      {!follow && fresh > 0 && (
        <span class="trace-fresh" data-fresh={fresh}>
          {fresh} new
        </span>
      )}
      <button
        type="button"
        class="trace-button"
        title={follow ? "The table stands, and counts what comes" : "The table keeps to its end"}
        onClick={() => onFollow(!follow)}
      >
        {!follow && <Icon name="down" />} {follow ? "Pause" : "Follow"}
      </button>
    </div>
  );
}
