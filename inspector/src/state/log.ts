// What the page heard of one agent process: every message, both ways, in the order of the stream. Append-only; `version` changes with
// every append, so that views know. Nothing here knows the network or the page.

export interface LogEntry {
  /** Its place in the log: 0, 1, 2 … */
  readonly index: number;
  /** "daemon": its word that events were lost (a gap). */
  readonly from: "agent" | "client" | "daemon";
  /** The number of the agent's message; of a client's: that of the agent's message before it. */
  readonly eventId: number;
  /** 0 for the agent's own; of a client's: how many-th behind that message. */
  readonly nth: number;
  readonly message: unknown;
  /** Its text as it was on the wire. */
  readonly json: string;
  /** When it was heard; undefined: it was there before the page was, and nobody knows when. */
  readonly at: number | undefined;
}

export class InstanceLog {
  readonly entries: LogEntry[] = [];
  version = 0;
  #eventId = 0;
  #nth = 0;

  agent(eventId: number, message: unknown, json: string, at?: number): LogEntry {
    this.#eventId = eventId;
    this.#nth = 0;
    return this.#append("agent", message, json, at);
  }

  client(message: unknown, json: string, at?: number): LogEntry {
    ++this.#nth;
    return this.#append("client", message, json, at);
  }

  /** Events were lost: the agent's from `from` to `to`, or nobody knows which. */
  gap(gap: { from?: number; to?: number; reason?: string; clientMessages?: number }, at?: number): LogEntry {
    if (gap.to !== undefined) {
      this.#eventId = gap.to;
      this.#nth = 0;
    } else ++this.#nth;
    return this.#append("daemon", gap, JSON.stringify(gap), at);
  }

  #append(from: LogEntry["from"], message: unknown, json: string, at: number | undefined): LogEntry {
    const entry = { index: this.entries.length, from, eventId: this.#eventId, nth: this.#nth, message, json, at };
    this.entries.push(entry);
    ++this.version;
    return entry;
  }
}

/** How a message is named in the Trace and in links: "12" for the agent's, "12.1" for the first a client sent behind it. */
export function seqOf({ eventId, nth }: LogEntry): string {
  return nth === 0 ? String(eventId) : `${eventId}.${nth}`;
}
