// The process of a stored session is known to the daemon: its stream is read on where the log ends.
import { acpHttpEvents } from "acp-http-client";
import type { Connection } from "../client/connection.js";
import type { SandboxAgentClient } from "../client/sandbox_agent_client.js";
import type { StoredSession } from "../persist/driver.js";
import type { Session } from "../session/session.js";
import type { OpenEnds } from "./open_ends.js";
import { Recorder } from "./recorder.js";
import { replayedText } from "./replay_text.js";
import { SessionLog } from "./session_log.js";
import type { SessionMaker, Surroundings } from "./session_maker.js";
import { taken } from "./taking.js";

const catchUpMs = 10_000;

/** The process runs. Undefined: it has ended meanwhile. `lastEventId`: up to where the stream is read before this resolves. */
export async function rejoined(
  maker: SessionMaker,
  stored: StoredSession,
  ends: OpenEnds,
  lastEventId: number,
): Promise<Session | undefined> {
  const { agent, serverId, instanceId, agentSessionId, details } = stored;
  const { store, around } = maker;
  const recorder = new Recorder(ends.since);
  const position = { since: ends.since, instanceId };
  let client = undefined as SandboxAgentClient | undefined;
  const join = () => (client = around.join(agent, serverId, recorder)); // and begin at once: dispose() ends what has begun
  try {
    if (agentSessionId === undefined) {
      return await taken(store, stored, {}, async (moving) => {
        const joined = join();
        await joined.lifecycle.begin((connection) => connection.attach(details), position);
        return maker.begin(joined, moving, { begin: () => maker.fresh(joined, moving), restored: "created" });
      });
    }
    const untold = stored.untold && !ends.isTold ? await replayedText(store, stored) : undefined;
    const joined = join();
    const { lifecycle } = joined;
    const record = joined.book.open(agentSessionId, stored.cwd);
    if (stored.known) record.restore(stored.known);
    const log = maker.log(stored);
    recorder.track(agentSessionId, log, ends.requests);
    const session = maker.session(joined, stored, agentSessionId, log, untold ? "replayed" : "attached", untold);
    await lifecycle.begin(async (connection) => {
      if (ends.turn) await goOn(maker, session, stored, ends, connection);
      await connection.attach(details);
    }, position);
    const connection = lifecycle.current;
    await Promise.race([recorder.reached(lastEventId), connection?.ended()]);
    const isAnswered = ends.turn && !connection?.transport.stream.openRequests.includes(ends.turn.id);
    if (isAnswered) await session.turn?.settled.catch(() => {}); // whoever has the turn hears of it
    if (lifecycle.usable) return session;
    await session.flush();
  } catch (error) {
    if (client) around.leave(client);
    if (await serverOf(around, stored)) throw error;
  }
  return undefined;
}

/** The daemon's word on the process of a session; undefined: it knows nothing of it. */
export async function serverOf({ caller }: Surroundings, { serverId, instanceId }: StoredSession) {
  const { servers } = await caller.json("get", "/v1/acp");
  return servers.find((server) => server.serverId === serverId && (instanceId === "" || server.instanceId === instanceId));
}

// The turn that runs hears first what the log has of it.
async function goOn(
  { store }: SessionMaker,
  session: Session,
  { id, eventCount }: StoredSession,
  { turn, since }: OpenEnds,
  connection: Connection,
): Promise<void> {
  session.resume(turn!.id, since, connection);
  for await (const { from, eventId, json } of store.events(id, turn!.from, eventCount)) {
    if (from !== "agent" || eventId > since) continue;
    const message = { type: "message", id: eventId, message: JSON.parse(json), json } as const;
    session.hear(message, connection.requestIn(message));
  }
}

/** The process has ended; what it said until then is still there, and is added to the log. */
export async function catchUp(
  { store, around }: SessionMaker,
  stored: StoredSession,
  { since, requests }: OpenEnds,
  lastEventId: number,
): Promise<void> {
  const { serverId, instanceId, agentSessionId, last } = stored;
  if (agentSessionId === undefined || last.eventId >= lastEventId) return;
  const recorder = new Recorder(since);
  const log = new SessionLog(store, stored, () => {}); // flush() tells
  recorder.track(agentSessionId, log, requests);
  const messages = acpHttpEvents({
    ...around.access,
    serverId,
    instanceId,
    lastEventId: since,
    signal: AbortSignal.timeout(catchUpMs),
    streamQuery: { include: "client" },
    onClientMessage: (message, json) => recorder.client(message, json),
  });
  for await (const item of messages) {
    if (item.type === "gap") recorder.gap(item);
    else recorder.agent(item);
    await recorder.room();
    if (recorder.place.eventId >= lastEventId) break;
  }
  const { eventId } = recorder.place;
  if (eventId < lastEventId) recorder.gap({ from: eventId + 1, to: lastEventId }); // there was no more time
  await log.flush();
}
