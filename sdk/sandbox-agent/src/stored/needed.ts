// What a SandboxAgent knows of stored sessions before it needs them.
import { SandboxAgentError } from "../errors.js";
import type { SessionPersistDriver } from "../persist/driver.js";
import type { StoredSessions } from "./stored_sessions.js";

/** What stored sessions need is loaded by those who have a store. */
export async function neededFor({ persist }: { persist?: SessionPersistDriver }): Promise<typeof StoredSessions | undefined> {
  if (!persist) return undefined;
  if (typeof (persist as Partial<SessionPersistDriver>).appendEvents !== "function")
    throw new SandboxAgentError("persist has to be a driver.", {
      code: "invalid_option",
      hint: "Make one with new, or await the open() of SQLite's.",
    });
  return (await import("./stored_sessions.js")).StoredSessions;
}

/** Refuses what cannot be the id of an agent, or of a session in the store. */
export function mustBeName(id: unknown): void {
  if (typeof id === "string" && id !== "") return;
  throw new SandboxAgentError("agent and id are texts, not empty.", { code: "invalid_option" });
}

export function notPersisted(): SandboxAgentError {
  return new SandboxAgentError("There is no store for sessions.", { code: "not_persisted" });
}
