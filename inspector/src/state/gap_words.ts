// What a gap says: which events are missing, and who lost them. Loaded with the first one.
import type { GapBlock } from "./blocks.js";

const savedLate = "The page that saved this trace had only the newest.";

export function gapWords({ from, to, reason }: Pick<GapBlock, "from" | "to" | "reason">): string {
  const isForgotten = reason === "forgotten"; // written by the page, into a trace whose beginning it had not kept
  if (from === undefined || to === undefined) {
    const why = isForgotten ? `. ${savedLate}` : reason === undefined ? "." : ` (${reason.replaceAll("_", " ")}).`;
    return `Events were lost, and it is not known how many${why}`;
  }
  const who = isForgotten ? savedLate : "The daemon had to drop them before this page read them.";
  return `${to - from + 1} events were lost: ${from} to ${to}. ${who}`;
}
