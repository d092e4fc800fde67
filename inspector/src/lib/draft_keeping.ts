// Keeps what is being written: a moment after each change, and when the page is left.
import type { AppState } from "../state/app.js";
import { composersToKeep } from "../state/composers_to_keep.js";
import { keep, kept, tabName } from "./kept.js";
import type { Store } from "./store.js";

const soonMs = 300;

/** `before`: what was kept when the page began. */
export function keepFromNow(store: Store, before: AppState["composers"]): void {
  const tab = tabName();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    const { composers } = store.state;
    keep("composers", composersToKeep(kept("composers") ?? {}, before, composers, tab));
    before = composers;
  };
  const keepSoon = () => {
    if (store.state.composers !== before) timer ??= setTimeout(write, soonMs);
  };
  store.subscribe(keepSoon);
  keepSoon();
  window.addEventListener("pagehide", write);
}
