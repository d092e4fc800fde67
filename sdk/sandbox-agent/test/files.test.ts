// fs against a real daemon.
import { createServer } from "node:http";
import { once } from "node:events";
import { readFile, symlink, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CancelledError, SandboxAgentError } from "../src/errors.js";
import { Files } from "../src/files.js";
import { Caller } from "../src/http/caller.js";
import { failureOf, startDaemon } from "./http_daemon.js";

let daemon: Awaited<ReturnType<typeof startDaemon>>;
let fs: Files;
const mebibyte = 1 << 20;

beforeAll(async () => {
  daemon = await startDaemon();
  fs = new Files(daemon.caller());
});
afterAll(() => daemon.stop());

/** `total` bytes in equal pieces, made when they are asked for. */
function pieces(total: number, piece = new Uint8Array(64 << 10).fill(7)): ReadableStream<Uint8Array> {
  let left = total;
  return new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(piece.slice(0, Math.min(left, piece.length)));
        left -= piece.length;
        if (left <= 0) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

describe("writing and reading", () => {
  it("gives back what was written, whatever it was written from", async () => {
    const text = "\uFEFFgrüße\n";
    const bytes = new TextEncoder().encode(text);
    const contents = { text, bytes, buffer: bytes.buffer, blob: new Blob([bytes]), stream: new Blob([bytes]).stream() };
    for (const [kind, content] of Object.entries(contents)) {
      const written = await fs.writeFile(`deep/${kind} of #1&?.txt`, content);
      expect(written).toMatchObject({ path: path.join(daemon.home, `deep/${kind} of #1&?.txt`), bytesWritten: bytes.length });
      expect(await fs.readText(written.path)).toBe(text);
      expect(await fs.readFile(written.path)).toEqual(bytes);
    }
  });

  it("reads a part of a file", async () => {
    await fs.writeFile("digits", "0123456789");
    expect(await fs.readText("digits", { range: { offset: 2, length: 3 } })).toBe("234");
    expect(await fs.readText("digits", { range: { offset: 7 } })).toBe("789");
    const stream = await fs.readStream("digits", { range: { offset: 9, length: 100 } });
    expect(await new Response(stream).text()).toBe("9");
    const beyond = await failureOf(fs.readFile("digits", { range: { offset: 10 } }));
    expect(beyond).toMatchObject({ code: "range_not_satisfiable", status: 416 });
    const empty = await failureOf(fs.readFile("digits", { range: { offset: 1, length: 0 } }));
    expect(empty).toMatchObject({ code: "invalid_option" });
  });

  it("writes only over the version that is meant", async () => {
    const first = await fs.writeFile("versioned", "1", { ifNoneMatch: "*" });
    const opened = await fs.open("versioned");
    expect(opened).toMatchObject({ etag: first.etag, size: 1 });
    expect(await opened.text()).toBe("1");
    const second = await fs.writeFile("versioned", "2", { ifMatch: first.etag });
    expect(second.etag).not.toBe(first.etag);
    const late = await failureOf(fs.writeFile("versioned", pieces(mebibyte), { ifMatch: first.etag }));
    expect(late).toBeInstanceOf(SandboxAgentError);
    expect(late).toMatchObject({ code: "precondition_failed", status: 412 });
    expect(await failureOf(fs.writeFile("versioned", "3", { ifNoneMatch: "*" }))).toMatchObject({ status: 412 });
    expect(await fs.readText("versioned")).toBe("2");
  });

  it("streams a big file up and down in bounded memory", { timeout: 60_000 }, async () => {
    const size = 256 * mebibyte;
    const before = process.memoryUsage().rss;
    let peak = before;
    const look = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
    expect((await fs.writeFile("big", pieces(size))).bytesWritten).toBe(size);
    let read = 0;
    for await (const piece of await fs.readStream("big")) read += piece.length;
    clearInterval(look);
    expect(read).toBe(size);
    expect(peak - before).toBeLessThan(128 * mebibyte);
  });

  it("reads nothing ahead of a slow reader", async () => {
    await fs.writeFile("slow", pieces(32 * mebibyte));
    const reader = (await fs.readStream("slow")).getReader();
    const first = await reader.read();
    expect(first.value?.length).toBeLessThan(mebibyte);
    await reader.cancel();
  });
});

describe("the tree", () => {
  it("lists, looks, makes, moves and removes", async () => {
    await fs.mkdir("tree/a/b");
    await fs.mkdir("tree/a/b");
    await fs.writeFile("tree/file", "x");
    await symlink("file", path.join(daemon.home, "tree/link"));
    expect((await fs.list("tree")).map(({ name, entryType, symlink: target }) => [name, entryType, target])).toEqual([
      ["a", "directory", undefined],
      ["file", "file", undefined],
      ["link", "file", "file"],
    ]);
    expect((await fs.list()).some(({ name }) => name === "tree")).toBe(true);
    expect(await fs.stat("tree/link")).toMatchObject({ entryType: "file", size: 1 });
    await fs.writeFile("tree/other", "y");
    expect(await failureOf(fs.move("tree/file", "tree/other"))).toMatchObject({ code: "conflict", status: 409 });
    await fs.move("tree/file", "tree/other", { overwrite: true });
    expect(await fs.readText("tree/other")).toBe("x");
    expect(await failureOf(fs.remove("tree"))).toMatchObject({ code: "conflict" });
    await fs.remove("tree", { recursive: true });
    expect(await fs.exists("tree")).toBe(false);
    expect(await fs.exists(daemon.home)).toBe(true);
  });

  it("unpacks a tar archive from a stream", async () => {
    const archive = new Uint8Array(gzipSync(tar("inside/hello.txt", "hello")));
    const unpacked = await fs.uploadTar(new Blob([archive]).stream(), { path: "unpacked" });
    expect(unpacked).toEqual({ paths: [path.join(daemon.home, "unpacked/inside/hello.txt")], truncated: false });
    expect(await readFile(path.join(daemon.home, "unpacked/inside/hello.txt"), "utf8")).toBe("hello");
    expect(await failureOf(fs.uploadTar("no archive"))).toMatchObject({ code: "invalid_request", status: 400 });
  });
});

describe("failures", () => {
  it("says that a file is missing", async () => {
    const calls = ["readFile", "readText", "readStream", "stat", "list"] as const;
    for (const call of calls) {
      const failure = await failureOf(fs[call]("none"));
      expect(failure).toMatchObject({ code: "not_found", status: 404, name: "SandboxAgentError" });
      expect((failure as Error).message).toContain("none");
    }
    expect(await fs.exists("none")).toBe(false);
  });

  it("does not take a failure for absence", async () => {
    const stranger = new Files(daemon.caller({ token: "wrong" }));
    expect(await failureOf(stranger.exists("none"))).toMatchObject({ name: "AuthError" });
    const lost = new Files(daemon.caller({ baseUrl: `${daemon.baseUrl}/elsewhere` }));
    expect(await failureOf(lost.exists("none"))).toMatchObject({ code: "not_found", problem: { resource: "route" } });
  });

  it("is cancelled by its signal before, during and after the request is sent", async () => {
    expect(await failureOf(fs.readFile("big", { signal: AbortSignal.abort() }))).toBeInstanceOf(CancelledError);
    const upload = new AbortController();
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(1024));
        upload.abort(new Error("a reason of my own"));
      },
    });
    expect(await failureOf(fs.writeFile("half", endless, { signal: upload.signal }))).toBeInstanceOf(CancelledError);
    expect(await fs.exists("half")).toBe(false);

    await writeFile(path.join(daemon.home, "long"), new Uint8Array(64 * mebibyte));
    const download = new AbortController();
    const reader = (await fs.readStream("long", { signal: download.signal })).getReader();
    await reader.read();
    download.abort();
    const drained = (async () => {
      while (!(await reader.read()).done);
    })();
    expect(await failureOf(drained)).toBeInstanceOf(CancelledError);
  });

  it("lets the stream go when the upload fails, however it does", async () => {
    let cancelled = false;
    let pulled = 0;
    const slow = () =>
      new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            ++pulled;
            await new Promise((resolve) => setTimeout(resolve, 2));
            controller.enqueue(new Uint8Array(1000));
          },
          cancel: () => void (cancelled = true),
        },
        { highWaterMark: 0 },
      );
    const other = await startDaemon();
    await fs.writeFile("kept", "as it was");
    const failures = {
      cancelled: () => fs.writeFile("half", slow(), { signal: AbortSignal.timeout(50) }),
      refused: () => fs.writeFile("kept", slow(), { ifMatch: '"another"' }),
      lost: () => (setTimeout(() => void other.stop(), 50), new Files(other.caller()).writeFile("half", slow())),
      unsent: () => new Files(new Caller({ baseUrl: "http://127.0.0.1:1" })).uploadTar(slow()),
    };
    for (const [how, upload] of Object.entries(failures)) {
      cancelled = false;
      expect(await failureOf(upload()), how).toBeInstanceOf(SandboxAgentError);
      expect(cancelled, how).toBe(true);
      const before = pulled;
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(pulled - before, how).toBe(0);
    }
    expect(await fs.exists("half")).toBe(false);
  });

  it("passes on why the content could not be read, and leaves no file", async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error("the disk is on fire")),
    });
    const failure = await failureOf(fs.writeFile("broken", broken));
    expect(failure).toBeInstanceOf(SandboxAgentError);
    expect((failure as Error).message).toContain("the disk is on fire");
    expect(await fs.exists("broken")).toBe(false);
  });

  it("refuses a stream that somebody else reads", async () => {
    const taken = pieces(1);
    taken.getReader();
    expect(await failureOf(fs.writeFile("taken", taken))).toMatchObject({ code: "invalid_option" });
  });

  it("tells a cut connection from the end of a file", async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half of it", () => response.destroy());
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const cut = new Files(new Caller({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
    expect(await failureOf(cut.readFile("x"))).toMatchObject({ code: "connection_lost" });
    const stream = await cut.readStream("x");
    expect(await failureOf(new Response(stream).text())).toMatchObject({ code: "connection_lost" });
    expect(await failureOf(cut.stat("x"))).toMatchObject({ code: "connection_lost" });
    server.close();
  });
});

/** A tar archive of one file. */
function tar(name: string, content: string): Uint8Array {
  const block = Buffer.alloc(512 * 4);
  block.write(name, 0);
  block.write("0000644\0", 100);
  block.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
  block.write("00000000000\0", 136);
  block.write("        0", 148);
  block.write("ustar\x0000", 257);
  const sum = block.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  block.write(content, 512);
  return block;
}
