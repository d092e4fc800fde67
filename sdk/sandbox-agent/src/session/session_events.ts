// The events of one session from a stream of its own: it can begin in the past, and a slow reader holds up nobody else.
import { acpHttpEvents, type AcpHttpMessage } from "acp-http-client";
import type { AgentRequest } from "../client/agent_requests.js";
import { toSandboxAgentError } from "../errors.js";
import type { DaemonOptions } from "../http/options.js";
import { EventMaker } from "../turn/event_maker.js";
import type { SessionEvent } from "../turn/turn_event.js";

export interface EventsOptions {
  /** The number of the last event that was seen, `raw.id`. */
  since?: number;
  /** Aborting it ends the loop. */
  signal?: AbortSignal;
}

/** How the daemon's streams are reached. */
export type StreamAccess = Pick<DaemonOptions, "baseUrl" | "token" | "headers" | "fetch"> & { giveUpAfterMs?: number };

export async function* sessionEvents(
  access: StreamAccess & { serverId: string; instanceId?: string },
  sessionId: string,
  { since, signal }: EventsOptions,
  requestIn: (message: AcpHttpMessage) => AgentRequest | undefined,
  begin: () => void,
  end: () => void,
): AsyncGenerator<SessionEvent, void> {
  const maker = new EventMaker();
  begin(); // at the first next(): a stream that is never read may not hold requests open
  try {
    for await (const item of acpHttpEvents({
      ...access,
      signal,
      lastEventId: since,
    })) {
      if (item.type === "gap") {
        yield item;
        continue;
      }
      const { method, params } = item.message as { method?: string; params?: { sessionId?: unknown } };
      if (method === undefined || (params?.sessionId ?? sessionId) !== sessionId) continue;
      const event = maker.make(item, requestIn(item));
      yield event;
      if (event.type === "exited") return;
    }
  } catch (error) {
    throw toSandboxAgentError(error, { url: access.baseUrl });
  } finally {
    end();
  }
}
