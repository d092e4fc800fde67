// What the options of a permission request mean: by their kind, and where that is none of the protocol's, by their id.

export const optionKinds = ["allow_once", "allow_always", "reject_once", "reject_always"] as const;
export type OptionKind = (typeof optionKinds)[number];

const always = /always|forever|session/i;
const reject = /reject|deny|decline|refuse|abort|cancel|\bno\b/i;
const allow = /allow|approve|accept|proceed|once|always|\byes\b/i;

export function meaningOf({ kind, option_id }: { kind: string; option_id: string }): OptionKind | undefined {
  const exact = optionKinds.find((each) => each === kind);
  if (exact) return exact;
  const how = always.test(option_id) ? "always" : "once";
  if (reject.test(option_id)) return `reject_${how}`;
  return allow.test(option_id) ? `allow_${how}` : undefined;
}
