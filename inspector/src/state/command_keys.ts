// How keys are written for people: "g c" is "G then C", "mod+k" is "Ctrl K", or "⌘ K" where keyboards have that.

const names: Readonly<Record<string, string>> = { escape: "Esc", arrowup: "↑", arrowdown: "↓" };

export function keysInWords(keys: string, hasCommandKey: boolean): string {
  const word = (key: string) => names[key] ?? key.toUpperCase();
  if (keys.startsWith("mod+")) return `${hasCommandKey ? "⌘" : "Ctrl"} ${word(keys.slice(4))}`;
  return keys.split(" ").map(word).join(" then ");
}

/** What fields and lists do with keys by themselves. */
export const keysOfFields: readonly (readonly [string, string])[] = [
  ["Enter", "Send; queue while the agent works; open what is chosen"],
  ["Shift Enter", "New line"],
  ["1 … 9", "Answer what the agent asks, when nothing is written"],
  ["J K ↑ ↓", "Move in the Trace"],
  ["@", "Mention a file of the folder, in a message"],
];
