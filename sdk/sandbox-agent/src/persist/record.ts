// What becomes of a session's record when it is made, changed, or when events are appended: the same for all drivers. Pure.
import {
  isBehind,
  type EventBatch,
  type NewEvent,
  type SessionChange,
  type StoredEvent,
  type StoredSession,
} from "./driver.js";

export function made(session: Omit<StoredSession, "eventCount">): StoredSession {
  return plain({ ...session, last: placeOf(session.last), eventCount: 0 });
}

/** A field that is given as undefined is removed, if it may be missing. */
export function changed(session: StoredSession, change: SessionChange): StoredSession {
  const { id, epoch, last, eventCount, createdAt, updatedAt } = session;
  const next = { ...session, ...change };
  return plain({
    ...next,
    id,
    eventCount,
    epoch: next.epoch ?? epoch,
    last: placeOf(next.last ?? last),
    createdAt: next.createdAt ?? createdAt,
    updatedAt: next.updatedAt ?? updatedAt,
  });
}

export type Position = Pick<StoredSession, "last" | "eventCount" | "updatedAt">;

/** The events of the batch that are new, as they are stored, and where the session is then. */
export function appended({ last, eventCount, updatedAt }: Position, { epoch, events, upTo }: EventBatch) {
  const fresh = events.filter((event) => isBehind(event, last)).map((event, at) => stored(event, epoch, eventCount + at));
  const position: Position = {
    last: placeOf(isBehind(upTo, last) ? upTo : last),
    eventCount: eventCount + fresh.length,
    updatedAt: Math.max(updatedAt, events.at(-1)?.at ?? updatedAt),
  };
  return { fresh, position };
}

/** For those that store it later: its events may be others by then. */
export function copied(batch: EventBatch): EventBatch {
  return { ...batch, events: [...batch.events] };
}

/** A copy of what JSON can say of it: nobody changes what is kept by changing what was given. */
export function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function stored({ eventId, nth, from, at, json }: NewEvent, epoch: number, index: number): StoredEvent {
  return { index, epoch, eventId, nth, from, at, json };
}

const placeOf = ({ eventId, nth }: StoredSession["last"]) => ({ eventId, nth });
