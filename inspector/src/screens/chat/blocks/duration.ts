/** How long something took, if that is known. */
export function durationWord(from: number | undefined, to: number | undefined): string {
  if (from === undefined || to === undefined) return "";
  const ms = Math.max(0, to - from);
  if (ms < 1_000) return `${ms} ms`;
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1_000)} s`;
}
