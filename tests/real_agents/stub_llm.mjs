// A deterministic stand-in for the model services that coding agents call: enough of four HTTP APIs (stub_wires.mjs) for real
// agents to run whole turns without a network. What it says is in the prompt (stub_plan.mjs). Whoever comes without the key
// gets 401, so an agent that lost its credentials notices.
import http from "node:http";
import { decide } from "./stub_plan.mjs";
import { wireOf } from "./stub_wires.mjs";

export const stubKey = "stub-key";

const noKey = { type: "error", error: { type: "authentication_error", message: "the stub wants its key" } };
const model = { id: "stub-model", object: "model", type: "model", display_name: "stub-model", created: 1, owned_by: "stub" };
const models = { object: "list", data: [model], has_more: false };

function hasKey(request, url) {
  const { authorization, "x-api-key": anthropic, "x-goog-api-key": google } = request.headers;
  return [authorization?.replace(/^Bearer /i, ""), anthropic, google, url.searchParams.get("key")].includes(stubKey);
}

async function bodyOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString() || "{}");
}

// Until the client took what was written, or went away.
const room = (response) => new Promise((resolve) => {
  const go = () => {
    response.off("drain", go).off("close", go);
    resolve();
  };
  response.on("drain", go).on("close", go);
});

async function answer(request, response, gate) {
  const url = new URL(request.url, "http://stub");
  const path = url.pathname;
  const json = (status, value) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(value));
  };
  const body = await bodyOf(request);
  if (!hasKey(request, url)) return json(401, noKey);
  if (path.endsWith("count_tokens")) return json(200, { input_tokens: 10 });
  if (path.endsWith(":countTokens")) return json(200, { totalTokens: 10 });
  if (request.method === "GET" && path.endsWith("/models")) return json(200, models);
  const wire = request.method === "POST" ? wireOf(path) : undefined;
  if (!wire) return json(404, { error: { message: `the stub has no ${path}` } });

  const asked = wire.parse(body, path);
  const plan = decide(asked.items, asked.tools);
  if (asked.json) plan.chunks = [JSON.stringify({ text: plan.chunks.join("") })];
  if (!asked.stream) return json(200, wire.whole(plan, asked));
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  const event = async (data, name) => {
    if (response.destroyed) return;
    const text = typeof data === "string" ? data : JSON.stringify(data);
    const hasRoom = response.write((name ? `event: ${name}\n` : "") + `data: ${text}\n\n`);
    if (!hasRoom) await room(response);
  };
  const gone = new Promise((resolve) => response.once("close", resolve));
  const pauseBefore = (index) => {
    if (response.destroyed) return undefined;
    if (plan.holds && index === plan.chunks.length - 1) return Promise.race([gate(plan.holds).opened, gone]);
    return plan.gap && new Promise((resolve) => setTimeout(resolve, plan.gap));
  };
  await wire.send({ event, pauseBefore }, plan, asked);
  response.end();
}

// Resolves with { url, release(word), stop() }; listens on a free loopback port. release() lets the turns end that hold that word.
export async function startStub() {
  const gates = new Map();
  const gate = (word) => {
    if (!gates.has(word)) {
      let open;
      const opened = new Promise((resolve) => (open = resolve));
      gates.set(word, { open, opened });
    }
    return gates.get(word);
  };
  const server = http.createServer((request, response) => {
    answer(request, response, gate).catch((error) => response.destroy(error));
  });
  server.keepAliveTimeout = 0; // an agent that comes back late on an open connection is not cut off
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    release: (word) => gate(word).open(),
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
