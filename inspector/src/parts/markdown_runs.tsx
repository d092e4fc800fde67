// A very long text within a paragraph, cut into runs that stay what they are while the text grows: a browser that sets one text of a
// megabyte anew for every word would do nothing else.
import type { ComponentChildren } from "preact";

const runLength = 8192;

export function textRuns(text: string): ComponentChildren {
  if (text.length <= 2 * runLength) return text;
  return cutRuns(text).map((run) => <span class="markdown-run">{run}</span>);
}

/** Each run ends with a space when there is one near; where it ends depends only on the text before. */
export function cutRuns(text: string, length = runLength): string[] {
  const runs: string[] = [];
  let start = 0;
  while (text.length - start > length) {
    const space = text.indexOf(" ", start + length - 1);
    if (space < 0 && text.length - start < 2 * length) break;
    const end = space < 0 || space >= start + 2 * length ? start + 2 * length : space + 1;
    if (end > text.length) break;
    runs.push(text.slice(start, end));
    start = end;
  }
  if (start < text.length) runs.push(text.slice(start));
  return runs;
}
