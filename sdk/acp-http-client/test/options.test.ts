// What the options say is what goes over the wire.
import { afterEach, beforeEach, expect, test } from "vitest";
import { acpHttpEvents, AcpHttpStream, type AcpHttpClientOptions } from "../src/index.js";
import { Connected, failureOf } from "./connected.js";
import { FakeServer } from "./fake_server.js";
import { eventually } from "./watch.js";

let server: FakeServer;
let it: Connected | undefined;

beforeEach(async () => {
  server = await FakeServer.start();
  server.onPost = (post) => {
    post.take();
    server.reply(post);
  };
});

afterEach(async () => {
  it?.client.detach();
  await eventually(() => expect(server.reading).toBeUndefined());
  await server.stop();
});

function connect(options: Partial<AcpHttpClientOptions> = {}): Connected {
  return (it = new Connected(server, options));
}

test("the path is a pattern; the id in it is escaped; the base may have a path and an end slash", async () => {
  const it = connect({ baseUrl: `${server.url}/proxy/`, path: "/acp/{serverId}/rpc", serverId: "a b/ü" });
  await it.request("initialize");
  expect(server.posts[0]!.url).toBe("/proxy/acp/a%20b%2F%C3%BC/rpc");
});

test("a path with a query of its own keeps it", async () => {
  const it = connect({ path: "/acp?server={serverId}", firstQuery: { agent: "mock" } });
  await it.request("initialize");
  await it.request("a");
  expect(server.posts.map(({ url }) => url)).toEqual(["/acp?server=x&agent=mock", "/acp?server=x"]);
});

test("the first query is sent until a request has succeeded", async () => {
  const it = connect({ firstQuery: { agent: "a&b" } });
  const behave = server.onPost;
  server.onPost = (post) => post.refuse(503, "overloaded");
  await failureOf(it.request("initialize"));
  server.onPost = behave;
  await it.request("initialize");
  await it.request("a");
  expect(server.posts.map(({ url }) => url)).toEqual(["/v1/acp/x?agent=a%26b", "/v1/acp/x?agent=a%26b", "/v1/acp/x"]);
});

test("without an id the server gets a random one", () => {
  const [a, b] = [new AcpHttpStream({ baseUrl: server.url }), new AcpHttpStream({ baseUrl: server.url })];
  expect(a.serverId).toMatch(/^[0-9a-z-]{16,}$/);
  expect(a.serverId).not.toBe(b.serverId);
});

test("the transport's headers have the names they are given", async () => {
  const it = connect({ headerNames: { instanceId: "X-Instance", eventId: "X-Event" } });
  server.onPost = (post) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: post.message.id, result: {} });
    post.answer(200, body, { "X-Instance": "blue", "X-Event": "2" });
    server.update(1);
  };
  await it.request("initialize");
  expect(it.texts).toHaveLength(1);
  expect(server.readings[0]!.headers["x-instance"]).toBe("blue");
});

test("an empty token and no time to give up after are as if nothing was said", async () => {
  const said: unknown[] = [];
  server.update(1);
  for await (const { type } of acpHttpEvents({ baseUrl: server.url, serverId: "x", token: "", giveUpAfterMs: 0 })) {
    said.push(type);
    break;
  }
  expect(said).toEqual(["message"]);
  expect(server.readings[0]!.headers).not.toHaveProperty("authorization");
});

test("a token and further headers go with every request; a function is asked each time", async () => {
  let asked = 0;
  const it = connect({ token: "secret", headers: async () => ({ "X-Turn": String(++asked) }) });
  await it.request("initialize");
  await eventually(() => expect(server.readings).toHaveLength(1));
  await it.client.close();
  expect(server.posts[0]!.headers).toMatchObject({
    authorization: "Bearer secret",
    "x-turn": "1",
    "content-type": "application/json",
  });
  expect(server.readings[0]!.headers).toMatchObject({ authorization: "Bearer secret", "x-turn": "2" });
  expect(asked).toBe(3);
});

