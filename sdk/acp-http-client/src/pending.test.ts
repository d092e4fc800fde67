import type { AnyRequest, AnyResponse } from "@agentclientprotocol/sdk";
import { describe, expect, test } from "vitest";
import { AcpHttpError } from "./errors.js";
import { Pending } from "./pending.js";

const request = (id: string | number | null) => ({ jsonrpc: "2.0", id, method: "m", params: {} }) as const;
const answer = (id: string | number | null): AnyResponse => ({ jsonrpc: "2.0", id, result: {} });
const wireIdOf = (pending: Pending, id: string | number | null) => (pending.outgoing(request(id)) as AnyRequest).id;

test("a request leaves under a wire id, and its answer comes back under its own", () => {
  const pending = new Pending();
  const wireId = wireIdOf(pending, 3);
  expect(wireId).toMatch(/^\w{8,}-3$/);
  expect(pending.ids()).toEqual([wireId]);
  expect(pending.settle(answer(wireId))).toEqual(answer(3));
});

test("ids of different types stay different, and those of two clients too", () => {
  const pending = new Pending();
  const ids = [1, "1", null, "null", "a"].map((id) => wireIdOf(pending, id));
  expect(new Set(ids).size).toBe(5);
  expect(wireIdOf(new Pending(), 1)).not.toBe(ids[0]);
});

test("an answer counts once; an answer to nobody's request is not for us", () => {
  const pending = new Pending();
  const wireId = wireIdOf(pending, 0);
  expect(pending.settle(answer(0))).toBeUndefined();
  expect(pending.settle(answer(wireId))).toBeDefined();
  expect(pending.settle(answer(wireId))).toBeUndefined();
});

test("answers and notifications leave as they are", () => {
  const pending = new Pending();
  const messages = [answer(5), { jsonrpc: "2.0", method: "session/cancel", params: { requestId: 1 } }] as const;
  for (const message of messages) expect(pending.outgoing(message)).toBe(message);
  expect(pending.ids()).toEqual([]);
});

test("a protocol cancel names the wire id, also when the answer has come: it must not cancel another client's request", () => {
  const pending = new Pending();
  const wireId = wireIdOf(pending, 0);
  const cancel = { jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 0 } } as const;
  expect(pending.outgoing(cancel)).toMatchObject({ params: { requestId: wireId } });
  pending.settle(answer(wireId));
  expect(pending.outgoing(cancel)).toMatchObject({ params: { requestId: wireId } });
});

test("a failure is an answer that carries it", () => {
  const pending = new Pending();
  const error = new AcpHttpError("Gone.", { code: "closed" });
  const wireId = wireIdOf(pending, 0);
  expect(pending.fail(wireId, error)).toEqual({
    jsonrpc: "2.0",
    id: 0,
    error: { code: -32603, message: "Gone.", data: error },
  });
  expect(pending.fail(wireId, error)).toBeUndefined();
});

describe("an adopted request", () => {
  test("settles with its answer, which nobody else sees", async () => {
    const pending = new Pending();
    const adopted = pending.adopt("other-1");
    expect(pending.settle(answer("other-1"))).toBeUndefined();
    expect(await adopted).toEqual(answer("other-1"));
  });

  test("rejects when it fails, and when the connection is over", async () => {
    const pending = new Pending();
    const error = new AcpHttpError("Gone.", { code: "closed" });
    const [one, two] = [pending.adopt("other-1"), pending.adopt("other-2")];
    expect(pending.fail("other-1", error)).toBeUndefined();
    await expect(one).rejects.toBe(error);
    pending.failAdopted(error);
    await expect(two).rejects.toBe(error);
  });
});

test("an early copy of an answer is ripe once the stream has come to its place", () => {
  const pending = new Pending();
  const wireId = wireIdOf(pending, 0);
  pending.get(wireId)!.early = { after: 4, answer: answer(wireId) };
  expect(pending.ripe(3)).toEqual([]);
  expect(pending.ripe(4)).toEqual([answer(wireId)]);
  pending.settle(answer(wireId));
  expect(pending.ripe(4)).toEqual([]);
});
