// Where the rows of a list of equal rows are. Browsers cannot make an element higher than some 17 million pixels, so a longer list is
// drawn in a lower room: small steps move it by as many pixels, large ones (the scroll bar) by their share of the whole.

const highest = 15_000_000; // px, below what any browser can

export class RowSpace {
  readonly rowHeight: number;
  count = 0;
  viewport = 0;
  /** How far the list is moved, in pixels of all rows. */
  top = 0;
  /** What the scroller says, in pixels of the room. */
  scrollTop = 0;
  readonly #highest: number;

  constructor(rowHeight: number, limit = highest) {
    this.rowHeight = rowHeight;
    this.#highest = limit;
  }

  get total(): number {
    return this.count * this.rowHeight;
  }

  /** How high the room is. */
  get height(): number {
    return Math.min(this.total, this.#highest);
  }

  get end(): number {
    return Math.max(0, this.total - this.viewport);
  }

  /** Where a row is in the room as it is scrolled now. */
  place(index: number): number {
    return index * this.rowHeight - this.top + this.scrollTop;
  }

  /** The rows in the viewport, and some more on both sides. */
  range(more: number): { first: number; end: number } {
    const first = Math.floor(this.top / this.rowHeight) - more;
    const end = Math.ceil((this.top + this.viewport) / this.rowHeight) + more;
    return { first: Math.max(0, Math.min(first, this.count)), end: Math.min(this.count, Math.max(0, end)) };
  }

  /** The scroller was moved. */
  scrolled(scrollTop: number): void {
    const step = scrollTop - this.scrollTop;
    const last = Math.max(0, this.height - this.viewport);
    const isSmall = Math.abs(step) <= this.viewport && scrollTop > 0 && scrollTop < last - 1;
    this.scrollTop = scrollTop;
    if (this.total === this.height) this.top = scrollTop;
    else this.top = isSmall ? this.#within(this.top + step) : this.#shareOf(scrollTop);
  }

  /** Moves the list; answers where the scroller has to be for it. */
  moveTo(top: number): number {
    this.top = this.#within(top);
    const last = this.height - this.viewport;
    this.scrollTop = this.total === this.height || this.end === 0 ? this.top : Math.round((this.top / this.end) * last);
    return this.scrollTop;
  }

  /** So many rows of the front are gone: those that are seen stay, as far as they are there. */
  drop(rows: number): void {
    this.moveTo(this.top - rows * this.rowHeight);
  }

  /** Where the list has to be so that the row is seen; where it is, when it is seen. */
  topFor(index: number): number {
    const row = index * this.rowHeight;
    return Math.min(row, Math.max(this.top, row + this.rowHeight - this.viewport));
  }

  #within(top: number): number {
    return Math.max(0, Math.min(top, this.end));
  }

  #shareOf(scrollTop: number): number {
    const last = this.height - this.viewport;
    return last <= 0 ? 0 : this.#within((Math.min(scrollTop, last) / last) * this.end);
  }
}
