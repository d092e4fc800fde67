// Names that nobody else has. Not crypto.randomUUID: pages that came over plain http do not have it.
export function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
