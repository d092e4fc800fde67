// Plays a trace file: messages become due by their times, faster or all at once, and are heard by the same folds as live ones. Playing
// never sends. One file at a time: a new one takes the place of the old.
import { dueTimes, Played, type Speed } from "../state/replay.js";
import type { LogEntry } from "../state/log.js";
import type { TraceHead } from "../state/trace_file.js";
import type { Store } from "./store.js";

const sliceMs = 12; // so long a jump may keep the page from drawing
const tickMs = 33;
const tellMs = 500; // a long jump is shown so often: what it passes is not read by anybody

let player: Player | undefined;

/** What plays now. */
export const currentPlayer = (): Player | undefined => player;

/** What plays is heard and told no further. */
export function closePlayer(): void {
  const closed = player;
  player = undefined;
  closed?.pause();
}

/** Shows all of a file; play() begins anew. */
export async function playFile(store: Store, name: string, head: TraceHead, entries: readonly LogEntry[]): Promise<void> {
  closePlayer();
  player = new Player(store, name, head, entries);
  await player.jump(entries.length);
}

export class Player {
  readonly #store: Store;
  readonly #name: string;
  readonly #head: TraceHead;
  readonly #entries: readonly LogEntry[];
  readonly #due: Float64Array;
  #played: Played;
  #isPlaying = false;
  #speed: Speed = 1;
  #clock = 0; // of the file
  #version = 0;
  #jumps = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(store: Store, name: string, head: TraceHead, entries: readonly LogEntry[]) {
    this.#store = store;
    this.#name = name;
    this.#head = head;
    this.#entries = entries;
    this.#due = dueTimes(entries);
    this.#played = this.#anew();
  }

  /** From where it is, or from the beginning when it is at the end. */
  play(): void {
    if (this.#isPlaying) return;
    if (this.#at >= this.#entries.length) this.#played = this.#anew();
    this.#isPlaying = true;
    this.#clock = this.#due[this.#at] ?? 0;
    ++this.#jumps;
    this.#tick(performance.now());
  }

  pause(): void {
    clearTimeout(this.#timer);
    ++this.#jumps;
    this.#isPlaying = false;
    this.#tell();
  }

  setSpeed(speed: Speed): void {
    this.#speed = speed;
    this.#tell();
  }

  /** So many messages are shown then. Stops playing. */
  async jump(count: number): Promise<void> {
    this.pause();
    const jump = this.#jumps;
    if (count < this.#at) this.#played = this.#anew();
    for (let told = performance.now(); ;) {
      this.#hear(count, performance.now() + sliceMs);
      if (this.#at >= count) return this.#tell();
      if (performance.now() - told > tellMs) {
        this.#tell();
        told = performance.now();
      }
      await new Promise((resolve) => setTimeout(resolve));
      if (jump !== this.#jumps) return; // somebody jumped elsewhere
    }
  }

  get #at(): number {
    return this.#played.entries.length;
  }

  #anew(): Played {
    return new Played(this.#head.serverId ?? this.#name);
  }

  #tick(then: number): void {
    const now = performance.now();
    this.#clock += (now - then) * this.#speed;
    let count = this.#at;
    while (count < this.#entries.length && this.#due[count]! <= this.#clock) ++count;
    this.#hear(count, now + sliceMs);
    this.#isPlaying = this.#at < this.#entries.length;
    this.#tell();
    if (this.#isPlaying) this.#timer = setTimeout(() => this.#tick(now), tickMs);
  }

  #hear(count: number, until: number): void {
    const end = Math.min(count, this.#entries.length);
    while (this.#at < end && performance.now() < until) this.#played.hear(this.#entries[this.#at]!);
  }

  #tell(): void {
    if (player !== this) return; // another file was opened
    this.#store.dispatch({
      type: "replay",
      replay: {
        state: "open",
        name: this.#name,
        head: this.#head,
        played: this.#played,
        version: ++this.#version,
        total: this.#entries.length,
        isPlaying: this.#isPlaying,
        speed: this.#speed,
      },
    });
  }
}
