// What may have been lost in a gap: the answer to a call, or a request of the agent, which then waits for nobody. Loaded on demand.
import { SandboxAgentError } from "../errors.js";
import type { Caller } from "../http/caller.js";

/** The calls without an answer by their params, and how each is given up. */
export type UnderWay = Map<{ sessionId?: unknown }, (error: SandboxAgentError) => void>;

/**
 * How many calls the agent has not answered; asked again and again after a gap, while one of the calls before it is open. If that is
 * one and ours, and the agent has asked more than was heard here, and no other client reads, then nobody will answer the agent: the
 * call is given up. `asked`: requests of the agent that were heard and not answered; `heard`: the number of the last message.
 */
export async function outstanding(
  caller: Caller,
  serverId: string,
  underWay: UnderWay,
  asked: number,
  heard: number,
): Promise<number | undefined> {
  const { servers } = await caller.json("get", "/v1/acp");
  const server = servers.find((each) => each.serverId === serverId);
  if (!server) return undefined;
  const { pendingRequests, openAgentRequests, lastEventId, readers } = server;
  const [giveUp] = underWay.values();
  const isOurs = giveUp && underWay.size === 1 && pendingRequests === 1 && readers < 2;
  if (isOurs && lastEventId === heard && openAgentRequests > asked) giveUp(requestLost());
  return pendingRequests;
}

function requestLost(): SandboxAgentError {
  return new SandboxAgentError("The agent waits for an answer, and what it asked was lost.", {
    code: "request_lost",
    hint: "cancel() the turn, or end the agent with session.stopAgent().",
  });
}
