// A trace file as it is played: how far it is, when each message is due, and the same folds that a live process has. Nothing here
// sends, and nothing here knows a clock.
import { InstanceView } from "./instance.js";
import type { LogEntry } from "./log.js";
import type { TraceHead } from "./trace_file.js";

export const speeds = [1, 4, 16] as const;
export type Speed = (typeof speeds)[number];

/** What the screen shows of a file. */
export type Replay =
  | { readonly state: "reading"; readonly name: string }
  | { readonly state: "failed"; readonly name: string; readonly message: string }
  | {
      readonly state: "open";
      readonly name: string;
      readonly head: TraceHead;
      readonly played: Played;
      readonly version: number;
      readonly total: number;
      readonly isPlaying: boolean;
      readonly speed: Speed;
    };

const evenMs = 100; // between messages nobody knows the time of
const longestPauseMs = 3_000; // nobody wants to wait for what somebody else waited for

/** When each message is due, in milliseconds from the first. */
export function dueTimes(entries: readonly Pick<LogEntry, "at">[]): Float64Array {
  const due = new Float64Array(entries.length);
  for (let index = 1; index < entries.length; ++index) {
    const [before, at] = [entries[index - 1]!.at, entries[index]!.at];
    const pause = before === undefined || at === undefined ? evenMs : Math.min(Math.max(0, at - before), longestPauseMs);
    due[index] = due[index - 1]! + pause;
  }
  return due;
}

/** What was played so far. */
export class Played {
  readonly view: InstanceView;
  readonly entries: LogEntry[] = [];

  constructor(serverId: string) {
    this.view = new InstanceView(serverId);
  }

  hear(entry: LogEntry): void {
    this.entries.push(entry);
    this.view.hear(entry);
  }
}
