// Whole logs as universal events.
import type { TranscriptEntry } from "./entry.js";
import type { UniversalEvent } from "./events.js";
import { Transcript, type TranscriptOptions } from "./transcript.js";

/** The events of a log that is read as it comes. What is open when it ends is completed. */
export async function* transcriptOf(
  entries: Iterable<TranscriptEntry> | AsyncIterable<TranscriptEntry>,
  options: TranscriptOptions = {},
): AsyncGenerator<UniversalEvent, void, undefined> {
  const transcript = new Transcript(options);
  for await (const entry of entries) yield* transcript.push(entry);
  yield* transcript.flush();
}

/** The events of a log that is there. */
export function toTranscript(entries: Iterable<TranscriptEntry>, options: TranscriptOptions = {}): UniversalEvent[] {
  const transcript = new Transcript(options);
  const events: UniversalEvent[] = [];
  for (const entry of entries) for (const event of transcript.push(entry)) events.push(event);
  for (const event of transcript.flush()) events.push(event);
  return events;
}
