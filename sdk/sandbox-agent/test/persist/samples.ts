// Sessions and streams to store, and comparing. Runs under Node and in a page.
import type { EventPlace, NewEvent, SessionPersistDriver, StoredEvent, StoredSession } from "../../src/persist/driver.js";

export function sample(id: string, changes: Partial<StoredSession> = {}): Omit<StoredSession, "eventCount"> {
  const { eventCount: _, ...session } = {
    id,
    agent: "mock",
    cwd: "/",
    epoch: 1,
    state: "ready" as const,
    baseUrl: "http://127.0.0.1:2468",
    serverId: `server of ${id}`,
    instanceId: "first",
    last: { eventId: 0, nth: 0 },
    eventCount: 0,
    createdAt: 1_790_000_000_000,
    updatedAt: 1_790_000_000_000,
    ...changes,
  };
  return session;
}

/** The stream as every reader sees it: some messages of the agent, some of clients behind them. */
export function streamOf(count: number, text = "some words"): NewEvent[] {
  const events: NewEvent[] = [];
  for (let eventId = 1; events.length < count; ++eventId)
    for (let nth = 0; nth <= (eventId % 7 === 0 ? 2 : 0) && events.length < count; ++nth)
      events.push({
        eventId,
        nth,
        from: nth === 0 ? "agent" : "client",
        at: 1_790_000_000_000 + eventId,
        json: jsonOf(eventId, nth, text),
      });
  return events;
}

const jsonOf = (eventId: number, nth: number, text: string) =>
  `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"abc","update":{"id":"${eventId}.${nth}","text":"${text}"}}}`;

export const batchOf = (events: readonly NewEvent[], epoch = 1) => ({ epoch, events, upTo: events.at(-1) as EventPlace });

export const storedAs = (events: readonly NewEvent[], epoch = 1): StoredEvent[] =>
  events.map((event, index) => ({ ...event, index, epoch }));

/** Records the stream as a client does that has seen nothing of what others stored. */
export async function record(
  driver: SessionPersistDriver,
  id: string,
  stream: readonly NewEvent[],
  most: number,
): Promise<void> {
  for (let at = 0; at < stream.length;) {
    const events = stream.slice(at, at + 1 + Math.floor(Math.random() * most));
    if (!(await driver.appendEvents(id, batchOf(events)))) throw new Error("the store refused");
    at += events.length;
  }
}

/** The whole log, read in pages. */
export async function logOf(driver: SessionPersistDriver, id: string, limit = 1000): Promise<StoredEvent[]> {
  const log: StoredEvent[] = [];
  for (;;) {
    const { events, total } = await driver.listEvents(id, { offset: log.length, limit });
    log.push(...events);
    if (log.length >= total || events.length === 0) return log;
  }
}

export function equal(actual: unknown, expected: unknown, what = "it"): void {
  const [is, should] = [actual, expected].map((value) => JSON.stringify(value, sorted) ?? "undefined") as [string, string];
  if (is === should) return;
  let at = 0;
  while (is[at] === should[at]) ++at;
  const part = (text: string) => text.slice(Math.max(0, at - 60), at + 120);
  throw new Error(`${what} is …${part(is)}… and should be …${part(should)}…`);
}

export async function failure(promise: Promise<unknown>): Promise<Error & { code?: unknown; hint?: unknown }> {
  return promise.then(
    () => {
      throw new Error("it did not fail");
    },
    (error: unknown) => error as Error,
  );
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
