// What becomes of one call when its POST fails, is cut, or is answered in an unusual way.
import { client } from "@agentclientprotocol/sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AcpHttpError } from "../src/index.js";
import { Connected, failureOf } from "./connected.js";
import { FakeServer, isRequest, update, type Posted } from "./fake_server.js";
import { eventually } from "./watch.js";

let server: FakeServer;
let it: Connected;

beforeEach(async () => {
  server = await FakeServer.start();
  it = new Connected(server);
});

afterEach(async () => {
  it.client.detach();
  await eventually(() => expect(server.reading).toBeUndefined());
  await server.stop();
});

/** Initializes; from then on `next` takes the POSTs. */
async function begin(next: (post: Posted) => void): Promise<void> {
  server.onPost = (post) => {
    post.take();
    server.reply(post);
  };
  await it.client.request("initialize", {});
  server.onPost = next;
}

describe("a POST that is answered with an error", () => {
  test("rejects that call with the problem, and no other", async () => {
    await begin((post) => (post.message.method === "bad" ? post.refuse(422, "unprocessable", { field: "cwd" }) : post.take()));
    const prompt = it.request("session/prompt");
    const error = await failureOf(it.request("bad"));
    expect(error).toBeInstanceOf(AcpHttpError);
    expect(error).toMatchObject({
      code: "unprocessable",
      status: 422,
      message: "It is unprocessable.",
      problem: { field: "cwd" },
    });
    server.reply(server.of("session/prompt")[0]!, { stopReason: "end_turn" });
    expect(await prompt).toEqual({ stopReason: "end_turn" });
  });

  test("rejects notify() when it was a notification, and nothing else", async () => {
    await begin((post) => (isRequest(post) ? post.take() : post.refuse(503, "overloaded")));
    const prompt = it.request("session/prompt");
    expect(await failureOf(it.client.notify("session/cancel", { sessionId: "s" }))).toMatchObject({
      code: "overloaded",
      status: 503,
    });
    server.reply(server.of("session/prompt")[0]!);
    expect(await prompt).toEqual({});
  });

  test("leaves the connection as it was when it was the first message", async () => {
    server.onPost = (post) => (isRequest(post) ? (post.take(), server.reply(post)) : post.refuse(401, "token_invalid"));
    server.onRead = (reading) =>
      server.of("initialize").length > 0 ? server.replay(reading.open()) : reading.refuse(401, "token_invalid");
    expect(await failureOf(it.client.notify("first", {}))).toMatchObject({ code: "token_invalid" });
    expect(await it.client.request<unknown>("initialize", {})).toEqual({});
  });
});

test("an answer to the agent that cannot be delivered becomes an error, so that the agent does not wait for ever", async () => {
  it.client.detach();
  const app = client()
    .onRequest(
      "_big",
      (params) => params,
      () => ({ big: true }),
    )
    .onRequest(
      "_never",
      (params) => params,
      () => ({ number: 1n }),
    );
  it = new Connected(server, { app });
  await begin((post) => (post.message.result ? post.refuse(413, "payload_too_large") : post.take()));
  server.say({ jsonrpc: "2.0", id: "a", method: "_big" });
  const error = { code: -32603, message: "It is payload_too_large." };
  await eventually(() => expect(server.posts.at(-1)?.message).toEqual({ jsonrpc: "2.0", id: "a", error }));
  server.say({ jsonrpc: "2.0", id: "b", method: "_never" });
  await eventually(() => expect(server.posts.at(-1)?.message).toMatchObject({ id: "b", error: { code: -32603 } }));
});

test("close() rejects when the server does not answer it", async () => {
  it.client.detach();
  it = new Connected(server, { giveUpAfterMs: 50 }); // it reads nothing: its stream might take longer to open
  server.onDelete = () => {};
  expect(await failureOf(it.client.close())).toMatchObject({ code: "connection_lost" });
});

test("a server that is not there rejects the first call at once", async () => {
  await server.stop();
  expect(await failureOf(it.request("initialize"))).toMatchObject({ code: "connection_lost", status: undefined });
});

test("notify() resolves for every call, also with the same params and for a protocol cancel", async () => {
  await begin((post) => post.take());
  const params = { sessionId: "s" };
  await Promise.all([it.client.notify("session/cancel", params), it.client.notify("session/cancel", params)]);
  await it.client.notify("$/cancel_request", { requestId: 0 });
  expect(server.posts).toHaveLength(4);
});

test("messages are sent one after the other: a cancel never overtakes its prompt", async () => {
  await begin(() => {});
  void it.request("session/prompt");
  const cancel = it.client.notify("session/cancel", { sessionId: "s" });
  await eventually(() => expect(server.posts).toHaveLength(2));
  await new Promise((resolve) => setImmediate(resolve));
  expect(server.of("session/cancel")).toHaveLength(0);
  server.onPost = (post) => post.take();
  server.of("session/prompt")[0]!.take();
  await cancel;
});

