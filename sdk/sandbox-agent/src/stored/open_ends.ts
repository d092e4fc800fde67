// What was under way when a log ends: the turn that runs, requests without an answer on either side.
import type { StoredSession } from "../persist/driver.js";
import type { OpenRequest } from "./recorder.js";
import type { Store } from "./store.js";

export interface OpenEnds {
  /** The turn that may still run: its id, and the index of its first event in the log. */
  turn?: { id: string; from: number };
  /** The client's requests without an answer. */
  requests: OpenRequest[];
  /** The agent was told to close it. */
  isClosed: boolean;
  /** The agent has had a prompt since the session came into its process. */
  isTold: boolean;
  /** The number to read the stream from: where the log ends, or before the first thing the agent asked and nobody answered. */
  since: number;
}

const openings = new Map([
  ["session/close", true],
  ["session/resume", false],
  ["session/load", false],
]);

/** Reads the log from where something may be unanswered. */
export async function openEnds(store: Store, stored: StoredSession): Promise<OpenEnds> {
  const { id, last, epoch, turn, answeredTo = 0, eventCount } = stored;
  const ofClient = new Map<string, OpenRequest>();
  const ofAgent = new Map<string, number>();
  const current = turn?.epoch === epoch ? turn : undefined;
  let from: number | undefined;
  let isOver = false;
  let isTold = false;
  let isClosed = false;
  for await (const event of store.events(id, answeredTo, eventCount)) {
    if (event.epoch !== epoch || event.from === "daemon") continue;
    if (event.from === "agent" && isNoise(event.json)) continue;
    const { id: of, method, error } = JSON.parse(event.json) as { id?: unknown; method?: string; error?: unknown };
    if (of === undefined) continue;
    const key = JSON.stringify(of);
    if (method === undefined) {
      if (event.from === "agent" && error === undefined) isClosed = openings.get(ofClient.get(key)?.method ?? "") ?? isClosed;
      (event.from === "agent" ? ofClient : ofAgent).delete(key);
      if (event.from === "agent" && of === current?.id) isOver = true;
    } else if (event.from === "client") {
      ofClient.set(key, { id: of, method });
      isTold ||= method === "session/prompt";
      if (of === current?.id) from = event.index + 1;
    } else ofAgent.set(key, event.eventId);
  }
  const since = Math.min(last.eventId, ...[...ofAgent.values()].map((eventId) => eventId - 1));
  const running = current && !isOver ? { turn: { id: current.id, from: from ?? eventCount } } : {};
  return { ...running, requests: [...ofClient.values()], isClosed, isTold, since };
}

// Nearly everything in a log is updates, which need not be parsed.
function isNoise(json: string): boolean {
  return json.includes('"session/update"') && !json.includes('"id":');
}
