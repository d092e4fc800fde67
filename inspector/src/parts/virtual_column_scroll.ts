// Moves the scroller of a column: keeps what the reader sees in its place, or keeps to the end. Sizes are heard from a ResizeObserver,
// which speaks after layout and before paint, so a correction is never seen. Lives as long as its column.
import { anchorAt, Heights, scrollTopFor, type Anchor } from "./virtual_heights.js";

/** A block that is in the page, or the room of blocks that are not. */
export type Piece = { readonly index: number; readonly key: string } | { readonly space: number; readonly after: number };

const nearEnd = 40; // px: whoever is that near is at the end
const spare = 800; // px above and below the viewport that are in the page too
const restMs = 150; // scrolling is over after so long without scroll events

export class ColumnScroll {
  readonly #heights: Heights;
  readonly #redraw: () => void;
  readonly #observer: ResizeObserver;
  readonly #blocks = new Map<string, Element>();
  readonly #keys = new Map<Element, string>();
  readonly #refs = new Map<string, (element: Element | null) => void>();
  #scroller: HTMLElement | undefined;
  #anchor: Anchor | undefined;
  #viewport = 0;
  /** Where the scroller was put or seen last. */
  #top = 0;
  /** How far it could be scrolled when it was put there. */
  #reach = 0;
  #drawn = { first: 0, end: 0 };
  #focused: string | undefined;
  /** The last block when the reader left the end. */
  #lastSeen: { readonly key: string; readonly index: number } | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;
  isFollowing: boolean;
  /** The reader is not at the end. */
  isAway = false;

  constructor(estimate: number, isFollowing: boolean, redraw: () => void) {
    this.#heights = new Heights(estimate);
    this.isFollowing = isFollowing;
    this.#redraw = redraw;
    this.#observer = new ResizeObserver((entries) => this.#measured(entries));
  }

  /** How many blocks came since the reader left the end. */
  get fresh(): number {
    return this.#lastSeen === undefined ? 0 : Math.max(0, this.#heights.count - 1 - this.#lastSeen.index);
  }

  update(count: number, keyOf: (index: number) => string): void {
    this.#scrolled();
    const known = this.#anchor === undefined ? [] : [this.#anchor.index];
    const { first, end } = this.#drawn;
    for (let index = first; index < end; ++index) known.push(index);
    if (!this.#heights.update(count, keyOf, known)) return;
    this.#lastSeen &&= this.#found(this.#lastSeen);
    this.#anchor &&= this.#found(this.#anchor);
  }

  #found<Place extends { readonly key: string; readonly index: number }>(place: Place): Place | undefined {
    const index = this.#heights.indexOf(place.key, place.index);
    return index === -1 ? undefined : { ...place, index };
  }

