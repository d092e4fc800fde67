// A few letters in a text: one after the other, as near to each other as can be, best where words begin.

export interface Match {
  readonly score: number;
  /** Which letters of the text were meant. */
  readonly marks: readonly number[];
}

/** The best place of a word's letters; undefined when they are not all there, or too far from each other. `word`: in small letters. */
export function lettersOf(text: string, word: string): Match | undefined {
  const lower = text.toLowerCase();
  const isStart = (at: number) => at === 0 || /[^\p{L}\p{N}]/u.test(lower[at - 1]!);
  let best: Match | undefined;
  for (let start = lower.indexOf(word[0]!); start >= 0; start = lower.indexOf(word[0]!, start + 1)) {
    const marks = [start];
    for (const letter of [...word].slice(1)) {
      const next = lower.indexOf(letter, marks.at(-1)! + 1);
      if (next < 0) return best; // nor behind a later start
      marks.push(next);
    }
    const gaps = marks.reduce((sum, mark, at) => sum + (at === 0 || isStart(mark) ? 0 : mark - marks[at - 1]! - 1), 0);
    const starts = marks.filter(isStart).length;
    const isOnePiece = marks.at(-1)! - start === marks.length - 1;
    const score = 10 * word.length - 3 * gaps + 4 * starts + (isStart(start) ? 10 : 0) + (isOnePiece ? 15 : 0);
    if (score > (best?.score ?? 0)) best = { score, marks };
  }
  return best;
}
