// What the browser keeps of what is being written, for all its tabs. A tab writes what it changed itself; a queue belongs to the tab
// in which it was made, for only one may send it.
import { composerAfter, type Composer } from "./composer.js";

export type Composers = Readonly<Record<string, Composer>>;
export type KeptComposers = Readonly<Record<string, Composer & { readonly tab?: string }>>;

/** `before`: this tab's when it last kept them. */
export function composersToKeep(kept: KeptComposers, before: Composers, now: Composers, tab: string): KeptComposers {
  const changed = Object.entries(now).filter(([key, composer]) => composer !== before[key]);
  const all = { ...kept, ...Object.fromEntries(changed.map(([key, composer]) => [key, { ...composer, tab }])) };
  return Object.fromEntries(Object.entries(all).filter(([, { draft, queue }]) => draft !== "" || queue.length > 0));
}

/** For a tab that begins: the queue of another one, which may be open, is a draft here. */
export function composersFrom(kept: KeptComposers, tab: string): Composers {
  const taken = Object.entries(kept).map(([key, { tab: owner, ...composer }]) => [
    key,
    owner === tab
      ? composer
      : composer.queue.reduceRight((next, { id }) => composerAfter(next, { type: "edit", id }), composer),
  ]);
  return Object.fromEntries(taken) as Composers;
}
