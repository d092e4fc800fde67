// What the page heard of one agent process: every message, both ways, in the order of the stream. Append-only; `version` changes with
// every append, so that views know. Beyond the bounds the oldest are dropped: a page may be open for weeks. Nothing here knows the
// network or the page.

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

export interface LogBounds {
  readonly entries: number;
  /** Of the messages' texts. */
  readonly characters: number;
}

const usualBounds: LogBounds = { entries: 200_000, characters: 48_000_000 };

export class InstanceLog {
  /** In order; the first is the `dropped`-th that was heard. */
  readonly entries: LogEntry[] = [];
  /** How many are not kept any more. */
  dropped = 0;
  /** Of what is kept. */
  characters = 0;
  version = 0;
  readonly #bounds: LogBounds;
  #eventId = 0;
  #nth = 0;

  constructor(bounds = usualBounds) {
    this.#bounds = bounds;
  }

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
    const entry = {
      index: this.dropped + this.entries.length,
      from,
      eventId: this.#eventId,
      nth: this.#nth,
      message,
      json,
      at,
    };
    this.entries.push(entry);
    this.characters += json.length;
    ++this.version;
    this.#drop();
    return entry;
  }

  // A tenth at once, so that it is seldom. The newest stays, whatever its size.
  #drop(): void {
    const { entries, characters } = this.#bounds;
    if (this.entries.length <= entries && this.characters <= characters) return;
    const most = { entries: 0.9 * entries, characters: 0.9 * characters };
    let count = 0;
    while (count < this.entries.length - 1 && (this.entries.length - count > most.entries || this.characters > most.characters))
      this.characters -= this.entries[count++]!.json.length;
    this.entries.splice(0, count);
    this.dropped += count;
  }
}

/** How a message is named in the Trace and in links: "12" for the agent's, "12.1" for the first a client sent behind it. */
export function seqOf({ eventId, nth }: LogEntry): string {
  return nth === 0 ? String(eventId) : `${eventId}.${nth}`;
}
