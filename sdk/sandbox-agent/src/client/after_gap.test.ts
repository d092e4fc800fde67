// When a call is given up because what the agent asked was lost: only when nobody else can have it.
import { expect, test } from "vitest";
import type { Caller } from "../http/caller.js";
import { outstanding, type UnderWay } from "./after_gap.js";

const lost = { serverId: "s", pendingRequests: 1, openAgentRequests: 1, lastEventId: 7, readers: 1 };

async function ask({ server = {}, calls = 1, asked = 0, heard = 7 }): Promise<{ answer: number | undefined; codes: string[] }> {
  const codes: string[] = [];
  const underWay: UnderWay = new Map();
  for (let call = 0; call < calls; ++call) underWay.set({}, ({ code }) => codes.push(code));
  const caller = {
    json: async () => ({
      servers: [
        { ...lost, serverId: "other" },
        { ...lost, ...server },
      ],
    }),
  };
  return { answer: await outstanding(caller as unknown as Caller, "s", underWay, asked, heard), codes };
}

test("the only call is given up when the agent waits for what was never heard", async () => {
  expect(await ask({})).toEqual({ answer: 1, codes: ["request_lost"] });
});

test.each([
  ["the request was heard", { asked: 1 }],
  ["the agent asks nothing", { server: { openAgentRequests: 0 } }],
  ["not all was heard yet", { heard: 6 }],
  ["another client reads", { server: { readers: 2 } }],
  ["another client has a call under way", { server: { pendingRequests: 2 } }],
  ["one of two calls may be meant", { calls: 2, server: { pendingRequests: 2 } }],
  ["one of two calls is answered, and the answer not here yet", { calls: 2 }],
  ["no call is under way", { calls: 0 }],
])("nothing is given up when %s", async (_, state) => {
  expect((await ask(state)).codes).toEqual([]);
});

test("a process that the daemon does not know has nothing to say", async () => {
  expect(await ask({ server: { serverId: "gone" } })).toEqual({ answer: undefined, codes: [] });
});
