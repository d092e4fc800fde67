import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { App } from "./app.js";
import { stopAll } from "./stop_all.js";

beforeEach(() => vi.stubGlobal("location", { href: "http://daemon/ui/" }));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const begun = [
  'event: client\ndata: {"id":0,"method":"session/new","params":{"cwd":"/w"}}\n\n',
  'id: 1\nevent: message\ndata: {"id":0,"result":{"sessionId":"s"}}\n\n',
  'event: client\ndata: {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"its words"}]}}\n\n',
];
const ended = 'id: 2\nevent: message\ndata: {"id":1,"result":{"stopReason":"end_turn"}}\n\n';

/** What is said after all turns were to be stopped; the only one is of a process that is not shown. */
async function saidOf(events: readonly string[], now: { status: string; pendingRequests: number }): Promise<string> {
  vi.stubGlobal("document", { hidden: true });
  vi.stubGlobal("fetch", (_url: string, init: RequestInit) => {
    if (init.method === "POST") return Promise.resolve(new Response(null, { status: 202 }));
    const body = new ReadableStream({
      start: (stream) => events.forEach((event) => stream.enqueue(new TextEncoder().encode(event))),
    });
    return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
  });
  let said = "";
  const listed = { serverId: "far", status: "running", pendingRequests: 1, lastEventId: 1 };
  const app = {
    daemon: { baseUrl: "http://daemon", token: undefined, instances: () => Promise.resolve([{ serverId: "far", ...now }]) },
    notes: { titleOf: (_serverId: string, { sessionId }: { sessionId: string }) => `my name of ${sessionId}` },
    store: {
      state: { instances: [listed] },
      dispatch: ({ notice }: { notice?: string }) => (said = notice ?? said),
    },
  } as unknown as App;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const stopping = stopAll(app);
  while (said === "") {
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(50);
  }
  await stopping;
  return said;
}

test("a turn is called as the user calls its session", async () => {
  expect(await saidOf(begun, { status: "running", pendingRequests: 1 })).toBe("Stopping 1 turn: my name of s.");
});

test("a turn that ended by itself is not one that could not be stopped", async () => {
  expect(await saidOf([...begun.slice(0, 2), ended], { status: "running", pendingRequests: 0 })).toBe("No turn was stopped.");
});

test("a turn of which nobody knows the session was not stopped", async () => {
  const said = await saidOf(begun.slice(0, 2), { status: "running", pendingRequests: 1 });
  expect(said).toBe("No turn was stopped. Not stopped: far (it does not say which of its sessions is busy).");
});
