// The process of a stored session is gone: the session is taken into another one, by the agent's own memory, else, if the caller
// wants it, by its text.
import type { KnownSession, SandboxAgentClient } from "../client/sandbox_agent_client.js";
import type { SessionRecord } from "../client/session_records.js";
import { SandboxAgentError, toSandboxAgentError } from "../errors.js";
import type { StoredSession } from "../persist/driver.js";
import type { Session } from "../session/session.js";
import { Recorder } from "./recorder.js";
import { replayedText } from "./replay_text.js";
import type { Restored } from "./session_keeper.js";
import { wishesOf, type SessionMaker } from "./session_maker.js";
import { taken } from "./taking.js";

export type ReplayText = boolean | { maxChars?: number };

/**
 * Undefined: another client was faster. `leftBehind`: the process in the record runs, and was started by a client that is gone; the
 * number of its last message.
 */
export async function reopened(
  maker: SessionMaker,
  stored: StoredSession,
  replayText: ReplayText,
  leftBehind: number | undefined,
): Promise<Session | undefined> {
  const { agent, chosenServerId } = stored;
  const { store, around } = maker;
  const serverId = chosenServerId ?? around.serverId(agent);
  const isLeft = leftBehind !== undefined && stored.serverId !== serverId;
  return taken(store, stored, isLeft ? {} : { serverId, instanceId: "" }, async (moving) => {
    const client = isLeft
      ? around.join(agent, moving.serverId, new Recorder())
      : around.client(agent, serverId, chosenServerId);
    let session: Session | undefined;
    try {
      if (isLeft) await readAll(client, moving, leftBehind);
      const { instanceId = "", details } = await client.lifecycle.use();
      const recorder = client.recorder!;
      const { baseUrl } = around.caller;
      const there = { baseUrl, serverId: client.serverId!, instanceId, details, last: recorder.place };
      const ready = await store.update(moving.id, there, moving.epoch);
      // An agent may give its sessions the same names in each process: then this is another one.
      const isOther = instanceId !== stored.instanceId && recorder.hasMade(stored.agentSessionId ?? "");
      return (session = ready && (await begun(maker, client, ready, replayText, isOther)));
    } finally {
      if (isLeft && !session) around.leave(client); // the process is not ours
    }
  });
}

// Its stream is read from the beginning: it is not known how far anybody got.
async function readAll({ lifecycle, recorder }: SandboxAgentClient, { details }: StoredSession, lastEventId: number) {
  await lifecycle.begin((connection) => connection.attach(details), {});
  await Promise.race([recorder!.reached(lastEventId), lifecycle.current?.ended()]);
}

async function begun(
  maker: SessionMaker,
  client: SandboxAgentClient,
  stored: StoredSession,
  replayText: ReplayText,
  isForgotten: boolean,
): Promise<Session> {
  const fresh = () => maker.fresh(client, stored);
  const { agentSessionId, untold } = stored;
  if (agentSessionId === undefined) return maker.begin(client, stored, { begin: fresh, restored: "created" });
  if (!untold && !isForgotten) {
    const session = await remembered(maker, client, stored, agentSessionId);
    if (session) return session;
  }
  if (!replayText) throw cannotRestore(stored.agent);
  const maxChars = replayText === true ? undefined : replayText.maxChars;
  const text = await replayedText(maker.store, stored, maxChars);
  return maker.begin(client, stored, { begin: fresh, restored: "replayed", untold: text });
}

// Undefined: the agent cannot, or has forgotten.
async function remembered(
  maker: SessionMaker,
  client: SandboxAgentClient,
  stored: StoredSession,
  sessionId: string,
): Promise<Session | undefined> {
  const { loadSession, sessionCapabilities } = client.agentDetails?.agentCapabilities ?? {};
  const ways: [Restored, (known: KnownSession) => Promise<unknown>][] = [];
  if (sessionCapabilities?.resume) ways.push(["resumed", (known) => client.resumeSession(known)]);
  if (loadSession) ways.push(["loaded", (known) => client.loadSession(known)]);
  for (const [restored, open] of ways) {
    const begin = async () => {
      const record = client.book.open(sessionId, stored.cwd);
      if (stored.known) record.restore(stored.known);
      const before = choicesOf(record);
      await maker.around.signedIn(client, () => open({ ...wishesOf(stored), sessionId }));
      await chooseAgain(client, record, before).catch((error) => maker.around.onError(toSandboxAgentError(error), stored));
      return sessionId;
    };
    try {
      return await maker.begin(client, stored, { begin, sessionId, restored });
    } catch (error) {
      client.book.forget(sessionId);
      if ((error as SandboxAgentError).code !== "agent_error") throw error;
    }
  }
  return undefined;
}

const choicesOf = ({ model, modes }: SessionRecord) => ({ model, mode: modes?.currentModeId });

// An agent that remembers a session need not remember what it was set to.
async function chooseAgain(
  client: SandboxAgentClient,
  record: SessionRecord,
  before: ReturnType<typeof choicesOf>,
): Promise<void> {
  const { model, mode } = choicesOf(record);
  const metadata = {
    ...(before.model !== undefined && before.model !== model && { model: before.model }),
    ...(before.mode !== undefined && before.mode !== mode && { mode: before.mode }),
  };
  if (Object.keys(metadata).length > 0) await client.setMetadata({ sessionId: record.sessionId, metadata });
}

function cannotRestore(agent: string): SandboxAgentError {
  return new SandboxAgentError(`The process of this session is gone, and "${agent}" does not remember it.`, {
    code: "cannot_restore",
    hint: "replayText: true tells a new session of the agent what was said; the store still has all of it.",
  });
}
