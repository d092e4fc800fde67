// What is being written, over reloads. What keeps it is loaded with the first word.
import type { AppState } from "../state/app.js";
import { composersFrom } from "../state/kept_composers.js";
import { kept, tabName } from "./kept.js";
import type { Store } from "./store.js";

const againMs = 3_000;

/** What this tab begins with. */
export const keptDrafts = (): AppState["composers"] => composersFrom(kept("composers") ?? {}, tabName());

export function keepDrafts(store: Store): void {
  const before = store.state.composers;
  const stop = store.subscribe(() => {
    if (store.state.composers === before) return;
    stop();
    load(store, before);
  });
}

function load(store: Store, before: AppState["composers"]): void {
  import("./draft_keeping.js").then(
    ({ keepFromNow }) => keepFromNow(store, before),
    () => setTimeout(load, againMs, store, before),
  );
}
