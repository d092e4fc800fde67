// The variables an agent takes its key from, as the daemon's instructions name them.

/** Of one agent; none: the instructions name no variable. */
export function keyNames(instructions: string): string[] {
  const lines = instructions.split("\n").filter((line) => /^(Set |For credentials)/.test(line));
  return [...new Set(lines.join(" ").match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? [])];
}
