// The log of a session without a store, read by somebody who takes their time.
import { expect, it } from "vitest";
import "../guards.js";
import { liveLog } from "../../src/stored/live_log.js";

const event = (id: number) =>
  `event: message\nid: ${id}\ndata: ${JSON.stringify({ method: "session/update", params: { sessionId: "a" } })}\n\n`;

it("a connection that fails while nobody waits for the next entry is told to the one who asks for it", async () => {
  let fail = (_: Response) => {};
  let calls = 0;
  const failed = new Promise<Response>((resolve) => (fail = resolve));
  const fetch = async () => {
    if (calls++ > 0) return failed;
    return new Response(event(1) + event(2), { headers: { "content-type": "text/event-stream", "acp-instance-id": "i" } });
  };
  const log = liveLog({ baseUrl: "http://127.0.0.1:1", serverId: "p", fetch }, "a", 9, {});
  expect((await log.next()).value).toMatchObject({ eventId: 1 });
  expect((await log.next()).value).toMatchObject({ eventId: 2 });
  while (calls < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  fail(new Response("{}", { status: 404 }));
  for (let turn = 0; turn < 20; ++turn) await new Promise((resolve) => setImmediate(resolve));
  await expect(log.next()).rejects.toMatchObject({ status: 404 });
});

it("what a client sent while nobody waited for the next entry is there when one asks for it", async () => {
  let say = (_: string) => {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (say = (text) => controller.enqueue(new TextEncoder().encode(text))),
  });
  const headers = { "content-type": "text/event-stream", "acp-instance-id": "i" };
  const fetch = async () => new Response(body, { headers });
  const log = liveLog({ baseUrl: "http://127.0.0.1:1", serverId: "p", fetch }, "a", 0, { follow: true });
  say(event(1));
  expect((await log.next()).value).toMatchObject({ eventId: 1, from: "agent" });
  say(`event: client\ndata: ${JSON.stringify({ id: 1, method: "session/prompt", params: { sessionId: "a" } })}\n\n`);
  for (let turn = 0; turn < 20; ++turn) await new Promise((resolve) => setImmediate(resolve));
  expect((await log.next()).value).toMatchObject({ eventId: 1, from: "client" });
  await log.return();
});