test("a headers function that fails rejects the call with its cause", async () => {
  const cause = new Error("no token");
  const it = connect({ headers: () => Promise.reject(cause) });
  expect(await failureOf(it.request("initialize"))).toMatchObject({ name: "AcpHttpError", cause });
});

test("fetch can be replaced", async () => {
  const seen: string[] = [];
  const it = connect({
    fetch: (input, init) => {
      seen.push(`${init?.method} ${String(input).slice(server.url.length)}`);
      return fetch(input, init);
    },
  });
  await it.request("initialize");
  await it.client.close();
  expect(seen).toEqual(["POST /v1/acp/x", "GET /v1/acp/x", "DELETE /v1/acp/x"]);
});

test("a fetch that ignores its signal does not keep the connection from ending", async () => {
  const it = connect({
    fetch: (input, init = {}) => {
      const { signal, ...rest } = init;
      return signal?.aborted ? Promise.reject(new Error("aborted before")) : fetch(input, rest);
    },
  });
  await it.request("initialize");
  it.client.detach();
  expect(await failureOf(it.request("a"))).toMatchObject({ code: "closed" });
});

test("the method that says that the agent has ended can be another one", async () => {
  const it = connect({ exitMethod: "_gone" });
  await it.request("initialize");
  server.onPost = (post) => post.take();
  const open = it.request("a");
  server.say({ jsonrpc: "2.0", method: "_adapter/agent_exited", params: {} });
  server.say({ jsonrpc: "2.0", method: "_gone", params: { code: 3 } });
  expect(await failureOf(open)).toMatchObject({ code: "agent_process_exited", problem: { exitCode: 3 } });
});

test("why the server ended the agent is said", async () => {
  const it = connect();
  await it.request("initialize");
  server.onPost = (post) => post.take();
  const open = it.request("a");
  const params = { success: false, code: null, signal: "SIGKILL", reason: "Its line was too long." };
  server.say({ jsonrpc: "2.0", method: "_adapter/agent_exited", params });
  expect(await failureOf(open)).toMatchObject({ message: "Its line was too long.", problem: { signal: "SIGKILL" } });
});

test("the signal ends everything: calls under way, and those made later", async () => {
  const stop = new AbortController();
  const it = connect({ signal: stop.signal });
  await it.request("initialize");
  server.onPost = () => {};
  const [request, queued] = [it.request("a"), it.request("b")];
  await eventually(() => expect(server.of("a")).toHaveLength(1));
  stop.abort(new Error("enough"));
  for (const failure of await Promise.all([request, queued, it.request("c")].map(failureOf))) {
    expect(failure).toMatchObject({ code: "aborted", cause: { message: "enough" } });
  }
  expect(await failureOf(it.client.notify("d", {}))).toMatchObject({ code: "aborted" });
  expect(server.posts).toHaveLength(2);
  expect(server.deletes).toEqual([]);
});

test("a signal that is aborted already lets nothing out", async () => {
  const it = connect({ signal: AbortSignal.abort() });
  expect(await failureOf(it.request("initialize"))).toMatchObject({ code: "aborted" });
  expect(server.posts).toEqual([]);
});

test("close() deletes the agent process; open calls reject with closed", async () => {
  const it = connect({});
  await it.request("initialize");
  server.onPost = (post) => post.take();
  const open = it.request("a");
  await eventually(() => expect(server.of("a")).toHaveLength(1));
  await it.client.close();
  expect(await failureOf(open)).toMatchObject({ code: "closed" });
  expect(server.deletes).toEqual(["/v1/acp/x"]);
});

test("closing the official connection ends the stream", async () => {
  const it = connect({});
  await it.request("initialize");
  it.client.connection.close();
  await eventually(() => expect(it.states.at(-1)).toBe("closed"));
  expect(await failureOf(it.request("a"))).toMatchObject({ name: "AcpHttpError", code: "closed" });
});

test("read() before anything was sent ends with the first failure", async () => {
  const it = connect({});
  server.onRead = (reading) => reading.cut();
  it.client.stream.read();
  await eventually(() => expect(it.client.signal.aborted).toBe(true));
  expect(it.client.signal.reason).toMatchObject({ code: "connection_lost" });
});
