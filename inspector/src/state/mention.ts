// "@" in a message: which file is meant, and what becomes of the text.
import type { Mention } from "./composer.js";

export interface MentionAt {
  /** Where the "@" is. */
  readonly from: number;
  readonly query: string;
}

/** What is being mentioned where one writes: a word that begins with "@". */
export function mentionAt(text: string, caret: number): MentionAt | undefined {
  const query = /(?:^|[\s(])@([^\s@]*)$/.exec(text.slice(0, caret))?.[1];
  return query === undefined ? undefined : { from: caret - query.length - 1, query };
}

/** The text with the path in place of the word, and where one goes on writing. */
export function withMention(text: string, { from, query }: MentionAt, path: string): { text: string; caret: number } {
  const rest = text.slice(from + 1 + query.length);
  const before = `${text.slice(0, from)}@${path}${/^\s/.test(rest) ? "" : " "}`;
  return { text: before + rest, caret: before.length + (/^\s/.test(rest) ? 1 : 0) };
}

export function mentionOf(folder: string, path: string): Mention {
  const whole = `${folder.replace(/\/+$/, "")}/${path}`;
  return { path, uri: `file://${whole.split("/").map(encodeURIComponent).join("/")}` };
}
