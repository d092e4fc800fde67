// What the user is writing: a draft, and messages that wait for the running turn to end. One per session.
import type { Attachment } from "./attachment.js";
import type { Command } from "./settings.js";

/** A file of the agent's folder that the text names: as "@" and its path. */
export interface Mention {
  readonly path: string;
  readonly uri: string;
}

/** A message before it is sent. */
export interface Written {
  readonly text: string;
  readonly mentions?: readonly Mention[];
  readonly attachments?: readonly Attachment[];
}

export interface Queued extends Written {
  readonly id: number;
}

export interface Composer {
  readonly draft: string;
  readonly mentions?: readonly Mention[];
  readonly attachments?: readonly Attachment[];
  readonly queue: readonly Queued[];
  readonly nextId: number;
  /** The queue waits for the user's word: after a stop, or when something of it was lost. */
  readonly isHeld?: boolean;
  /** The queued message that the draft will replace, and what was written before. */
  readonly editing?: { readonly id: number; readonly before: Written };
  /** The names of attachments that were too large to outlive a reload. */
  readonly lost?: readonly string[];
}

export const emptyComposer: Composer = { draft: "", queue: [], nextId: 1 };

export type ComposerNews =
  | { readonly type: "typed"; readonly text: string }
  | { readonly type: "mentioned"; readonly text: string; readonly mention: Mention }
  | { readonly type: "attached"; readonly attachment: Attachment }
  | { readonly type: "detached"; readonly at: number }
  | { readonly type: "queued" }
  | { readonly type: "next"; readonly text: string }
  | { readonly type: "sent" }
  | { readonly type: "took"; readonly id: number }
  | { readonly type: "edit"; readonly id: number }
  | { readonly type: "left editing" }
  | { readonly type: "put back"; readonly written: Written }
  | { readonly type: "loss seen" }
  | { readonly type: "hold" }
  | { readonly type: "release" };

export function composerAfter(composer: Composer, news: ComposerNews): Composer {
  const { draft, attachments = [], queue, nextId, editing } = composer;
  switch (news.type) {
    case "typed":
      return { ...composer, draft: news.text };
    case "mentioned": {
      const others = (composer.mentions ?? []).filter(({ path }) => path !== news.mention.path);
      return { ...composer, draft: news.text, mentions: [...others, news.mention] };
    }
    case "attached":
      return { ...composer, attachments: [...attachments, news.attachment] };
    case "detached":
      return withDraft(composer, { ...writtenIn(composer), attachments: attachments.filter((_, at) => at !== news.at) });
    case "queued":
      if (isEmpty(composer)) return composer;
      if (editing) return edited(composer, editing);
      return withDraft({ ...composer, queue: [...queue, { ...writtenIn(composer), id: nextId }], nextId: nextId + 1 });
    case "next":
      return { ...composer, queue: [{ id: nextId, text: news.text }, ...queue], nextId: nextId + 1 };
    case "sent":
      return withDraft(composer);
    case "took": {
      const rest = { ...composer, queue: queue.filter(({ id }) => id !== news.id) };
      return editing?.id === news.id ? notEditing(rest, editing.before) : rest;
    }
    case "edit": {
      const now = editing ? edited(composer, editing) : composer;
      const { id, ...wanted } = now.queue.find((queued) => queued.id === news.id) ?? { id: undefined, text: "" };
      return id === undefined ? composer : { ...withDraft(now, wanted), editing: { id, before: writtenIn(now) } };
    }
    case "left editing":
      return editing ? notEditing(composer, editing.before) : composer;
    case "put back":
      if (editing) return { ...composer, editing: { ...editing, before: joined(news.written, editing.before) } };
      return withDraft(composer, joined(news.written, { ...writtenIn(composer), text: draft }));
    case "loss seen": {
      const { lost: _, ...seen } = composer;
      return seen;
    }
    case "hold":
      return queue.length === 0 ? composer : { ...composer, isHeld: true };
    case "release": {
      const { isHeld: _, ...released } = composer;
      return released;
    }
  }
}

/** The message as it stands, with the files that its text still mentions. */
export function writtenIn({ draft, mentions = [], attachments = [] }: Composer): Written {
  const named = mentionsIn(draft, mentions);
  return { text: draft, ...(named.length > 0 && { mentions: named }), ...(attachments.length > 0 && { attachments }) };
}

const goesOn = /^[-.+~@#$%&=]*[\p{L}\p{N}_/]/u; // more of a path; other signs end it

// At each "@" the longest path that is there as a whole.
function mentionsIn(text: string, mentions: readonly Mention[]): Mention[] {
  const named = new Set<Mention | undefined>();
  for (let at = text.indexOf("@") + 1; at > 0; at = text.indexOf("@", at) + 1) {
    const here = mentions.filter(({ path }) => text.startsWith(path, at) && !goesOn.test(text.slice(at + path.length)));
    named.add(here.sort((a, b) => b.path.length - a.path.length)[0]);
  }
  return mentions.filter((mention) => named.has(mention));
}

export const isEmpty = ({ draft, attachments = [] }: Composer) => draft.trim() === "" && attachments.length === 0;

/** The message whose turn it is; not while it is being changed, nor when the queue is held. */
export function nextQueued({ queue: [next], isHeld, editing }: Composer = emptyComposer): Queued | undefined {
  return isHeld || (next && editing?.id === next.id) ? undefined : next;
}

export function withDraft(composer: Composer, { text, mentions = [], attachments = [] }: Written = { text: "" }): Composer {
  const { mentions: _, attachments: __, ...rest } = composer;
  return { ...rest, draft: text, ...(mentions.length > 0 && { mentions }), ...(attachments.length > 0 && { attachments }) };
}

export function joined(first: Written, second: Written): Written {
  return {
    text: second.text.trim() === "" ? first.text : first.text === "" ? second.text : `${first.text}\n${second.text}`,
    mentions: [...(first.mentions ?? []), ...(second.mentions ?? [])],
    attachments: [...(first.attachments ?? []), ...(second.attachments ?? [])],
  };
}

// The changed message goes to its place, and what was written before comes back.
function edited(composer: Composer, { id, before }: NonNullable<Composer["editing"]>): Composer {
  const queue = isEmpty(composer)
    ? composer.queue
    : composer.queue.map((queued) => (queued.id === id ? { ...writtenIn(composer), id } : queued));
  return notEditing({ ...composer, queue }, before);
}

function notEditing(composer: Composer, before: Written): Composer {
  const { editing: _, ...rest } = withDraft(composer, before);
  return rest;
}

/** The commands a draft may mean: while its first word is being written. */
export function commandsFor(draft: string, commands: readonly Command[]): Command[] {
  const word = /^\/(\S*)$/.exec(draft)?.[1];
  if (word === undefined) return [];
  const wanted = word.toLowerCase();
  return commands.filter(({ name }) => name.toLowerCase().startsWith(wanted));
}
