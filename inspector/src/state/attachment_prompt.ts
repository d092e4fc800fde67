// A message as it is sent: its words, links to the files it mentions, and what is attached.
import type { Attachment } from "./attachment.js";
import type { Mention, Written } from "./composer.js";

export function promptOf({ text, mentions = [], attachments = [] }: Written): object[] {
  return [...(text.trim() === "" ? [] : [{ type: "text", text }]), ...mentions.map(linkTo), ...attachments.map(blockOf)];
}

// Every agent has to take links.
const linkTo = ({ path, uri }: Mention) => ({ type: "resource_link", uri, name: path });

function blockOf({ name, mimeType, kind, data }: Attachment): object {
  if (kind === "image") return { type: "image", mimeType, data };
  return { type: "resource", resource: { uri: `attachment:${encodeURIComponent(name)}`, mimeType, text: data } };
}