  /** What to draw: the blocks near the viewport, the one that has the focus, and the room between. */
  shown(): Piece[] {
    const { first, end } = (this.#drawn = this.#near());
    const indexes = Array.from({ length: end - first }, (_, at) => first + at);
    const focused = this.#focused === undefined ? -1 : this.#heights.indexOf(this.#focused, first);
    if (focused !== -1 && focused < first) indexes.unshift(focused);
    if (focused >= end) indexes.push(focused);
    const pieces: Piece[] = [];
    let next = 0;
    for (const index of [...indexes, this.#heights.count]) {
      if (index > next) pieces.push({ space: this.#heights.offset(index) - this.#heights.offset(next), after: next });
      const key = this.#heights.keyAt(index);
      if (key !== undefined) pieces.push({ index, key });
      next = index + 1;
    }
    return pieces;
  }

  /** The ref of a block; the same for the same key. */
  observe(key: string): (element: Element | null) => void {
    let ref = this.#refs.get(key);
    if (ref === undefined) this.#refs.set(key, (ref = (element) => this.#hold(key, element)));
    return ref;
  }

  attach(scroller: HTMLElement): () => void {
    this.#scroller = scroller;
    this.#viewport = scroller.clientHeight;
    this.#observer.observe(scroller);
    for (const block of this.#keys.keys()) this.#observer.observe(block);
    const stop = new AbortController();
    const { signal } = stop;
    scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true, signal });
    const mayGoUp = (event: Event, isUp: boolean) => isUp && !isScrolledWithin(event.target, scroller) && this.#goUp();
    scroller.addEventListener("wheel", (event) => mayGoUp(event, isWheelUp(event)), { passive: true, signal });
    scroller.addEventListener("keydown", (event) => mayGoUp(event, isKeyUp(event)), { signal });
    scroller.addEventListener("focusin", (event) => this.#focus(event.target as Element), { signal });
    scroller.addEventListener("focusout", () => this.#focus(undefined), { signal });
    this.#redraw();
    return () => {
      stop.abort();
      this.#observer.disconnect();
      clearTimeout(this.#rest);
      cancelAnimationFrame(this.#frame);
      this.#frame = 0;
      this.#scroller = undefined;
    };
  }

  /** Puts the scroller where it belongs. To be called when anything was drawn or measured. */
  settle(): void {
    if (this.#scroller === undefined) return;
    this.#scrolled();
    if (this.isFollowing) this.#put(this.#end());
    else {
      this.#anchor ??= anchorAt(this.#heights, this.#top);
      this.#put(this.#wanted() ?? this.#top);
    }
    this.#look();
  }

  scrollToIndex(index: number): void {
    const key = this.#heights.keyAt(index);
    if (key === undefined || this.#scroller === undefined) return;
    this.#leave();
    this.#anchor = { key, index, above: 0 };
    this.#put(this.#heights.offset(index));
    this.#redraw();
  }

  scrollToEnd(): void {
    this.#follow();
    this.settle();
    this.#redraw();
  }

  #put(top: number): void {
    const scroller = this.#scroller as HTMLElement;
    if (Math.abs(scroller.scrollTop - top) > 0.5) scroller.scrollTop = top;
    this.#top = scroller.scrollTop;
    this.#reach = this.#end();
    if (this.isFollowing) this.#anchor = anchorAt(this.#heights, this.#top);
  }

  /**
   * Notices where the reader scrolled to. Also called before anything is changed: the browser tells it a frame late. Content that
   * shrinks for a moment and grows again makes the browser scroll up, too. That is told by the height, which is another one, while a
   * reader's jump may go further; and after layout it is the only reason, for what the reader did was told before.
   */
  #scrolled(isAfterLayout = false): void {
    if (this.#scroller === undefined) return;
    const top = this.#scroller.scrollTop;
    const moved = top - this.#top;
    if (Math.abs(moved) < 1) return; // it was put there
    const isClamp = this.#end() !== this.#reach && -moved <= this.#viewport;
    if (this.isFollowing && moved < 0 && (isAfterLayout || isClamp)) return this.#put(this.#end()); // nobody wanted that
    this.#top = top;
    if (moved < 0 && this.#distance() > 1) this.#leave();
    else if (this.#distance() <= nearEnd) this.#follow();
    this.#anchor = anchorAt(this.#heights, top);
    this.#waitForRest();
    this.#look();
  }

  /** The reader wants to leave the end: from now on, or each new word would stop the browser's smooth scrolling at its start. */
  #goUp(): void {
    if (this.#top <= 0) return;
    this.#leave();
    this.#waitForRest();
  }

  #waitForRest(): void {
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.#rested(), restMs);
  }

  /** Whoever stops near the end is at the end. */
  #rested(): void {
    if (this.isFollowing || this.#scroller === undefined || this.#distance() > nearEnd) return;
    this.#follow();
    this.settle();
  }

  #measured(entries: readonly ResizeObserverEntry[]): void {
    this.#scrolled(true);
    const { first } = this.#drawn;
    for (const { target, borderBoxSize, contentRect } of entries) {
      if (target === this.#scroller) {
        this.#viewport = target.clientHeight;
        continue;
      }
      const key = this.#keys.get(target);
      if (key === undefined || !target.isConnected) continue;
      this.#heights.measure(
        this.#heights.indexOf(key, this.#hint(key, first)),
        borderBoxSize[0]?.blockSize ?? contentRect.height,
      );
    }
    this.settle();
  }

  /** Where a block in the page most likely is. */
  #hint(key: string, first: number): number {
    for (let index = first; index < this.#drawn.end; ++index) if (this.#heights.keyAt(index) === key) return index;
    return 0;
  }

  #leave(): void {
    if (!this.isFollowing) return;
    this.isFollowing = false;
    const index = this.#heights.count - 1;
    const key = this.#heights.keyAt(index);
    this.#lastSeen = key === undefined ? undefined : { key, index };
    this.#drawSoon();
  }

  #follow(): void {
    if (this.isFollowing) return;
    this.isFollowing = true;
    this.#lastSeen = undefined;
    this.#drawSoon();
  }

  /** Draws anew if what is near, or whether the end is, has changed. */
  #look(): void {
    const isAway = !this.isFollowing && this.#distance() > nearEnd;
    const near = this.#near();
    const { first, end } = this.#drawn;
    if (isAway === this.isAway && near.first === first && near.end === end) return;
    this.isAway = isAway;
    this.#drawSoon();
  }

  /** In the next frame: drawing while sizes are being told would make the browser complain of a loop. */
  #drawSoon(): void {
    if (this.#frame !== 0 || this.#scroller === undefined) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#redraw();
    });
  }

  #near(): { first: number; end: number } {
    const total = this.#heights.total;
    const top = this.isFollowing ? total - this.#viewport : (this.#wanted() ?? this.#top);
    return this.#heights.range(top - spare, top + this.#viewport + spare);
  }

  #wanted(): number | undefined {
    return this.#anchor === undefined ? undefined : scrollTopFor(this.#heights, this.#anchor);
  }

