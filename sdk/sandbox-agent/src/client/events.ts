// What a connection tells besides the answers to calls.
import type { AcpHttpMessage } from "acp-http-client";
import type { SandboxAgentError } from "../errors.js";
import type { SessionUpdate } from "./protocol.js";

/** A message as it came: its number in the stream, parsed, and its text. */
export interface RawMessage {
  readonly id: number;
  readonly envelope: unknown;
  readonly json: string;
}

/** `sessionId` is what the agent calls a session; `id` what you call it, `session.id`, once there is a Session. */
export type Happening =
  | { type: "update"; sessionId: string; id?: string; update: SessionUpdate; raw: RawMessage }
  | { type: "session_ended"; sessionId: string; id?: string; reason: "terminated" | "agent_exited" | "disconnected" }
  | { type: "agent_exited"; exitCode?: number; signal?: string; raw: RawMessage }
  | { type: "unparsed"; error: string; text: string; raw: RawMessage }
  | { type: "gap"; from?: number; to?: number; reason?: string }
  | { type: "state"; state: "connecting" | "open" | "reconnecting" | "closed" }
  | { type: "error"; error: SandboxAgentError; id?: string };

/** `serverId`: the name of the process it happened to. */
export type ClientEvent = Happening & { serverId: string };

export type ClientListener = (event: ClientEvent) => void;

export function rawOf({ id, message, json }: AcpHttpMessage): RawMessage {
  return { id, envelope: message, json };
}

/** The listeners of one client. One that throws does not disturb the others, nor the stream. */
export class Listeners<Event> {
  readonly #all = new Set<(event: Event) => void>();

  add(listener: (event: Event) => void): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  tell(event: Event): void {
    for (const listener of [...this.#all]) {
      try {
        listener(event);
      } catch (error) {
        reportLater(error);
      }
    }
  }
}

// An exception of a listener is its owner's: it surfaces as uncaught, like one of any event listener.
function reportLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
