// What may have been lost in a gap: the answer to a call, or a request of the agent, which then waits for nobody. Loaded on demand.
import { AcpHttpError } from "acp-http-client";
import { SandboxAgentError } from "../errors.js";
import type { Caller } from "../http/caller.js";

/** What a connection has heard of its agent. */
export interface Heard {
  /** Ids of its requests that no client has answered. */
  readonly asked: Set<unknown>;
  /** The number of its last message, lost ones too. */
  last: number;
  hasGap?: boolean;
  /** The last message when a request was found missing. */
  quietAt?: number | undefined;
  /** Requests for which a call was given up: the daemon counts them on. */
  givenUp?: number;
}

/**
 * How many calls the agent has not answered, `calls` of them ours; asked again and again after a gap, while one of the calls before it
 * is open. If that is one and ours, the agent has asked more than was heard here, no other client reads, and nothing comes from one
 * time to the next, then nobody will answer the agent: that is the error.
 */
export async function outstanding(
  caller: Caller,
  serverId: string,
  calls: number,
  heard: Heard,
): Promise<number | AcpHttpError | undefined> {
  const { servers } = await caller.json("get", "/v1/acp");
  const server = servers.find((each) => each.serverId === serverId);
  if (!server) return undefined;
  const { pendingRequests, openAgentRequests, lastEventId, readers } = server;
  const { asked, last, hasGap, quietAt, givenUp = 0 } = heard;
  const unheard = openAgentRequests - asked.size;
  const isOurs = hasGap && calls === 1 && pendingRequests === 1 && readers < 2;
  const isMissing = isOurs && lastEventId === last && unheard > givenUp;
  heard.quietAt = isMissing ? last : undefined;
  if (!isMissing || quietAt !== last) return pendingRequests;
  heard.givenUp = unheard;
  return requestLost();
}

function requestLost(): AcpHttpError {
  const code = "request_lost";
  const cause = new SandboxAgentError("The agent waits for an answer, and what it asked was lost.", {
    code,
    hint: "cancel() the turn, or end the agent with session.stopAgent().",
  });
  return new AcpHttpError(cause.message, { code, cause });
}
