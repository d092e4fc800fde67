// When a call is given up because what the agent asked was lost: only when nobody else can have it.
import { expect, test } from "vitest";
import type { Caller } from "../http/caller.js";
import { outstanding, type Heard } from "./after_gap.js";

const lost = { serverId: "s", pendingRequests: 1, openAgentRequests: 1, lastEventId: 7, readers: 1 };
const heard = { calls: 1, asked: 0, last: 7, hasGap: true };

type Time = Partial<typeof lost & typeof heard>;

// What comes of it, asked that often: the number of calls, or the code of the error.
async function ask(...times: Time[]): Promise<unknown[]> {
  let now: Time = {};
  const servers = () => [
    { ...lost, serverId: "other" },
    { ...lost, ...now },
  ];
  const caller = { json: async () => ({ servers: servers() }) } as unknown as Caller;
  const kept: Heard = { asked: new Set(), last: 0 };
  const answers: unknown[] = [];
  for (now of times) {
    const { calls, asked, last, hasGap } = { ...heard, ...now };
    const answer = await outstanding(
      caller,
      "s",
      calls,
      Object.assign(kept, { asked: new Set(Array(asked).keys()), last, hasGap }),
    );
    answers.push(typeof answer === "object" ? answer.code : answer);
  }
  return answers;
}

test("the only call is given up when the agent waits for what was never heard, and is quiet", async () => {
  expect(await ask({}, {})).toEqual([1, "request_lost"]);
});

test("an agent that says something meanwhile is not quiet", async () => {
  const later = { lastEventId: 8, last: 8 };
  expect(await ask({}, later, later)).toEqual([1, 1, "request_lost"]);
});

test("a request that was given up stays open for the daemon, and no later call is given up for it", async () => {
  const more = { openAgentRequests: 2 };
  expect(await ask({}, {}, {}, {}, more, more)).toEqual([1, "request_lost", 1, 1, 1, "request_lost"]);
});

test.each([
  ["the request was heard", { asked: 1 }],
  ["the agent asks nothing", { openAgentRequests: 0 }],
  ["nothing was lost", { hasGap: false }],
  ["not all was heard yet", { last: 6 }],
  ["another client reads", { readers: 2 }],
  ["another client has a call under way", { pendingRequests: 2 }],
  ["one of two calls may be meant", { calls: 2, pendingRequests: 2 }],
  ["one of two calls is answered, and the answer not here yet", { calls: 2 }],
  ["no call is under way", { calls: 0 }],
])("nothing is given up when %s", async (_, state) => {
  expect(await ask(state, state, state)).not.toContain("request_lost");
});

test("a process that the daemon does not know has nothing to say", async () => {
  expect(await ask({ serverId: "gone" })).toEqual([undefined]);
});
