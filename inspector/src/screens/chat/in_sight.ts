// A card that comes, or grows, comes into sight. In a low window the composer lies over the end of what scrolls.
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

export function useComesIntoSight(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const card = ref.current!;
    const sizes = new ResizeObserver(() => {
      const over = card.nextElementSibling;
      card.style.scrollMarginBottom = `${over?.clientHeight ?? 0}px`;
      card.scrollIntoView({ block: "nearest" });
    });
    sizes.observe(card);
    return () => sizes.disconnect();
  }, []);
}

/** Whether its first line can be seen, and nothing lies over it. */
export function isInSight(element: Element | null | undefined): boolean {
  if (!element) return false;
  const { left, top, width, height } = element.getBoundingClientRect();
  const seen = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 10));
  return seen !== null && element.contains(seen);
}
