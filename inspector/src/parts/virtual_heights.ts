// Where the blocks of a column are, when each has its own height and most were never measured. Heights belong to keys; a block that
// was never measured counts with the estimate. Sums are kept in a Fenwick tree: every question and every change costs log n.

export class Heights {
  readonly #byKey = new Map<string, number>();
  readonly #estimate: number;
  #count = 0;
  readonly #keys: string[] = [];
  #heights = new Float64Array(64);
  /** One-based: #tree[i] is the sum of the heights of the (i & -i) blocks that end with block i - 1. */
  #tree = new Float64Array(65);

  constructor(estimate: number) {
    this.#estimate = estimate;
  }

  get count(): number {
    return this.#count;
  }

  get total(): number {
    return this.offset(this.#count);
  }

  /** Takes on the column as it is now. Blocks at the end are cheap; anything else makes all sums anew. True: it did so. */
  update(count: number, keyOf: (index: number) => string, known: readonly number[] = []): boolean {
    const last = this.#count - 1;
    const isSame = count >= this.#count && [0, last, ...known].every((index) => this.#holds(index, keyOf));
    if (!isSame) this.#keys.length = this.#count = 0;
    this.#reserve(count);
    for (let index = this.#count; index < count; ++index) this.#append(keyOf(index));
    return !isSame;
  }

  keyAt(index: number): string | undefined {
    return this.#keys[index];
  }

  /** Where the key is now; looks near `hint` first. */
  indexOf(key: string, hint = 0): number {
    return this.#keys[hint] === key ? hint : this.#keys.lastIndexOf(key);
  }

  height(index: number): number {
    return this.#heights[index] ?? 0;
  }

  /** A block was measured. True: it was thought to be of another height. */
  measure(index: number, height: number): boolean {
    if (index < 0 || index >= this.#count) return false;
    this.#byKey.set(this.#keys[index] as string, height);
    const difference = height - this.height(index);
    if (Math.abs(difference) < 0.01) return false;
    this.#heights[index] = height;
    for (let at = index + 1; at <= this.#count; at += at & -at) this.#tree[at] = (this.#tree[at] as number) + difference;
    return true;
  }

  /** How far the top of a block is from the top of the first. */
  offset(index: number): number {
    let sum = 0;
    for (let at = Math.min(index, this.#count); at > 0; at -= at & -at) sum += this.#tree[at] as number;
    return sum;
  }

  /** The block at a distance from the top; the first or the last for what lies outside. */
  indexAt(distance: number): number {
    let before = 0;
    let left = distance;
    let step = 1;
    while (step * 2 <= this.#count) step *= 2;
    for (; step > 0; step >>= 1) {
      const next = before + step;
      if (next > this.#count || (this.#tree[next] as number) > left) continue;
      before = next;
      left -= this.#tree[next] as number;
    }
    return Math.max(0, Math.min(before, this.#count - 1));
  }

  /** The blocks from `first` up to but without `end` that touch the stretch. */
  range(top: number, bottom: number): { first: number; end: number } {
    return this.#count === 0 ? { first: 0, end: 0 } : { first: this.indexAt(top), end: this.indexAt(bottom) + 1 };
  }

  #holds(index: number, keyOf: (index: number) => string): boolean {
    return index < 0 || index >= this.#count || this.#keys[index] === keyOf(index);
  }

  #append(key: string): void {
    const index = this.#count++;
    this.#keys[index] = key;
    const height = this.#byKey.get(key) ?? this.#estimate;
    this.#heights[index] = height;
    const at = index + 1;
    let sum = height;
    for (let child = index; child > at - (at & -at); child -= child & -child) sum += this.#tree[child] as number;
    this.#tree[at] = sum;
  }

  #reserve(count: number): void {
    if (this.#heights.length >= count) return;
    const capacity = Math.max(count, this.#heights.length * 2);
    this.#heights = grown(this.#heights, capacity);
    this.#tree = grown(this.#tree, capacity + 1);
  }
}

function grown(values: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  const more = new Float64Array(length);
  more.set(values);
  return more;
}

/** What the reader looks at: the block at the upper edge, and how much of it is above that edge. */
export interface Anchor {
  readonly key: string;
  readonly index: number;
  readonly above: number;
}

export function anchorAt(heights: Heights, scrollTop: number): Anchor | undefined {
  const index = heights.indexAt(scrollTop);
  const key = heights.keyAt(index);
  return key === undefined ? undefined : { key, index, above: scrollTop - heights.offset(index) };
}

/** Where to scroll so that the reader sees what was seen before. Undefined: the block is gone. */
export function scrollTopFor(heights: Heights, anchor: Anchor): number | undefined {
  const index = heights.indexOf(anchor.key, anchor.index);
  return index === -1 ? undefined : heights.offset(index) + anchor.above;
}
