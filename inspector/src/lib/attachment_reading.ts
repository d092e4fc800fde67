// Reads files that were pasted, dropped or chosen, as far as the agent takes them. Loaded when the first one comes.
import {
  attachableAs,
  mostTogether,
  takesNothing,
  whyNoMore,
  whyNoText,
  type Attachment,
  type Takes,
} from "../state/attachment.js";

const pastedName = /^image\.(\w+)$/; // what browsers call a picture without a name

/** `there`: what the message has already. What was read is told one by one; the answer says what was not, and why. */
export async function readFiles(
  files: readonly File[],
  { takes, there, onRead }: { takes: Takes; there: readonly Attachment[]; onRead: (attachment: Attachment) => void },
): Promise<string[]> {
  if (!takes.image && !takes.embeddedContext && files.length === 0) return [takesNothing];
  const refused: string[] = [];
  let together = there.reduce((sum, { size }) => sum + size, 0);
  for (const file of files) {
    const name = file.name.replace(pastedName, "pasted picture.$1");
    const kind = attachableAs({ name, type: file.type, size: file.size }, takes);
    if (typeof kind !== "string") refused.push(kind.why);
    else if (together + file.size > mostTogether) refused.push(whyNoMore(name));
    else {
      const data = await (kind === "image" ? base64Of(file) : textOf(file)).catch((error: Error) => error);
      if (data === undefined) refused.push(whyNoText(name));
      else if (data instanceof Error) refused.push(`${name} could not be read: ${data.message}`);
      else {
        together += file.size;
        onRead({ name, mimeType: file.type || "text/plain", size: file.size, kind, data });
      }
    }
  }
  return refused;
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error ?? new Error("it could not be read"));
    reader.readAsDataURL(file);
  });
}

// undefined: it is no text.
async function textOf(file: File): Promise<string | undefined> {
  const bytes = await file.arrayBuffer();
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
