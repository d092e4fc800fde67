// A message in the former API's form as a prompt, and the end of a session as messages.
import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { ProtocolMessage } from "./session_request.js";

export interface MessageRequest {
  message: string;
  attachments?: Attachment[];
}

export interface Attachment {
  /** On the daemon's machine. A relative one needs `cwd`. */
  path: string;
  mime?: string | null;
  filename?: string | null;
}

/** The prompt of a message. `cwd`: what relative paths count from. */
export function promptOf({ message, attachments = [] }: MessageRequest, { cwd }: { cwd?: string } = {}): ContentBlock[] {
  return [{ type: "text", text: message }, ...attachments.map((attachment) => linkOf(attachment, cwd))];
}

export function promptMessage(sessionId: string, request: MessageRequest, options: { cwd?: string } = {}): ProtocolMessage {
  return { method: "session/prompt", params: { sessionId, prompt: promptOf(request, options) } };
}

/** What ends a session: what runs is cancelled; where the agent offers it, the session is closed. */
export function terminateMessages(sessionId: string, { canClose }: { canClose: boolean }): ProtocolMessage[] {
  const cancel = { method: "session/cancel", params: { sessionId } };
  return canClose ? [cancel, { method: "session/close", params: { sessionId } }] : [cancel];
}

function linkOf({ path, mime, filename }: Attachment, cwd: string | undefined): ContentBlock {
  const uri = fileUri(path, cwd);
  const name = filename ?? decodeURIComponent(uri.slice(uri.lastIndexOf("/") + 1));
  return {
    type: "resource_link",
    uri,
    name,
    ...(mime && { mimeType: mime }),
    ...(filename && { _meta: { "sandboxagent.dev": { filename } } }),
  };
}

// Half a surrogate pair cannot be escaped.
const wellFormed = (text: string) => new TextDecoder().decode(new TextEncoder().encode(text));

const isAbsolute = (path: string) => path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path);

function fileUri(path: string, cwd: string | undefined): string {
  const whole = isAbsolute(path) ? path : cwd !== undefined && isAbsolute(cwd) ? `${cwd}/${path}` : undefined;
  if (whole === undefined) throw new RangeError(`"${path}" is a relative path. Make it absolute, or give an absolute \`cwd\`.`);
  const isOfDrive = !whole.startsWith("/");
  const steps: string[] = [];
  for (const step of (isOfDrive ? whole.replaceAll("\\", "/") : whole).split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  const escaped = steps.map((step, i) => (isOfDrive && i === 0 ? step : encodeURIComponent(wellFormed(step))));
  return `file:///${escaped.join("/")}`;
}
