import type { ClientApp } from "@agentclientprotocol/sdk";
import type { AcpHttpMessage, AcpHttpStream } from "acp-http-client";
import { expect, test, vi } from "vitest";
import { AgentRequest, AgentRequests, Claims } from "./agent_requests.js";
import type { Handlers } from "./handlers.js";

const method = "session/request_permission";
const stream = { watch: async () => {} } as unknown as AcpHttpStream;

function asked(id: string): AcpHttpMessage {
  const message = { jsonrpc: "2.0" as const, id, method, params: { sessionId: "s", options: [] } };
  return { type: "message", id: 1, message, json: JSON.stringify(message) };
}

type Serve = (context: { requestId: string; signal: AbortSignal }) => Promise<unknown>;

function begin(handlers: Handlers) {
  const served = new Map<string, Serve>();
  const requests = new AgentRequests(
    handlers,
    () => {},
    () => true,
  );
  const app = { onRequest: (name: string, _: unknown, serve: Serve) => (served.set(name, serve), app) };
  requests.serve(app as unknown as ClientApp);
  return { requests, serve: (requestId: string, signal: AbortSignal) => served.get(method)!({ requestId, signal }) };
}

test("a handler is not asked what somebody else has answered already", async () => {
  const onPermission = vi.fn(() => null);
  const { requests, serve } = begin({ onPermission });
  requests.appear(asked("a"), stream);
  requests.answeredBy({ jsonrpc: "2.0", id: "a", result: {} });
  expect(await serve("a", new AbortController().signal)).toEqual({ outcome: { outcome: "cancelled" } });
  expect(onPermission).not.toHaveBeenCalled();
});

test("a handler hears that somebody else has answered meanwhile", async () => {
  const signals: AbortSignal[] = [];
  const { requests, serve } = begin({ onPermission: (_, signal) => (signals.push(signal), new Promise<never>(() => {})) });
  requests.appear(asked("a"), stream);
  const served = serve("a", new AbortController().signal);
  expect(signals[0]?.aborted).toBe(false);
  requests.answeredBy({ jsonrpc: "2.0", id: "a", result: {} });
  await served;
  expect(signals[0]?.aborted).toBe(true);
});

test("a reader that stays forgets what was answered", async () => {
  const claims = new Claims();
  const requests = Array.from({ length: 100 }, () => new AgentRequest("permission", method, {}, async () => {}));
  for (const request of requests) {
    claims.claim(request);
    request.withdraw();
  }
  const looked = requests.map((request) => vi.spyOn(request, "open", "get"));
  claims.release();
  expect(looked.filter(({ mock }) => mock.calls.length > 0)).toHaveLength(1);
});
