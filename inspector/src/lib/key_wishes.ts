// What keys ask of the part of the page that is shown: it listens here.

/** Told to whoever can do it. */
export type KeyWish = "focus composer" | "latest" | "previous turn" | "next turn" | "raw" | "filter";
type Listener = (wish: KeyWish) => void;
const listeners = new Set<Listener>();
export function onKeyWish(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
export const wish = (what: KeyWish) => listeners.forEach((listener) => listener(what));

/** The question in front gets digits: returns whether it took one. */
export const digits: { take: ((digit: number) => boolean) | undefined } = { take: undefined };

/** What lies over the page without being a dialog; Esc closes it first. */
export const layer: { close: (() => void) | undefined } = { close: undefined };
