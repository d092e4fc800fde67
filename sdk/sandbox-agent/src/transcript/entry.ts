// One entry of a session's log, and which entries are news.
import { fieldsOf, numberOf } from "./json.js";

/** One message of a session, either way. Entries come in the order of the log. */
export interface TranscriptEntry {
  /** "daemon": its word that messages were lost. */
  readonly from: "agent" | "client" | "daemon";
  /** The message, or its text in `json`, as drivers have it. */
  readonly message?: unknown;
  readonly json?: string | undefined;
  /** Its place in the stream of the agent's process, see EventPlace. */
  readonly eventId?: number | undefined;
  readonly nth?: number | undefined;
  /** Which of the session's processes. */
  readonly epoch?: number | undefined;
  /** When it was recorded: milliseconds since 1970. */
  readonly at?: number | undefined;
}

/** What is known of an entry that is news. */
export interface Arrival {
  readonly entry: Partial<TranscriptEntry>;
  /** Names the entry among all of the log. */
  readonly mark: string;
  /** It is the first one of another process. */
  readonly isNewEpoch: boolean;
}

/** Knows how far the log was read. Entries that have no place are always news. */
export class Progress {
  #epoch: number | undefined;
  #eventId = -1;
  #nth = -1;
  #entries = 0;

  /** Undefined for an entry that was seen before. */
  take(value: unknown): Arrival | undefined {
    const entry = withMessage(fieldsOf(value));
    const epoch = numberOf(entry.epoch) ?? this.#epoch ?? 0;
    const eventId = numberOf(entry.eventId);
    const nth = numberOf(entry.nth) ?? (entry.from === "agent" ? 0 : undefined);
    const before = this.#epoch;
    if (before !== undefined && epoch < before) return undefined;
    if (eventId !== undefined && nth !== undefined) {
      if (epoch === before && (eventId < this.#eventId || (eventId === this.#eventId && nth <= this.#nth))) return undefined;
      this.#eventId = eventId;
      this.#nth = nth;
    } else if (epoch !== before) {
      this.#eventId = -1;
      this.#nth = -1;
    }
    this.#epoch = epoch;
    ++this.#entries;
    const mark = eventId !== undefined && nth !== undefined ? `${epoch}.${eventId}.${nth}` : `n${this.#entries}`;
    return { entry, mark, isNewEpoch: before !== undefined && epoch !== before };
  }
}

function withMessage(entry: Partial<TranscriptEntry>): Partial<TranscriptEntry> {
  if (entry.message !== undefined || typeof entry.json !== "string") return entry;
  try {
    return { ...entry, message: JSON.parse(entry.json) as unknown };
  } catch {
    return { ...entry, message: entry.json }; // which is no message, and is told as such
  }
}
