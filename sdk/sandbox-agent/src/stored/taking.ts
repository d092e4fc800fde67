// Taking a session out of everybody else's hands while it is brought back: others wait as long as there are signs of life.
import type { SessionChange, StoredSession } from "../persist/driver.js";
import type { Session } from "../session/session.js";
import type { Store } from "./store.js";

const signEveryMs = 1_000;

/** Does the work with the record as it is then. If that fails, the record is as before. Undefined: another client was faster. */
export async function taken(
  store: Store,
  stored: StoredSession,
  change: SessionChange,
  work: (moving: StoredSession) => Promise<Session | undefined>,
): Promise<Session | undefined> {
  const { id, epoch } = stored;
  const moving = await store.update(id, { ...change, epoch: epoch + 1, state: "moving" }, epoch);
  if (!moving) return undefined;
  const signs = setInterval(() => void store.update(id, {}, moving.epoch).catch(() => {}), signEveryMs);
  try {
    return await work(moving);
  } catch (error) {
    const { baseUrl, serverId, instanceId, last, untold, details } = stored;
    const before = { epoch, state: "ready", baseUrl, serverId, instanceId, last, untold, details } as const;
    await store.update(id, before, moving.epoch).catch(() => {}); // what failed first is told
    throw error;
  } finally {
    clearInterval(signs);
  }
}
