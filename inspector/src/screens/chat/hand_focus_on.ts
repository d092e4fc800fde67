// Something that has the focus and goes away hands it to the composer: whoever pressed its button can write on.
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { wish } from "../../lib/keys.js";

export function useHandsFocusOn(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(
    () => () => {
      if (ref.current?.contains(document.activeElement)) wish("focus composer");
    },
    [],
  );
}