test("a protocol cancel names the request by its id on the wire", async () => {
  await begin((post) => post.take());
  const stop = new AbortController();
  const prompt = it.client.request<unknown>("session/prompt", {}, { cancellationSignal: stop.signal });
  await eventually(() => expect(server.of("session/prompt")).toHaveLength(1));
  stop.abort();
  await eventually(() => expect(server.of("$/cancel_request")).toHaveLength(1));
  expect(server.of("$/cancel_request")[0]!.message.params).toEqual({ requestId: server.of("session/prompt")[0]!.message.id });
  server.reply(server.of("session/prompt")[0]!);
  await prompt;
});

describe("a POST that is cut before its answer", () => {
  test("is sent again under the same id; 409 says that it had arrived, and the call settles from the stream", async () => {
    await begin((post) => (server.of("session/prompt").length > 1 ? post.refuse(409, "conflict") : post.cut()));
    const prompt = it.request("session/prompt");
    await eventually(() => expect(server.of("session/prompt")).toHaveLength(2));
    const [first, second] = server.of("session/prompt");
    expect(second!.message).toEqual(first!.message);
    server.reply(first!, { stopReason: "end_turn" });
    expect(await prompt).toEqual({ stopReason: "end_turn" });
  });

  test("is not sent again when its answer is on the stream", async () => {
    await begin((post) => {
      post.cut();
      server.reply(post, { n: 1 });
    });
    expect(await it.request("session/prompt")).toEqual({ n: 1 });
    expect(server.of("session/prompt")).toHaveLength(1);
  });

  test("is not sent again while the fresh stream still brings what was missed", async () => {
    await begin((post) => {
      server.onRead = (reading) => {
        reading.open();
        let n = 0;
        const begun = performance.now();
        const timer = setInterval(() => {
          if (++n && performance.now() - begun < 600) return reading.event(server.log.push(update(n)), update(n));
          clearInterval(timer);
          server.reply(post, { late: true });
        }, 2);
      };
      post.cut();
      server.reading!.cut();
    });
    expect(await it.request("session/prompt")).toEqual({ late: true });
    expect(server.of("session/prompt")).toHaveLength(1);
  });

  test("is not sent again after a gap, in which its answer may have been", async () => {
    await begin((post) => {
      server.onRead = (reading) => reading.open().write('event: gap\ndata: {"from":2,"to":9}\n\n');
      post.cut();
      server.reading!.cut();
    });
    expect(await failureOf(it.request("session/prompt"))).toMatchObject({ code: "answer_lost" });
    expect(server.of("session/prompt")).toHaveLength(1);
  });

  test("is repeated when it was an answer to the agent", async () => {
    let cuts = 0;
    await begin((post) => (++cuts <= 2 ? post.cut() : post.take()));
    server.say({ jsonrpc: "2.0", id: 7, method: "fs/read_text_file", params: { sessionId: "s", path: "/x" } });
    await eventually(() => expect(server.posts.filter(({ message }) => message.id === 7)).toHaveLength(3));
    expect(server.posts.at(-1)!.message).toMatchObject({ id: 7, error: { code: -32601 } });
  });

  test("is repeated when it was an answer to the agent and the server had no room", async () => {
    await begin((post) => (server.posts.length < 4 ? post.refuse(503, "overloaded") : post.take()));
    server.say({ jsonrpc: "2.0", id: 7, method: "unknown", params: {} });
    await eventually(() => expect(server.posts.filter(({ message }) => message.id === 7)).toHaveLength(3));
  });

  test("is repeated when it was a cancel, and rejects when it was any other notification", async () => {
    let cuts = 0;
    await begin((post) => (++cuts <= 1 ? post.cut() : post.take()));
    await it.client.notify("session/cancel", { sessionId: "s" });
    expect(server.of("session/cancel")).toHaveLength(2);
    cuts = 0;
    expect(await failureOf(it.client.notify("_other", {}))).toMatchObject({ code: "connection_lost" });
    expect(server.of("_other")).toHaveLength(1);
  });

  test("rejects with connection_lost when it stays so", async () => {
    it.client.detach();
    it = new Connected(server, { giveUpAfterMs: 2_000 }); // the stream has as long to open, on any machine
    await begin((post) => post.cut());
    expect(await failureOf(it.request("session/prompt"))).toMatchObject({ code: "connection_lost" });
  });

  test("does not hold up others when the answers of several are waited for by POST", async () => {
    await begin((post) => post.answer(200, JSON.stringify({ jsonrpc: "2.0", id: post.message.id, result: {} })));
    await it.request("session/new"); // from now on the server is known to answer by POST
    server.onPost = (post) => (server.posts.length > 5 ? post.refuse(409, "conflict") : post.cut());
    const calls = [it.request("a"), it.request("b")];
    await eventually(() => expect(server.posts.length).toBe(7));
    for (const method of ["a", "b"]) server.reply(server.of(method)[0]!, method);
    expect(await Promise.all(calls)).toEqual(["a", "b"]);
  });
});

