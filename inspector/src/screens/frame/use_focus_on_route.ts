// Another screen: the focus goes to it, so that whoever cannot see the page is in the right place. Who writes is left alone.
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

export function useFocusOnRoute(main: RefObject<HTMLElement | null>, place: string): void {
  const before = useRef(place);
  useEffect(() => {
    if (before.current === place) return;
    before.current = place;
    const isTaken = main.current?.contains(document.activeElement) || document.querySelector("dialog[open]") !== null;
    if (!isTaken) main.current?.focus({ preventScroll: true });
  }, [place]);
}