  #distance(): number {
    return this.#end() - (this.#scroller as HTMLElement).scrollTop;
  }

  #end(): number {
    const { scrollHeight, clientHeight } = this.#scroller as HTMLElement;
    return scrollHeight - clientHeight;
  }

  #focus(target: Element | undefined): void {
    this.#focused = undefined;
    for (const [block, key] of this.#keys) if (target !== undefined && block.contains(target)) this.#focused = key;
  }

  #hold(key: string, element: Element | null): void {
    const before = this.#blocks.get(key);
    if (before !== undefined && before !== element) {
      this.#observer.unobserve(before);
      this.#keys.delete(before);
      this.#blocks.delete(key);
    }
    if (element === null) this.#refs.delete(key);
    else if (before !== element) {
      this.#blocks.set(key, element);
      this.#keys.set(element, key);
      this.#observer.observe(element);
    }
  }
}

/** Scrolls up; with Ctrl, which is also two fingers, it would zoom. */
function isWheelUp({ deltaX, deltaY, ctrlKey }: WheelEvent): boolean {
  return !ctrlKey && deltaY < 0 && Math.abs(deltaX) <= -deltaY;
}

/** Keys that scroll up, unless they move in a text. */
function isKeyUp(event: KeyboardEvent): boolean {
  const { key, shiftKey, ctrlKey, altKey, metaKey, target, defaultPrevented } = event;
  if (defaultPrevented || ctrlKey || altKey || metaKey) return false;
  if ((target as Element).closest("input, textarea, select, [contenteditable]") !== null) return false;
  return key === "ArrowUp" || key === "PageUp" || key === "Home" || (key === " " && shiftKey);
}

/** Whether something in the scroller is what scrolls up first. */
function isScrolledWithin(target: EventTarget | null, scroller: Element): boolean {
  for (let at = target as Element | null; at !== null && at !== scroller; at = at.parentElement)
    if (at.scrollTop > 0) return true;
  return false;
}