test("a POST without an answer over a dead network counts as cut once the stream is found to be silent", async () => {
  it.client.detach();
  it = new Connected(server, { silenceMs: 150 });
  await begin(() => {});
  const prompt = it.request("session/prompt");
  await eventually(() => expect(server.of("session/prompt")).toHaveLength(1));
  server.onPost = (post) => {
    post.take();
    server.reply(post, { again: true });
  };
  expect(await prompt).toEqual({ again: true });
});

describe("a server that does not know respond-async", () => {
  const answer = (post: Posted, headers: Record<string, string> = {}, result: unknown = {}) =>
    post.answer(200, JSON.stringify({ jsonrpc: "2.0", id: post.message.id, result }), {
      "Content-Type": "application/json",
      ...headers,
    });

  test("is asked for it all the same, and its answer counts", async () => {
    server.onPost = (post) => answer(post, {}, { protocolVersion: 1 });
    expect(await it.request("initialize")).toEqual({ protocolVersion: 1 });
    expect(server.posts[0]!.headers["prefer"]).toBe("respond-async");
  });

  test("may name the place of the answer: it waits for the events before it", async () => {
    server.onPost = (post) => answer(post);
    await it.request("initialize");
    server.onPost = (post) => answer(post, { "Acp-Event-Id": "4" }, { stopReason: "end_turn" });
    let heard: number | undefined;
    const prompt = it.request("session/prompt").then(() => (heard = it.texts.length));
    await eventually(() => expect(server.of("session/prompt")).toHaveLength(1));
    for (const n of [1, 2, 3]) {
      await new Promise((resolve) => setImmediate(resolve));
      expect(heard).toBeUndefined();
      server.update(n);
    }
    server.reply(server.of("session/prompt")[0]!, { stopReason: "twice" });
    await prompt;
    expect(heard).toBe(3);
    expect(it.texts).toEqual(["token 1 ", "token 2 ", "token 3 "]);
  });

  test("lets other messages through while a request is under way", async () => {
    server.onPost = (post) => answer(post);
    await it.request("initialize");
    server.onPost = (post) => (post.message.method === "session/prompt" ? undefined : post.take());
    const prompt = it.request("session/prompt");
    await eventually(() => expect(server.of("session/prompt")).toHaveLength(1));
    await it.client.notify("session/cancel", { sessionId: "s" });
    answer(server.of("session/prompt")[0]!, {}, { stopReason: "cancelled" });
    expect(await prompt).toEqual({ stopReason: "cancelled" });
  });

  test("may lose the connection inside the answer: it is taken from the stream", async () => {
    server.onPost = (post) => {
      post.cutInside('{"jsonrpc":');
      server.reply(post, { whole: true });
    };
    expect(await it.request("initialize")).toEqual({ whole: true });
    expect(server.posts).toHaveLength(1);
  });

  test("rejects that call when its answer is no JSON, or no answer", async () => {
    server.onPost = (post) => answer(post);
    await it.request("initialize");
    server.onPost = (post) => post.answer(200, "<html>");
    expect(await failureOf(it.request("a"))).toMatchObject({ code: "invalid_answer" });
    server.onPost = (post) => post.answer(200, "[1]");
    expect(await failureOf(it.request("b"))).toMatchObject({ code: "invalid_answer" });
    server.onPost = (post) => post.answer(200, "null");
    expect(await failureOf(it.request("c"))).toMatchObject({ code: "invalid_answer" });
    server.onPost = (post) => answer(post, {}, 1);
    expect(await it.request("d")).toBe(1);
  });
});

test("error bodies of any shape become an AcpHttpError", async () => {
  await begin((post) => post.answer(500, JSON.stringify({ type: 5, title: {}, detail: ["x"] })));
  expect(await failureOf(it.request("a"))).toMatchObject({ name: "AcpHttpError", code: "http_500", status: 500 });
  server.onPost = (post) => post.answer(502, "<html>Bad gateway</html>");
  expect(await failureOf(it.request("b"))).toMatchObject({
    name: "AcpHttpError",
    code: "http_502",
    status: 502,
    problem: undefined,
  });
});

test("a wire id has a random prefix and is a string", async () => {
  await begin((post) => (post.take(), server.reply(post)));
  await it.request("a");
  const [first, second] = server.posts.map(({ message }) => message.id);
  expect(first).toMatch(/^[0-9a-z]{8,}-0$/);
  expect(second).toBe(`${String(first).slice(0, -1)}1`);
});
