// Looking at logs.
import { expect } from "vitest";
import { isBehind } from "../../src/persist/driver.js";
import type { Session, SessionLogEntry } from "../../src/index.js";

interface Message {
  id?: unknown;
  method?: string;
  params?: {
    sessionId?: string;
    prompt?: { text?: string }[];
    update?: { sessionUpdate?: string; content?: { text?: string } };
  };
  result?: { stopReason?: string };
}

export const messageOf = (entry: SessionLogEntry) => entry.message as Message;

/** The whole log, read in pages; it has no holes, and nothing twice or out of order. */
export async function logOf(session: Session): Promise<SessionLogEntry[]> {
  const log: SessionLogEntry[] = [];
  for await (const entry of session.log()) log.push(entry);
  expectDense(log);
  expect((await session.history({ limit: 1 })).total).toBe(log.length);
  return log;
}

export function expectDense(log: readonly SessionLogEntry[]): void {
  expect(log.every(({ index }, place) => index === place)).toBe(true);
  for (const [place, entry] of log.entries()) {
    const before = log[place - 1];
    if (!before) continue;
    if (entry.epoch === before.epoch) expect(isBehind(entry, before), `entry ${place} is behind the one before it`).toBe(true);
    else expect(entry.epoch).toBeGreaterThan(before.epoch);
  }
  expect(log.every(({ json, message }) => JSON.stringify(message) === JSON.stringify(JSON.parse(json)))).toBe(true);
}

export function promptsIn(log: readonly SessionLogEntry[]): SessionLogEntry[] {
  return log.filter((entry) => entry.from === "client" && messageOf(entry).method === "session/prompt");
}

/** What the agent said, from this entry of the log on until its answer, and how it answered. */
export function turnIn(
  log: readonly SessionLogEntry[],
  prompt: SessionLogEntry,
): { text: string; stopReason: string | undefined } {
  let text = "";
  for (const entry of log.slice(prompt.index + 1)) {
    const { id, method, params, result } = messageOf(entry);
    if (entry.epoch !== prompt.epoch) break; // interrupted
    if (entry.from !== "agent") continue;
    if (method === undefined && id === messageOf(prompt).id) return { text, stopReason: result?.stopReason };
    if (params?.update?.sessionUpdate === "agent_message_chunk") text += params.update.content?.text ?? "";
  }
  return { text, stopReason: undefined };
}

export function turnsIn(log: readonly SessionLogEntry[]) {
  return promptsIn(log).map((prompt) => ({ words: messageOf(prompt).params?.prompt?.at(-1)?.text, ...turnIn(log, prompt) }));
}
