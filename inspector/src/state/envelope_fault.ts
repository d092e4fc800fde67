// What is wrong with an envelope that somebody wrote by hand, though it is JSON: something the daemon or this page cannot take.

/** Why an envelope that is JSON cannot be sent from here. */
export function envelopeFault(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return "An envelope is an object.";
  if (Array.isArray(value)) return "The protocol has no batches: send one envelope at a time.";
  if ("method" in value && "id" in value && typeof value.id !== "string")
    return 'Give a request a text as id, such as "by-hand-1": numbers are those of this page.';
  return undefined;
}
