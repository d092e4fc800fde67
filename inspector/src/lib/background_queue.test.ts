import { afterEach, expect, test, vi } from "vitest";
import { BackgroundQueue } from "./background_queue.js";
import type { Store } from "./store.js";

afterEach(() => vi.unstubAllGlobals());

test("what the daemon does not take is put back, with its words and its hint", async () => {
  const told: { type: string; why?: string; news?: { type: string } }[] = [];
  const store = {
    state: {
      notes: [{ serverId: "p", sessionId: "s", instanceId: "i" }],
      instances: [{ instanceId: "i", status: "running", pendingRequests: 0, openAgentRequests: 0 }],
      composers: { "p/s": { draft: "", queue: [{ id: 1, text: "hello" }], nextId: 2 } },
    },
    dispatch: (action: { type: string }) => told.push(action),
  };
  vi.stubGlobal("location", { href: "http://daemon/ui/" });
  vi.stubGlobal("fetch", (_url: string, { headers, body }: { headers: Record<string, string>; body: string }) => {
    expect(headers["authorization"]).toBe("Bearer secret");
    expect(JSON.parse(body)).toMatchObject({ method: "session/prompt", params: { sessionId: "s" } });
    const problem = { detail: "The process is busy.", hint: "Wait a little." };
    return Promise.resolve(new Response(JSON.stringify(problem), { status: 409 }));
  });
  new BackgroundQueue(store as unknown as Store, () => ({ baseUrl: "http://daemon", token: "secret" })).flush();
  await vi.waitFor(() => expect(told.at(-1)?.type).toBe("unsent"));
  expect(told.at(-1)?.why).toBe("Not sent: The process is busy. Wait a little.");
  expect(told.at(-2)?.news?.type).toBe("put back");
});

test("what was sent is on its way until its turn is heard, also while the list is old", async () => {
  let taken = (_: Response) => {};
  const store = {
    state: {
      notes: [{ serverId: "p", sessionId: "s", instanceId: "i" }],
      instances: [{ instanceId: "i", status: "running", pendingRequests: 0, openAgentRequests: 0 }],
      composers: { "p/s": { draft: "", queue: [{ id: 1, text: "hello" }], nextId: 2 } },
    },
    dispatch: () => {},
  };
  let posts = 0;
  vi.stubGlobal("location", { href: "http://daemon/ui/" });
  vi.stubGlobal("fetch", () => {
    ++posts;
    return new Promise<Response>((resolve) => (taken = resolve));
  });
  const queue = new BackgroundQueue(store as unknown as Store, () => ({ baseUrl: "http://daemon", token: undefined }));
  expect(queue.isOnItsWay("p/s")).toBe(false);
  queue.flush();
  await vi.waitFor(() => expect(posts).toBe(1));
  expect(queue.isOnItsWay("p/s")).toBe(true);
  expect(queue.isOnItsWay("p/another")).toBe(false);
  taken(new Response(null, { status: 202 }));
  queue.flush();
  expect(queue.isOnItsWay("p/s")).toBe(true);
  queue.heard("p/s");
  expect(queue.isOnItsWay("p/s")).toBe(false);
  queue.flush();
  expect(posts).toBe(1);
});
