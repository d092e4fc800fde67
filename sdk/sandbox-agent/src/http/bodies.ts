// Bodies that are streams: what fetch can send from here, and errors in our own classes while one is read.
import { SandboxAgentError, toSandboxAgentError, type ErrorContext } from "../errors.js";

/** What can be written to a file or sent as an archive. */
export type FileContent = string | Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array>;

/**
 * The same content as fetch takes it, until the signal says that nobody wants it any more. Browsers cannot stream a request over
 * HTTP/1.1, so there a stream is collected first (into a Blob, which a browser may keep on disk); Node, Bun and Deno stream it in
 * constant memory.
 */
export async function sendable(content: FileContent, signal: AbortSignal): Promise<BodyInit> {
  if (!(content instanceof ReadableStream)) return content as BodyInit;
  if (content.locked) throw new SandboxAgentError("Somebody else reads this stream.", { code: "invalid_option" });
  let failure: SandboxAgentError | undefined;
  const stream = translated(content, (cause) => (failure = unreadable(cause)), signal);
  if (streamsRequests()) return stream;
  return new Response(stream).blob().catch((cause: unknown) => {
    throw failure ?? toSandboxAgentError(cause); // a browser says no more than that it failed
  });
}

/** The body's bytes as they come; a cut connection errors the stream with a SandboxAgentError. Nothing is read ahead. */
export function readable(response: Response, context: ErrorContext): ReadableStream<Uint8Array> {
  return translated(response.body ?? new Blob().stream(), (cause) => toSandboxAgentError(cause, context));
}

/** Whether fetch sends a stream as it comes: in Node and those that do as Node does. */
export function streamsRequests(): boolean {
  const { process, navigator } = globalThis as {
    process?: { versions?: { node?: string } };
    navigator?: { userAgent?: string };
  };
  return typeof process?.versions?.node === "string" && navigator?.userAgent !== "Cloudflare-Workers";
}

function unreadable(cause: unknown): SandboxAgentError {
  const why = toSandboxAgentError(cause).message;
  return new SandboxAgentError(`The content to send could not be read: ${why}`, { code: "content_unreadable", cause });
}

type Bytes = ReadableStream<Uint8Array>;

// The same stream, with other errors. An aborted signal breaks it off, so that what was sent is not taken for all there is.
function translated(source: Bytes, error: (cause: unknown) => SandboxAgentError, signal?: AbortSignal): Bytes {
  const reader = source.getReader();
  return new ReadableStream(
    {
      start(controller) {
        const stop = () => {
          controller.error(signal?.reason);
          reader.cancel(signal?.reason).catch(() => {});
        };
        if (signal?.aborted) stop();
        signal?.addEventListener("abort", stop);
      },
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
