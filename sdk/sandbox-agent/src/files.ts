// fs: the files where the daemon runs. Relative paths start at the daemon's file root, its home unless it was told otherwise.
import { SandboxAgentError, toSandboxAgentError } from "./errors.js";
import type { components } from "./generated/api.js";
import { readable, type FileContent } from "./http/bodies.js";
import type { Caller } from "./http/caller.js";
import { parseJson } from "./http/json.js";
import { undefinedWhenMissing } from "./http/missing.js";
import type { CallOptions } from "./http/options.js";

export type { FileContent } from "./http/bodies.js";
export type FileEntry = components["schemas"]["FileEntry"];
export type FileStat = components["schemas"]["FileStat"];
export type UnpackedFiles = components["schemas"]["FilesUnpacked"];

export interface ReadOptions extends CallOptions {
  /** A part of the file: `length` bytes from `offset` on, or all that follow. */
  range?: { offset: number; length?: number | undefined } | undefined;
}

export interface WriteOptions extends CallOptions {
  /** Only if the file still has this ETag; else the write rejects with "precondition_failed". */
  ifMatch?: string | undefined;
  /** "*": only if there is no file yet. */
  ifNoneMatch?: string | undefined;
}

export interface WrittenFile {
  path: string;
  bytesWritten: number;
  /** The version that was written, for `ifMatch` later. */
  etag: string;
}

/** A file being read. Take one of bytes(), text() and stream(), once. */
export interface OpenFile {
  /** The version that is read, for `ifMatch` later. */
  etag: string;
  /** How many bytes are coming. */
  size: number;
  bytes(): Promise<Uint8Array>;
  text(): Promise<string>;
  stream(): ReadableStream<Uint8Array>;
}

export class Files {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** The entries of a directory, by name. Links are not followed. Without a path: of the file root. */
  async list(path?: string, options: CallOptions = {}): Promise<FileEntry[]> {
    return this.#caller.json("get", "/v1/fs/entries", { ...options, query: { path } });
  }

  /** What is at a path, links followed. */
  async stat(path: string, options: CallOptions = {}): Promise<FileStat> {
    return this.#caller.json("get", "/v1/fs/stat", { ...options, query: { path } });
  }

  /** Whether something is there, links followed. */
  async exists(path: string, options: CallOptions = {}): Promise<boolean> {
    return (await this.stat(path, options).catch(undefinedWhenMissing)) !== undefined;
  }

  /** Opens a file; its content comes as it is read. For the ETag, and for a choice of how to read. */
  async open(path: string, { range, signal }: ReadOptions = {}): Promise<OpenFile> {
    const response = await this.#caller.open("get", "/v1/fs/file", {
      query: { path },
      headers: { range: range && rangeHeader(range) },
      signal,
    });
    if (range && response.status !== 206) {
      await response.body?.cancel();
      throw new SandboxAgentError("The whole file came, not the part.", { code: "bad_answer", status: 200 });
    }
    const bytes = async () => new Uint8Array(await told(response.arrayBuffer(), signal));
    return {
      etag: response.headers.get("etag") ?? "",
      size: Number(response.headers.get("content-length")),
      bytes,
      text: async () => new TextDecoder("utf-8", { ignoreBOM: true }).decode(await bytes()), // a BOM is content too
      stream: () => readable(response, { answered: true, signal }),
    };
  }

  /** The bytes of a file, or of a part of it. */
  async readFile(path: string, options?: ReadOptions): Promise<Uint8Array> {
    return (await this.open(path, options)).bytes();
  }

  /** A file as UTF-8; bytes that are not become U+FFFD. */
  async readText(path: string, options?: ReadOptions): Promise<string> {
    return (await this.open(path, options)).text();
  }

  /** A file as a stream, in constant memory. */
  async readStream(path: string, options?: ReadOptions): Promise<ReadableStream<Uint8Array>> {
    return (await this.open(path, options)).stream();
  }

  /** Writes a whole file and makes the directories it lacks. Readers see the old or the new content, never a part. */
  async writeFile(path: string, content: FileContent, options: WriteOptions = {}): Promise<WrittenFile> {
    const { ifMatch, ifNoneMatch, signal } = options;
    const response = await this.#caller.open("put", "/v1/fs/file", {
      query: { path },
      headers: { "content-type": "application/octet-stream", "if-match": ifMatch, "if-none-match": ifNoneMatch },
      body: content,
      signal,
    });
    const written = await answerOf<components["schemas"]["FileWritten"]>(response, signal);
    return { ...written, etag: response.headers.get("etag") ?? "" };
  }

  /** Removes a file, a link (not its target), or a directory; one that is not empty only with `recursive`. */
  async remove(path: string, { recursive, ...options }: CallOptions & { recursive?: boolean | undefined } = {}): Promise<void> {
    await this.#caller.json("delete", "/v1/fs/entry", { ...options, query: { path, recursive }, timeoutMs: 0 });
  }

  /** Makes a directory and those above it. One that is there is fine. */
  async mkdir(path: string, options: CallOptions = {}): Promise<void> {
    await this.#caller.json("post", "/v1/fs/mkdir", { ...options, query: { path } });
  }

  /** Moves an entry and makes the directories it lacks. What is there already is replaced only with `overwrite`. */
  async move(
    from: string,
    to: string,
    { overwrite, ...options }: CallOptions & { overwrite?: boolean | undefined } = {},
  ): Promise<void> {
    await this.#caller.json("post", "/v1/fs/move", { ...options, json: { from, to, overwrite }, timeoutMs: 0 });
  }

  /** Unpacks a tar archive, plain or compressed, into a directory (default: the file root). */
  async uploadTar(
    archive: FileContent,
    { path, signal }: CallOptions & { path?: string | undefined } = {},
  ): Promise<UnpackedFiles> {
    const response = await this.#caller.open("post", "/v1/fs/upload-batch", {
      query: { path },
      headers: { "content-type": "application/x-tar" },
      body: archive,
      signal,
    });
    return answerOf(response, signal);
  }
}

async function answerOf<T>(response: Response, signal: AbortSignal | undefined): Promise<T> {
  return parseJson(await told(response.text(), signal), response.status) as T;
}

// What is read of an answer; failures are ours.
function told<T>(body: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return body.catch((cause: unknown) => {
    throw toSandboxAgentError(cause, { answered: true, signal });
  });
}

function rangeHeader({ offset, length }: { offset: number; length?: number | undefined }): string {
  if (!Number.isSafeInteger(offset) || offset < 0 || (length !== undefined && !(Number.isSafeInteger(length) && length > 0))) {
    throw new SandboxAgentError("A range begins at 0 or later and has at least one byte.", { code: "invalid_option" });
  }
  return `bytes=${offset}-${length === undefined ? "" : offset + length - 1}`;
}
