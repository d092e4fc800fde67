// What the browser keeps of what is being written. A tab writes what it changed itself. Browsers keep little: of large attachments only
// the names, and of all together so much that there is always room for the words.
import type { Attachment } from "./attachment.js";
import type { Composer } from "./composer.js";
import { inAll, type Composers, type KeptComposer, type KeptComposers } from "./kept_composers.js";

const mostKept = 100_000; // characters of one attachment
const mostTogether = 2_500_000; // characters of all; browsers keep about twice as many

/** `before`: this tab's when it last kept them. */
export function composersToKeep(kept: KeptComposers, before: Composers, now: Composers, tab: string): KeptComposers {
  const others = Object.entries(kept).filter(([key]) => now[key] === before[key]);
  const mine = Object.entries(now).filter(([key, composer]) => composer !== before[key] && isWorthKeeping(composer));
  return bounded([...others, ...mine.map(([key, composer]) => [key, { ...composer, tab }] as const)]);
}

const isWorthKeeping = ({ draft, attachments = [], queue }: Composer) =>
  draft !== "" || attachments.length > 0 || queue.length > 0;

const emptied = (attachment: Attachment): Attachment => ({ ...attachment, data: "" });

// Words have room before attachments, and what was changed last before what is older.
function bounded(oldestFirst: readonly (readonly [string, KeptComposer])[]): KeptComposers {
  let room = mostTogether;
  const fits = (value: unknown): boolean => {
    const size = JSON.stringify(value).length;
    if (size > room) return false;
    room -= size;
    return true;
  };
  const worded = oldestFirst.toReversed().filter(([, composer]) => fits(inAll(composer, (attached) => attached.map(emptied))));
  const whole = worded.map(([key, composer]) => {
    const keepable = (one: Attachment) => (one.data.length <= mostKept && fits(one.data) ? one : emptied(one));
    return [key, inAll(composer, (attached) => attached.map(keepable))] as const;
  });
  return Object.fromEntries(whole.reverse());
}
