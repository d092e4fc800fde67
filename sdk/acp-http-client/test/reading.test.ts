// The event stream: where it goes on after a cut, what ends it, and in what order its messages arrive.
import { getEventListeners } from "node:events";
import { client } from "@agentclientprotocol/sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { acpHttpEvents, AcpHttpStream, type AcpHttpMessage } from "../src/index.js";
import { Connected, failureOf } from "./connected.js";
import { FakeServer, isRequest, update } from "./fake_server.js";
import { eventually } from "./watch.js";

const giveUpAfterMs = 2_000; // a stream has as long to open, on any machine

let server: FakeServer;
let it: Connected;

beforeEach(async () => {
  server = await FakeServer.start();
  await connect();
});

afterEach(async () => {
  it.client.detach();
  await eventually(() => expect(server.reading).toBeUndefined());
  await server.stop();
});

/** Initializes; later requests are taken and not answered. */
async function connect(options: ConstructorParameters<typeof Connected>[1] = {}): Promise<void> {
  it?.client.detach();
  it = new Connected(server, options);
  server.log.length = 0;
  server.readings.length = 0;
  server.posts.length = 0;
  server.onPost = (post) => {
    post.take();
    if (post.message.method === "initialize") server.reply(post);
  };
  await it.client.request("initialize", {});
}

async function prompt(): Promise<Promise<unknown>[]> {
  const before = server.of("session/prompt").length;
  const answer = it.request("session/prompt");
  await eventually(() => expect(server.of("session/prompt")).toHaveLength(before + 1));
  return [answer]; // not flattened by await
}

describe("order", () => {
  test("every handler has been called before the answer settles, however many there are before it", async () => {
    it.client.detach();
    const app = client();
    for (let i = 0; i < 20; ++i)
      app.onNotification(
        `_other/${i}`,
        (params: unknown) => params,
        () => {},
      );
    let heard = 0;
    app.onNotification("session/update", () => void ++heard);
    await connect({ app });
    const [answer] = await prompt();
    const texts: string[] = [];
    for (let n = 1; n <= 500; ++n) texts.push(`id: ${n + 1}\ndata: ${JSON.stringify(update(n))}\n\n`);
    const { id } = server.of("session/prompt")[0]!.message;
    texts.push(`id: 502\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result: {} })}\n\n`);
    server.reading!.write(texts.join("")); // one piece
    await answer;
    expect(heard).toBe(500);
  });

  test("an answer that comes twice counts once", async () => {
    const [answer] = await prompt();
    server.reply(server.of("session/prompt")[0]!, { n: 1 });
    server.reply(server.of("session/prompt")[0]!, { n: 2 });
    expect(await answer).toEqual({ n: 1 });
    server.update(1);
    await eventually(() => expect(it.texts).toHaveLength(1));
  });

  test("answers to other clients are ignored, silently", async () => {
    const [answer] = await prompt();
    for (const id of [0, 1, "0", "other-0", null]) server.say({ jsonrpc: "2.0", id, result: {} });
    server.reply(server.of("session/prompt")[0]!, { mine: true });
    expect(await answer).toEqual({ mine: true });
  });

  test("nothing on the stream breaks it: no JSON, no JSON-RPC, arrays, numbers, unknown events, odd ids", async () => {
    for (const odd of [
      1,
      "x",
      null,
      true,
      [],
      [update(0)],
      {},
      { method: "x" },
      { id: 1 },
      { jsonrpc: "2.0", id: {}, method: 5 },
    ])
      server.say(odd);
    const texts = [
      "data: {\n\n",
      "data: \n\n",
      "id: x\ndata: 5\n\n",
      "event: other\ndata: 1\n\n",
      "id: 1e99\ndata: 6\n\n",
      "event: gap\ndata: no\n\n",
    ];
    for (const text of texts) server.reading!.write(text);
    server.reading!.event(server.log.push(update(1)), update(1));
    await eventually(() => expect(it.texts).toEqual(["token 1 "]));
    expect(server.readings).toHaveLength(1);
    expect(it.client.stream.position).toBe(server.log.length);
  });
});

