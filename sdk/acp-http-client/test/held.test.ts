// Whoever takes the messages may let the stream wait (`room`). That the stream brings nothing says nothing then.
import { afterEach, beforeEach, expect, test } from "vitest";
import { Connected } from "./connected.js";
import { FakeServer, update, type Message } from "./fake_server.js";
import { eventually } from "./watch.js";

const longMs = 900; // a stream without a hold would be taken to be calm three times

let server: FakeServer;
let it: Connected;
let mayHold: boolean;
let room: Promise<void> | undefined;
let release: () => void;

/** Initializes. From the next message on there is no room, until release(). */
beforeEach(async () => {
  server = await FakeServer.start();
  mayHold = false;
  room = undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  it = new Connected(server, { room: () => (room = mayHold ? held : undefined), answersOutstanding: async () => 0 });
  server.onPost = (post) => {
    post.take();
    if (post.message.method === "initialize") server.reply(post);
  };
  await it.client.request("initialize", {});
  mayHold = true;
});

afterEach(async () => {
  it.client.detach();
  await eventually(() => expect(server.reading).toBeUndefined());
  await server.stop();
});

async function releaseLater(): Promise<void> {
  await eventually(() => expect(room).toBeDefined());
  await new Promise((resolve) => setTimeout(resolve, longMs));
  release();
}

const answerTo = (id: Message["id"]): Message => ({ jsonrpc: "2.0", id: id!, result: { late: true } });

test("a request that was cut is not sent again because its answer waits for room", async () => {
  server.onPost = (post) => {
    server.log.push(update(1), answerTo(post.message.id)); // for the stream after the cut
    post.cut();
  };
  const answer = it.request("session/prompt");
  await releaseLater();
  expect(await answer).toEqual({ late: true });
  expect(server.of("session/prompt")).toHaveLength(1);
});

test("the answer to an adopted request is not lost because it waits for room", async () => {
  server.say(update(1));
  server.say(answerTo("w-1"));
  const answer = it.client.stream.adopt("w-1");
  await releaseLater();
  expect(await answer).toMatchObject({ result: { late: true } });
});

test("an answer behind a gap is not lost because it waits for room", async () => {
  const answer = it.request("session/prompt");
  await eventually(() => expect(server.of("session/prompt")).toHaveLength(1));
  server.reading!.write('event: gap\ndata: {"from":2,"to":40}\n\n');
  server.reading!.event(41, answerTo(server.of("session/prompt")[0]!.message.id));
  await releaseLater();
  expect(await answer).toEqual({ late: true });
});
