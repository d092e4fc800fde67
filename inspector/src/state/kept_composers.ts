// What the browser kept of what was being written, for all its tabs, and what of it a tab begins with. A queue belongs to the tab in
// which it was made, for only one may send it. Attachments of which there was no room for more than the name are lost.
import type { Attachment } from "./attachment.js";
import { composerAfter, joined, withDraft, writtenIn, type Composer, type Written } from "./composer.js";

export type Composers = Readonly<Record<string, Composer>>;
export type KeptComposer = Composer & { readonly tab?: string };
export type KeptComposers = Readonly<Record<string, KeptComposer>>; // what was changed last is the last one

/** For a tab that begins: the queue of another one, which may be open, is a draft here. */
export function composersFrom(kept: KeptComposers, tab: string): Composers {
  const taken = Object.entries(kept).map(([key, { tab: owner, ...composer }]) => {
    const whole = withoutLost(composer);
    return [key, owner === tab ? whole : asDraft(whole)];
  });
  return Object.fromEntries(taken) as Composers;
}

function asDraft(composer: Composer): Composer {
  const { isHeld: _, ...rest } = composerAfter(composer, { type: composer.editing ? "queued" : "release" });
  return withDraft(
    { ...rest, queue: [] },
    rest.queue.reduceRight<Written>((after, queued) => joined(queued, after), writtenIn(rest)),
  );
}

function changed<W extends { readonly attachments?: readonly Attachment[] }>(
  written: W,
  change: (attachments: readonly Attachment[]) => readonly Attachment[],
): W {
  return written.attachments ? { ...written, attachments: change(written.attachments) } : written;
}

/** With other attachments, wherever there are some. */
export function inAll<C extends Composer>(
  composer: C,
  change: (attachments: readonly Attachment[]) => readonly Attachment[],
): C {
  const { editing } = composer;
  return {
    ...changed(composer, change),
    queue: composer.queue.map((queued) => changed(queued, change)),
    ...(editing && { editing: { ...editing, before: changed(editing.before, change) } }),
  };
}

const isLost = ({ size, data }: Attachment) => size > 0 && data === "";

// A message that was queued with more than is left of it is not sent before somebody has seen that.
function withoutLost(composer: Composer): Composer {
  const lost: string[] = [];
  const whole = inAll(composer, (attachments) => {
    lost.push(...attachments.filter(isLost).map(({ name }) => name));
    return attachments.filter((one) => !isLost(one));
  });
  if (lost.length === 0) return composer;
  const isQueueLess = composer.queue.some(({ attachments = [] }) => attachments.some(isLost));
  return { ...whole, lost, ...(isQueueLess && { isHeld: true }) };
}
