import { afterEach, expect, test, vi } from "vitest";
import { InstanceLog } from "../state/log.js";
import { TraceReader } from "../state/trace_file.js";
import type { App } from "./app.js";
import { currentPlayer } from "./replay.js";
import { exportTrace, openTraceFile } from "./trace_file.js";

afterEach(() => vi.unstubAllGlobals());

/** The text of the file that is saved meanwhile. */
async function savedBy(save: () => Promise<void>): Promise<string> {
  const blobs: Blob[] = [];
  vi.stubGlobal("document", { createElement: () => ({ click: () => {} }) });
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    blobs.push(blob as Blob);
    return "blob:";
  });
  await save();
  return blobs[0]!.text();
}

function appWith(lastEventId: number, shown?: { stream: string; behind: number }): App {
  const log = new InstanceLog();
  log.agent(1, { id: "seen" }, '{"id":"seen"}');
  return {
    daemon: { baseUrl: "http://daemon", token: "secret" },
    shown: { viewOf: () => shown && { log } },
    notes: { agentOf: () => "mock" },
    store: { state: { instances: [{ serverId: "far", lastEventId }], shown: shown && { serverId: "far", ...shown } } },
  } as unknown as App;
}

/** The daemon has these events, and is ready to tell them after a while. */
function daemonWith(events: readonly string[], afterMs = 0): void {
  vi.stubGlobal("location", { href: "http://daemon/ui/" });
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    expect(String(url)).toBe("http://daemon/v1/acp/far?include=client");
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    const body = new ReadableStream({
      start(stream) {
        for (const event of events) stream.enqueue(new TextEncoder().encode(event));
        init.signal?.addEventListener("abort", () => stream.error(new Error("aborted")));
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
}

const messagesIn = (text: string) => {
  const reader = new TraceReader();
  for (const line of text.trimEnd().split("\n")) reader.read(line);
  return reader.entries.map(({ from, json }) => [from, json]);
};

test("a process that is not shown is read from the daemon, up to what it said and what clients said behind it", async () => {
  const events = [
    'event: client\ndata: {"id":0,"method":"initialize"}\n\n',
    'id: 1\nevent: message\ndata: {"id":0,"result":{}}\n\n',
    'event: client\ndata: {"method":"session/cancel"}\n\n',
  ];
  daemonWith(events);
  const text = await savedBy(() => exportTrace(appWith(1), "far"));
  expect(text).not.toContain("secret");
  const reader = new TraceReader();
  for (const line of text.trimEnd().split("\n")) reader.read(line);
  expect(reader.head).toMatchObject({ serverId: "far", agent: "mock" });
  expect(reader.entries.map(({ from, json }) => [from, json])).toEqual([
    ["client", '{"id":0,"method":"initialize"}'],
    ["agent", '{"id":0,"result":{}}'],
    ["client", '{"method":"session/cancel"}'],
  ]);
});

test("a process that nobody has any more cannot be exported", async () => {
  await expect(exportTrace(appWith(1), "gone")).rejects.toThrow("has no process “gone”");
});

const two = ['id: 1\nevent: message\ndata: {"id":1}\n\n', 'id: 2\nevent: message\ndata: {"id":2}\n\n'];
const both = [
  ["agent", '{"id":1}'],
  ["agent", '{"id":2}'],
];

test.each([
  [{ stream: "catching up", behind: 1 }, both],
  [{ stream: "connecting", behind: 0 }, both],
  [{ stream: "reconnecting", behind: 0 }, both],
  [{ stream: "live", behind: 0 }, [["agent", '{"id":"seen"}']]],
  [{ stream: "ended", behind: 0 }, [["agent", '{"id":"seen"}']]],
])("a process is exported as the page heard it only if it heard all: %j", async (shown, expected) => {
  daemonWith(two);
  expect(messagesIn(await savedBy(() => exportTrace(appWith(2, shown), "far")))).toEqual(expected);
});

test("when the daemon does not answer, the file has what was heard, and says that this may not be all", async () => {
  vi.stubGlobal("location", { href: "http://daemon/ui/" });
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no connection")));
  const text = await savedBy(() => exportTrace(appWith(0, { stream: "reconnecting", behind: 0 }), "far"));
  expect(messagesIn(text)).toEqual([
    ["agent", '{"id":"seen"}'],
    ["daemon", '{"reason":"the daemon did not answer"}'],
  ]);
  await expect(exportTrace(appWith(0), "far")).rejects.toThrow();
});

test("a daemon that is slow to answer is waited for, also if its process has said nothing yet", async () => {
  daemonWith(['event: client\ndata: {"id":0,"method":"initialize"}\n\n'], 300);
  expect(messagesIn(await savedBy(() => exportTrace(appWith(0), "far")))).toHaveLength(1);
});

const fileOf = (name: string, count: number, afterMs: number): File => {
  const lines = Array.from({ length: count }, (_, nth) =>
    JSON.stringify({ seq: nth + 1, direction: "agent", at: 1000 * nth, envelope: { method: "x" } }),
  );
  const text = () => new Promise<string>((resolve) => setTimeout(() => resolve(lines.join("\n")), afterMs));
  return { name, size: 10, text } as unknown as File;
};

function replayer() {
  const told: { state: string; name: string }[] = [];
  const dispatch = ({ replay }: { replay: { state: string; name: string } }) => told.push(replay);
  return { told, app: { go: () => {}, store: { dispatch } } as unknown as App };
}

test("the file that was opened last is shown, also if another takes longer to read", async () => {
  const { told, app } = replayer();
  await Promise.all([openTraceFile(app, fileOf("first", 3, 40)), openTraceFile(app, fileOf("second", 3, 5))]);
  expect(told.at(-1)).toMatchObject({ state: "open", name: "second" });
});

test("what is wrong with a file is said, and stays, while another was playing", async () => {
  const { told, app } = replayer();
  await openTraceFile(app, fileOf("first", 30, 0));
  currentPlayer()!.play();
  await openTraceFile(app, { name: "bad", size: 3, text: () => Promise.resolve("not a trace") } as unknown as File);
  await new Promise((resolve) => setTimeout(resolve, 100)); // longer than the player's clock
  expect(told.at(-1)).toMatchObject({ state: "failed", name: "bad" });
  expect(currentPlayer()).toBeUndefined();
});
