// The events of one session from a stream of its own: it can begin in the past, and a slow reader holds up nobody else.
import { acpHttpEvents, type AcpHttpGap, type AcpHttpMessage, type AcpHttpOptions } from "acp-http-client";
import type { AgentRequest } from "../client/agent_requests.js";
import { toSandboxAgentError } from "../errors.js";
import type { DaemonOptions } from "../http/options.js";
import { TimeLimit } from "../http/time_limit.js";
import { EventMaker } from "../turn/event_maker.js";
import type { SessionEvent } from "../turn/turn_event.js";
import type { Readers } from "./readers.js";

export interface EventsOptions {
  /** The number of the last event that was seen, `raw.id`. */
  since?: number | undefined;
  /** Aborting it ends the loop. */
  signal?: AbortSignal | undefined;
}

/** How the daemon's streams are reached. */
export type StreamAccess = Pick<DaemonOptions, "baseUrl" | "token" | "headers" | "fetch"> & {
  giveUpAfterMs?: number | undefined;
  /** Aborted when there is no daemon any more. */
  signal?: AbortSignal | undefined;
  /** Ended when nobody wants to hear of it any more. */
  readers?: Readers;
};

/** The process whose messages are read. */
export type Source = StreamAccess & { serverId: string; instanceId?: string };

/** All messages of the process. Ends quietly when `signal` is aborted or `readers` end, and with an error when there is no daemon any more. */
export async function* messagesOf(
  source: Source,
  signal: AbortSignal | undefined,
  options: Partial<AcpHttpOptions>,
): AsyncGenerator<AcpHttpMessage | AcpHttpGap, void> {
  const first = new TimeLimit(0, signal, source.signal);
  source.readers?.add(first.end);
  try {
    yield* acpHttpEvents({ ...source, ...options, signal: first.signal });
    if (first.signal.reason === source.signal?.reason) source.signal?.throwIfAborted();
  } finally {
    source.readers?.delete(first.end);
    first.end();
  }
}

export async function* sessionEvents(
  source: Source,
  sessionId: string,
  { since, signal }: EventsOptions,
  requestIn: (message: AcpHttpMessage) => AgentRequest | undefined,
  begin: () => void,
  end: () => void,
): AsyncGenerator<SessionEvent, void> {
  const maker = new EventMaker();
  begin(); // at the first next(): a stream that is never read may not hold requests open
  try {
    for await (const item of messagesOf(source, signal, { lastEventId: since })) {
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
    throw toSandboxAgentError(error, { url: source.baseUrl });
  } finally {
    end();
  }
}
