// The address of an image that is in base64 text, and how large it is.

const kinds = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** undefined: not a kind that is shown. */
export function imageUrl(mimeType: string, data: string): string | undefined {
  const kind = mimeType.toLowerCase() === "image/jpg" ? "image/jpeg" : mimeType.toLowerCase();
  return kinds.has(kind) ? `data:${kind};base64,${data}` : undefined;
}

/** How many bytes the base64 text holds, in words. */
export function imageSize(data: string): string {
  const bytes = Math.floor((data.replace(/[=\s]+/g, "").length * 3) / 4);
  if (bytes < 1000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