describe("after a cut", () => {
  test("it goes on behind the last event, and says which instance it means", async () => {
    server.update(1);
    await eventually(() => expect(it.texts).toHaveLength(1));
    server.reading!.cut();
    server.update(2);
    await eventually(() => expect(it.texts).toEqual(["token 1 ", "token 2 "]));
    expect(server.readings[0]!.headers).not.toHaveProperty("last-event-id");
    expect(server.readings[1]!.headers).toMatchObject({
      "last-event-id": "2",
      "acp-instance-id": "one",
      accept: "text/event-stream",
    });
    expect(it.states).toEqual(["connecting", "open", "reconnecting", "open"]);
  });

  test("inside an event, that event comes whole and once", async () => {
    const text = `id: 2\ndata: ${JSON.stringify(update(1))}\n\n`;
    server.log.push(update(1));
    server.reading!.write(text.slice(0, 40));
    server.reading!.end();
    await eventually(() => expect(it.texts).toEqual(["token 1 "]));
  });

  test("events that come again are dropped", async () => {
    server.update(1);
    await eventually(() => expect(it.texts).toHaveLength(1));
    server.onRead = (reading) => {
      reading.open();
      for (let n = 1; n <= server.log.length; ++n) reading.event(n, server.log[n - 1]);
    };
    server.reading!.cut();
    server.log.push(update(2));
    await eventually(() => expect(it.texts).toEqual(["token 1 ", "token 2 "]));
  });

  test("attempts come after waits that grow and differ, also when the stream opens and ends at once", async () => {
    for (const refuse of [true, false]) {
      server.readings.length = 0;
      await connect({ backoff: { firstMs: 8, mostMs: 5_000 } });
      server.onRead = (reading) =>
        refuse ? reading.refuse(503, "overloaded") : (reading.open().write(": hello\n\n"), reading.end());
      server.reading!.cut();
      await eventually(() => expect(server.readings.length).toBeGreaterThanOrEqual(8));
      const times = server.readings.map(({ at }) => at);
      const waits = times.slice(2, 8).map((at, i) => at - times[i + 1]!);
      expect(waits.at(-1)!).toBeGreaterThan(30);
      expect(Math.min(...waits.slice(0, 3))).toBeLessThan(waits.at(-1)!); // the machine may have held up one of them
      server.onRead = (reading) => server.replay(reading.open());
    }
  });

  test("Retry-After is heeded, but not beyond the time after which one gives up", async () => {
    await connect({ giveUpAfterMs });
    const [answer] = await prompt();
    server.onRead = (reading) => reading.refuse(503, "overloaded", { "Retry-After": "3600" });
    server.reading!.cut();
    expect(await failureOf(answer!)).toMatchObject({ code: "connection_lost", status: 503 });
  });

  test("everything rejects when there is no connection for too long", async () => {
    await connect({ giveUpAfterMs });
    const [answer] = await prompt();
    server.onRead = (reading) => reading.cut();
    server.reading!.cut();
    expect(await failureOf(answer!)).toMatchObject({ code: "connection_lost" });
    expect(await failureOf(it.request("a"))).toMatchObject({ code: "connection_lost" });
    expect(it.client.signal.aborted).toBe(true);
    expect(it.states.at(-1)).toBe("closed");
  });

  test("an answer that is no event stream is no connection", async () => {
    await connect({ giveUpAfterMs });
    const [answer] = await prompt();
    server.onRead = (reading) => (reading.open({ "Content-Type": "text/html" }), reading.end());
    server.reading!.cut();
    expect(await failureOf(answer!)).toMatchObject({ code: "connection_lost" });
  });
});

test("silence ends a connection, and a new one is made", async () => {
  await connect({ silenceMs: 60 });
  await eventually(() => expect(server.readings.length).toBeGreaterThanOrEqual(2));
  server.update(1);
  await eventually(() => expect(it.texts).toEqual(["token 1 "]));
});

