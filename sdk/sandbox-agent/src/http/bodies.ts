// Bodies that are streams: what fetch can send from here, and errors in our own classes while one is read.
import { SandboxAgentError, toSandboxAgentError, type ErrorContext } from "../errors.js";

/** What can be written to a file or sent as an archive. */
export type Content = string | Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array>;

/**
 * The same content as fetch takes it. Browsers cannot stream a request over HTTP/1.1, so there a stream is collected first (into
 * a Blob, which a browser may keep on disk); Node, Bun and Deno stream it in constant memory.
 */
export async function sendable(content: Content): Promise<BodyInit> {
  if (!(content instanceof ReadableStream)) return content as BodyInit;
  if (content.locked) {
    throw new SandboxAgentError("Somebody else reads this stream.", { code: "invalid_option", hint: "Pass a stream nobody reads." });
  }
  const stream = translated(content, unreadable);
  return streamsRequests() ? stream : new Response(stream).blob();
}

/** The body's bytes as they come; a cut connection errors the stream with a SandboxAgentError. Nothing is read ahead. */
export function readable(response: Response, context: ErrorContext): ReadableStream<Uint8Array> {
  return translated(response.body ?? new Blob().stream(), (cause) => toSandboxAgentError(cause, context));
}

function streamsRequests(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  return typeof process?.versions?.node === "string";
}

function unreadable(cause: unknown): SandboxAgentError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new SandboxAgentError(`The content to send could not be read: ${why}`, { code: "content_unreadable", cause });
}

function translated(source: ReadableStream<Uint8Array>, error: (cause: unknown) => SandboxAgentError): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await reader.read();
          if (next.done) controller.close();
          else controller.enqueue(next.value);
        } catch (cause) {
          controller.error(error(cause));
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
