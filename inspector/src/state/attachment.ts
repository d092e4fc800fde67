// What comes with a message besides its words: pictures and texts that were pasted, dropped or chosen. Which of them an agent takes,
// how large they may be, and why not.
import { sizeWords } from "./size_words.js";

export interface Attachment {
  readonly name: string;
  readonly mimeType: string;
  /** In bytes. */
  readonly size: number;
  readonly kind: "image" | "text";
  /** A picture as base64, a text as it is. */
  readonly data: string;
}

/** What the agent said it takes in a prompt. */
export interface Takes {
  readonly image: boolean;
  readonly embeddedContext: boolean;
}

/** Of a message with pictures all go to the agent in one piece, and stay in the daemon's memory for those who read later. */
export const mostOfPicture = 5_000_000; // bytes
export const mostOfText = 1_000_000;
export const mostTogether = 15_000_000;

const pictures = /^image\/(png|jpeg|gif|webp)$/;

interface Offered {
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

/** What a file can be attached as, or why it cannot. Whether it is text is seen when it is read. */
export function attachableAs({ name, type, size }: Offered, takes: Takes): Attachment["kind"] | { readonly why: string } {
  if (pictures.test(type)) {
    if (!takes.image) return { why: `${name}: this agent does not take pictures. ${mentionInstead}` };
    return size <= mostOfPicture ? "image" : { why: tooLarge("picture", name, size, mostOfPicture) };
  }
  if (/^audio\//.test(type)) return { why: `${name}: sound cannot be attached here yet. ${mentionInstead}` };
  if (!takes.embeddedContext) return { why: `${name}: this agent does not take files. ${mentionInstead}` };
  return size <= mostOfText ? "text" : { why: tooLarge("text", name, size, mostOfText) };
}

export const takesNothing = "This agent does not take files: mention a file of its folder with @.";

/** For a file that is neither a picture nor a text. */
export const whyNoText = (name: string) => `${name}: this is neither a text nor a picture that agents take. ${mentionInstead}`;

/** For one too many. */
export const whyNoMore = (name: string) =>
  `${name}: with it the message would be larger than ${sizeWords(mostTogether)}. Send it by itself.`;

const mentionInstead = "Put it into the agent's folder, and mention it with @.";

const tooLarge = (what: string, name: string, size: number, most: number) =>
  `${name} has ${sizeWords(size)}; a ${what} may have ${sizeWords(most)}. ${mentionInstead}`;
