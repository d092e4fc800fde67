// What is being written, kept over reloads: a moment after each change, and when the page is left.
import type { AppState } from "../state/app.js";
import { composersFrom, composersToKeep } from "../state/kept_composers.js";
import { keep, kept, tabName } from "./kept.js";
import type { Store } from "./store.js";

const soonMs = 300;

/** What this tab begins with. */
export const keptDrafts = (): AppState["composers"] => composersFrom(kept("composers") ?? {}, tabName());

export function keepDrafts(store: Store): void {
  const tab = tabName();
  let before = store.state.composers;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    const { composers } = store.state;
    keep("composers", composersToKeep(kept("composers") ?? {}, before, composers, tab));
    before = composers;
  };
  store.subscribe(() => {
    if (store.state.composers !== before) timer ??= setTimeout(write, soonMs);
  });
  window.addEventListener("pagehide", write);
}