test("heartbeats are no silence", async () => {
  await connect({ silenceMs: 4_000 }); // longer than a busy machine lets us wait
  for (let i = 0; i < 15; ++i) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    server.reading!.write(": heartbeat\n\n");
  }
  expect(server.readings).toHaveLength(1);
});

test.each([
  [404, "not_found"],
  [401, "token_invalid"],
])("%i on the stream rejects everything with its problem", async (status, code) => {
  const [answer] = await prompt();
  server.onRead = (reading) => reading.refuse(status, code);
  server.reading!.end();
  expect(await failureOf(answer!)).toMatchObject({ code, status });
  expect(await failureOf(it.request("a"))).toMatchObject({ code, status });
  expect(await failureOf(it.client.notify("b", {}))).toMatchObject({ code, status });
});

describe("a gap", () => {
  const gap = (from: number, to: number) => server.reading!.write(`event: gap\ndata: {"from":${from},"to":${to}}\n\n`);

  test("is told, and reading goes on behind it", async () => {
    gap(2, 40);
    server.reading!.event(41, update(41));
    await eventually(() => expect(it.texts).toEqual(["token 41 "]));
    expect(it.gaps).toEqual([{ type: "gap", from: 2, to: 40 }]);
    server.reading!.cut();
    await eventually(() => expect(server.readings[1]?.after).toBe(41));
  });

  test("in which an answer was lost rejects its call, once the server has none outstanding", async () => {
    let asked = 0;
    await connect({ answersOutstanding: () => Promise.resolve((++asked, 0)) });
    const [answer] = await prompt();
    gap(2, 40);
    expect(await failureOf(answer!)).toMatchObject({ code: "answer_lost" });
    expect(asked).toBe(1);
  });

  test("before an answer that is still on its way rejects nothing", async () => {
    await connect({ answersOutstanding: () => Promise.resolve(0) });
    const [answer] = await prompt();
    gap(2, 40);
    const begun = performance.now();
    let n = 41;
    for (; performance.now() - begun < 600; ++n) {
      server.reading!.event(n, update(n));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    server.reading!.event(n, { jsonrpc: "2.0", id: server.of("session/prompt")[0]!.message.id, result: { late: true } });
    expect(await answer).toEqual({ late: true });
  });

  test("rejects nothing while answers are outstanding, or it is not known whether", async () => {
    for (const outstanding of [
      () => Promise.resolve(1),
      () => Promise.reject(new Error("no")),
      () => {
        throw new Error("no");
      },
    ]) {
      await connect({ answersOutstanding: outstanding });
      const [answer] = await prompt();
      gap(2, 40);
      await eventually(() => expect(it.gaps.length).toBeGreaterThan(0));
      server.reading!.event(41, { jsonrpc: "2.0", id: server.of("session/prompt")[0]!.message.id, result: {} });
      expect(await answer).toEqual({});
    }
  });
});

test("what clients sent is told in its place, once, also after a cut and when some of it was lost", async () => {
  const sent: unknown[] = [];
  await connect({ streamQuery: { include: "client" }, onClientMessage: (message) => sent.push(message) });
  const clients = [1, 2, 3].map((n) => `event: client\ndata: ${n}\n\n`);
  server.reading!.write(clients.slice(0, 2).join(""));
  await eventually(() => expect(sent).toEqual([1, 2]));
  server.onRead = (reading) => reading.open().write(clients.join(""));
  server.reading!.cut();
  await eventually(() => expect(sent).toEqual([1, 2, 3]));
  server.onRead = (reading) => reading.open().write(`event: gap\ndata: {"clientMessages":3}\n\nevent: client\ndata: 4\n\n`);
  server.reading!.cut();
  await eventually(() => expect(sent).toEqual([1, 2, 3, 4]));
  expect(it.gaps).toEqual([]); // they had been told before
  server.onRead = (reading) => server.replay(reading.open());
  server.reading!.cut();
  await eventually(() => expect(server.readings).toHaveLength(4));
  expect(server.readings[3]!.after).toBe(1); // a gap among the clients' messages does not move the position
});

test("another instance under the same id rejects what was sent to the old one; its events are read from its beginning", async () => {
  server.update(1);
  const [answer] = await prompt();
  server.onRead = (reading) => {
    reading.open({ "Acp-Instance-Id": "two" }).write('event: gap\ndata: {"reason":"unknown_position"}\n\n');
    reading.event(1, update(100));
  };
  server.reading!.end();
  expect(await failureOf(answer!)).toMatchObject({ code: "instance_replaced" });
  await eventually(() => expect(it.texts).toEqual(["token 1 ", "token 100 "]));
  expect(it.gaps).toEqual([{ type: "gap", reason: "unknown_position" }]);
  expect(it.client.stream.instanceId).toBe("two");
  expect(it.client.signal.aborted).toBe(false);
});

test("another instance needs no gap to be noticed; what was sent to it goes on", async () => {
  for (const n of [1, 2, 3]) server.update(n);
  const [old] = await prompt();
  server.onPost = (post) => post.answer(202, "", { "Acp-Instance-Id": "two" });
  const [young] = await prompt();
  const { id } = server.of("session/prompt")[1]!.message;
  server.onRead = (reading) => {
    reading.open({ "Acp-Instance-Id": "two" }).event(1, update(100));
    reading.event(2, { jsonrpc: "2.0", id, result: { young: true } });
  };
  server.reading!.end();
  expect(await failureOf(old!)).toMatchObject({ code: "instance_replaced" });
  expect(await young).toEqual({ young: true });
  expect(it.texts.at(-1)).toBe("token 100 ");
});

test("the end of the agent is delivered, then every open call rejects", async () => {
  const seen: string[] = [];
  const app = client().onNotification("*", ({ method }) => void seen.push(method));
  await connect({ app });
  const [first] = await prompt();
  const [second] = await prompt();
  const order: string[] = [];
  first!.catch(() => order.push(...seen, "rejected"));
  server.say({ jsonrpc: "2.0", method: "_adapter/agent_exited", params: { success: false, code: null, signal: "SIGKILL" } });
  expect(await failureOf(first!)).toMatchObject({ code: "agent_process_exited", problem: { signal: "SIGKILL" } });
  expect(await failureOf(second!)).toMatchObject({ code: "agent_process_exited" });
  expect(order).toEqual(["_adapter/agent_exited", "rejected"]);
});

test("a stream that is closed in the middle of what it has read hears nothing more of it, nor of the numbers", async () => {
  const numbers: number[] = [];
  await connect({
    onMessage: ({ id }) => {
      if (numbers.push(id) === 3) it.client.detach();
      return undefined;
    },
  });
  server.reading!.write([2, 3, 4, 5].map((n) => `id: ${n}\ndata: ${JSON.stringify(update(n))}\n\n`).join(""));
  await eventually(() => expect(it.states.at(-1)).toBe("closed"));
  await new Promise((resolve) => setTimeout(resolve));
  expect(numbers).toEqual([1, 2, 3]);
  expect(it.client.stream.position).toBe(3);
});

test("a reader that nobody pulls stops the server's writing", async () => {
  it.client.detach();
  const stream = new AcpHttpStream({ baseUrl: server.url, serverId: "x" });
  const big = { ...update(0), filler: "x".repeat(20_000) };
  server.log.length = 0;
  await eventually(() => expect(server.reading).toBeUndefined());
  stream.read();
  await eventually(() => expect(server.reading).toBeDefined());
  let taken = true;
  for (let n = 1; n <= 2_500; ++n) taken = server.reading!.event(n, big);
  const before = await settled(() => stream.position ?? 0);
  expect(taken).toBe(false);
  expect(before).toBeLessThan(2_000);
  let count = 0;
  for await (const message of stream.readable) if (message && ++count === 2_500) break;
  expect(count).toBe(2_500);
});

/** The value once it has not changed for ten looks. */
async function settled(value: () => number): Promise<number> {
  for (let same = 0, last = -1; ; last = value()) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    same = last === value() ? same + 1 : 0;
    if (same === 10) return last;
  }
}

