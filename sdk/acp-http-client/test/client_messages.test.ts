// What clients sent has no numbers: after a cut it comes again from the last numbered event on, as far as the server has it.
import { afterEach, beforeEach, expect, test } from "vitest";
import { Connected } from "./connected.js";
import { FakeServer } from "./fake_server.js";
import { eventually } from "./watch.js";

let server: FakeServer;
let it: Connected;
let heard: unknown[];
let sent: number; // 1, 2, … by clients, all of it behind the answer to "initialize"

const event = (n: number) => `event: client\ndata: ${n}\n\n`;
const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, i) => from + i);

beforeEach(async () => {
  server = await FakeServer.start();
  heard = [];
  sent = 0;
  it = new Connected(server, { streamQuery: { include: "client" }, onClientMessage: (message) => heard.push(message) });
  server.onPost = (post) => {
    post.take();
    server.reply(post);
  };
  await it.client.request("initialize", {});
});

afterEach(async () => {
  it.client.detach();
  await eventually(() => expect(server.reading).toBeUndefined());
  await server.stop();
});

function say(count: number): void {
  for (let i = 0; i < count; ++i) server.reading!.write(event(++sent));
}

/** Cut, and `more` is sent meanwhile; the server has the last 16. Resolves when the client has read all that there is. */
async function cut(more = 0): Promise<void> {
  sent += more;
  const lost = Math.max(0, sent - 16);
  const again = new Promise<void>((resolve) => {
    server.onRead = (reading) => {
      reading.open();
      if (lost > 0) reading.write(`event: gap\ndata: {"clientMessages":${lost}}\n\n`);
      reading.write(
        upTo(sent, lost + 1)
          .map(event)
          .join(""),
      );
      reading.write(event(++sent));
      resolve();
    };
  });
  server.reading!.cut();
  await again;
  await eventually(() => expect(heard).toContain(sent));
}

test("what was heard before is not lost although the server does not have it any more", async () => {
  say(40);
  await eventually(() => expect(heard).toHaveLength(40));
  await cut();
  expect(heard).toEqual(upTo(41));
  expect(it.gaps).toEqual([]);
});

test("what was not heard is lost, once, and what comes after it is heard once", async () => {
  say(40);
  await eventually(() => expect(heard).toHaveLength(40));
  await cut(30);
  const rest = upTo(70, 55);
  expect(heard).toEqual([...upTo(40), ...rest, 71]);
  expect(it.gaps).toEqual([{ type: "gap", clientMessages: 14 }]);
  await cut();
  await cut();
  expect(heard).toEqual([...upTo(40), ...rest, 71, 72, 73]);
  expect(it.gaps).toHaveLength(1);
});

test("what is lost while the stream is open counts, too", async () => {
  say(3);
  server.reading!.write(`event: gap\ndata: {"clientMessages":5}\n\n`);
  sent += 5;
  say(4);
  await eventually(() => expect(heard).toHaveLength(7));
  await cut();
  expect(heard).toEqual([...upTo(3), ...upTo(13, 9)]);
  expect(it.gaps).toEqual([{ type: "gap", clientMessages: 5 }]);
});
