// A very long text cut into runs that stay what they are while the text grows: a browser that sets one text of a megabyte anew for
// every word would do nothing else.
import type { ComponentChildren } from "preact";

const runLength = 8192;
const runHeight = 1600; // px, about: a run that is not seen is not laid out, and counts as so high for its length

/** The text of a paragraph: itself, or runs when it is very long. */
export function textRuns(text: string): ComponentChildren {
  if (text.length <= 2 * runLength) return text;
  return cutRuns(text).map((run) => (
    <span class="markdown-run" style={{ containIntrinsicHeight: `auto ${Math.ceil((runHeight * run.length) / runLength)}px` }}>
      {run}
    </span>
  ));
}

/** Each run ends with an `end` when there is one near; where it ends depends only on the text before. */
export function cutRuns(text: string, end = " ", length = runLength): string[] {
  const runs: string[] = [];
  let start = 0;
  while (text.length - start >= length) {
    const found = text.indexOf(end, start + length - 1) + 1;
    const most = start + 2 * length;
    const cut = found === 0 || found > most ? most : found;
    if (cut > text.length) break;
    runs.push(text.slice(start, cut));
    start = cut;
  }
  if (start < text.length) runs.push(text.slice(start));
  return runs;
}
