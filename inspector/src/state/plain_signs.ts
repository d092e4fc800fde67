// Words of an agent as they are: what would not be seen, or would change how the rest is read, is written out. Signs that join letters
// of scripts other than Latin, or make emoji, stay.
const stays = String.raw`[\n\t]|(?<=[^\0-\x7f\p{Cf}])[\u200c\u200d\ufe00-\ufe0f]|\ufe0f(?=\u20e3)`;
const unseen = new RegExp(String.raw`((?:(?!${stays})[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}\u2800])+)`, "u");
const names = new Map([
  ["\r", "\\r"],
  ["\b", "\\b"],
  ["\0", "\\0"],
]);

function nameOf(sign: string): string {
  const code = sign.codePointAt(0)!;
  const hex = code.toString(16);
  if (code < 0x100) return names.get(sign) ?? `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.toUpperCase().padStart(4, "0")}` : `\\u{${hex.toUpperCase()}}`;
}

/** Every second piece, from the second on, is of signs that were written out. */
export const piecesOf = (text: string): string[] =>
  text.split(unseen).map((piece, index) => (index % 2 === 0 ? piece : [...piece].map(nameOf).join("")));

export const plainly = (text: string): string => piecesOf(text).join("");

/** The text of a file: how its lines end is no matter. */
export const plainLines = (text: string): string => text.split("\r\n").map(plainly).join("\r\n");
