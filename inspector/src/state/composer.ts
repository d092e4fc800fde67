// What the user is writing: a draft, and messages that wait for the running turn to end. One per session.
import type { Command } from "./settings.js";

export interface Queued {
  readonly id: number;
  readonly text: string;
}

export interface Composer {
  readonly draft: string;
  readonly queue: readonly Queued[];
  readonly nextId: number;
  /** After a stop the queue waits for the user's word. */
  readonly isHeld?: boolean;
}

export const emptyComposer: Composer = { draft: "", queue: [], nextId: 1 };

export type ComposerNews =
  | { readonly type: "typed"; readonly text: string }
  | { readonly type: "queued" }
  | { readonly type: "queue"; readonly text: string }
  | { readonly type: "sent" }
  | { readonly type: "took"; readonly id: number }
  | { readonly type: "edit"; readonly id: number }
  | { readonly type: "put back"; readonly text: string }
  | { readonly type: "hold" }
  | { readonly type: "release" };

export function composerAfter(composer: Composer, news: ComposerNews): Composer {
  const { draft, queue, nextId } = composer;
  const without = (id: number) => queue.filter((queued) => queued.id !== id);
  switch (news.type) {
    case "typed":
      return { ...composer, draft: news.text };
    case "queued":
      if (draft.trim() === "") return composer;
      return { ...composer, draft: "", queue: [...queue, { id: nextId, text: draft }], nextId: nextId + 1 };
    case "queue":
      return { ...composer, queue: [...queue, { id: nextId, text: news.text }], nextId: nextId + 1 };
    case "sent":
      return { ...composer, draft: "" };
    case "took":
      return { ...composer, queue: without(news.id) };
    case "edit": {
      const text = queue.find(({ id }) => id === news.id)?.text;
      return text === undefined ? composer : { ...composer, draft: joined(text, draft), queue: without(news.id) };
    }
    case "put back":
      return { ...composer, draft: joined(news.text, draft) };
    case "hold":
      return queue.length === 0 ? composer : { ...composer, isHeld: true };
    case "release": {
      const { isHeld: _, ...released } = composer;
      return released;
    }
  }
}

const joined = (first: string, second: string) => (second.trim() === "" ? first : `${first}\n${second}`);

/** The commands a draft may mean: while its first word is being written. */
export function commandsFor(draft: string, commands: readonly Command[]): Command[] {
  const word = /^\/(\S*)$/.exec(draft)?.[1];
  if (word === undefined) return [];
  const wanted = word.toLowerCase();
  return commands.filter(({ name }) => name.toLowerCase().startsWith(wanted));
}