describe("acpHttpEvents", () => {
  test("goes on behind a position, over cuts, until its signal ends it quietly", async () => {
    for (let n = 2; n <= 4; ++n) server.update(n);
    const stop = new AbortController();
    const numbers: number[] = [];
    const options = { baseUrl: server.url, serverId: "x", lastEventId: 2, signal: stop.signal, backoff: { firstMs: 5 } };
    for await (const event of acpHttpEvents(options)) {
      numbers.push((event as AcpHttpMessage).id);
      if (numbers.length === 2) {
        server.readings.at(-1)!.cut();
        server.update(5);
      }
      if (numbers.length === 3) stop.abort();
    }
    expect(numbers).toEqual([3, 4, 5]);
  });

  test("gives nothing more of what it has read when its signal is aborted", async () => {
    server.onRead = (reading) => reading.open().write([1, 2, 3].map((n) => `id: ${n}\ndata: {}\n\n`).join(""));
    const stop = new AbortController();
    const numbers: number[] = [];
    for await (const event of acpHttpEvents({ baseUrl: server.url, serverId: "x", signal: stop.signal })) {
      numbers.push((event as AcpHttpMessage).id);
      if (numbers.length === 2) stop.abort();
    }
    expect(numbers).toEqual([1, 2]);
  });

  test("gives what is no object as one, and its text as it is", async () => {
    for (const odd of [null, 100, "done", update(1)]) server.say(odd);
    const read: AcpHttpMessage[] = [];
    for await (const event of acpHttpEvents({ baseUrl: server.url, serverId: "x", lastEventId: 1 })) {
      read.push(event as AcpHttpMessage);
      if (read.length === 4) break;
    }
    expect(read.map(({ json }) => json).slice(0, 3)).toEqual(["null", "100", '"done"']);
    expect(read.map(({ message }) => "method" in message)).toEqual([false, false, false, true]);
  });

  test("ends with what the server says", async () => {
    server.onRead = (reading) => reading.refuse(404, "not_found");
    expect(await failureOf(acpHttpEvents({ baseUrl: server.url, serverId: "none" }).next())).toMatchObject({
      code: "not_found",
    });
  });

  test("ends at once when what is there is no event stream", async () => {
    server.onRead = (reading) => (reading.open({ "Content-Type": "text/html" }), reading.end());
    expect(await failureOf(acpHttpEvents({ baseUrl: server.url, serverId: "x" }).next())).toMatchObject({
      code: "connection_lost",
      status: 200,
    });
  });

  test("leaves no connection behind when one stops reading", async () => {
    server.update(2);
    for await (const event of acpHttpEvents({ baseUrl: server.url, serverId: "x" })) if (event.type === "message") break;
    await eventually(() => expect(server.readings.at(-1)!.closed).toBe(true));
  });

  test("leaves no connection behind when its signal is aborted while one does not read", async () => {
    server.update(2);
    const stop = new AbortController();
    const events = acpHttpEvents({ baseUrl: server.url, serverId: "x", signal: stop.signal });
    await events.next();
    stop.abort();
    await eventually(() => expect(server.readings.at(-1)!.closed).toBe(true));
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  test("leaves nothing behind at a signal that outlives it", async () => {
    const { signal } = new AbortController();
    for await (const event of acpHttpEvents({ baseUrl: server.url, serverId: "x", signal }))
      if (event.type === "message") break;
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

test("adopt() gets the answer of a request that somebody else made, or the end of the connection", async () => {
  const [first, second] = [it.client.stream.adopt("abc-1"), it.client.stream.adopt("abc-2")];
  const failure = failureOf(second!);
  server.say({ jsonrpc: "2.0", id: "abc-1", result: { mine: true } });
  expect(await first).toMatchObject({ result: { mine: true } });
  it.client.detach();
  expect(await failure).toMatchObject({ code: "closed" });
});

test("requests are what waits for an answer", async () => {
  await prompt();
  const waiting = server.posts.filter(isRequest).map(({ message }) => message.id);
  expect(it.client.stream.openRequests).toEqual(waiting.slice(1));
});
