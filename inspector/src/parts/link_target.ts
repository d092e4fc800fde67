// Where an agent's text may lead to: the web and mail, by whole addresses. All else is shown, not followed.

const schemes = new Set(["http:", "https:", "mailto:"]);
const images = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/;

/** The address to follow; undefined: none that may be followed. */
export function linkTarget(href: string): string | undefined {
  try {
    const url = new URL(href);
    return schemes.has(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an image is in its own address, of a kind that cannot do anything. */
export function isInlineImage(href: string): boolean {
  return images.test(href);
}
