// On a phone the details lie over everything, as a sheet: it takes the focus, Esc closes it, and the focus goes back.
import { useEffect } from "preact/hooks";
import { useApp } from "../../lib/context.js";
import { layer } from "../../lib/key_wishes.js";

export function useSheet(isOpen: boolean): void {
  const app = useApp();
  useEffect(() => {
    if (!isOpen) return undefined;
    document.querySelector<HTMLElement>(".side")?.focus(); // what is in it takes it on, when it is there
    layer.close = () => app.side(false);
    return () => {
      layer.close = undefined;
      setTimeout(() => document.querySelector<HTMLElement>(".head [aria-label=Details]")?.focus()); // it is no longer inert
    };
  }, [isOpen]);
}
