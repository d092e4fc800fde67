// Turns that run: from a prompt to its answer. There may be several: agents let prompts wait in line, so what they say belongs to the oldest.
import type { EventWriter } from "./event_writer.js";
import type { TurnEnded } from "./events.js";

export class Turns {
  readonly #writer: EventWriter;
  readonly #open = new Map<string, string>(); // key of the prompt's id -> turn

  constructor(writer: EventWriter) {
    this.#writer = writer;
  }

  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Whether no other turn runs. */
  isLast(key: string): boolean {
    return this.#open.size === 1 && this.#open.has(key);
  }

  /** `say` writes what the turn begins with. */
  start(key: string, say: () => void): void {
    if (this.#open.has(key)) this.end(key, { phase: "interrupted" }, true); // its id is used again: nobody can answer it
    const turn_id = this.#writer.name("turn");
    this.#open.set(key, turn_id);
    this.#writer.turn = { turn_id };
    this.#writer.write("turn.started", { turn_id, phase: "started" }, { phase: "started" });
    say();
    this.#point(turn_id);
  }

  end(key: string, ending: Omit<TurnEnded, "turn_id">, synthetic = false): void {
    const turn_id = this.#open.get(key);
    if (turn_id === undefined) return;
    this.#open.delete(key);
    this.#writer.turn = { turn_id };
    const { phase, stop_reason } = ending;
    const meta = stop_reason === undefined ? { phase } : { phase, stopReason: stop_reason };
    this.#writer.write("turn.ended", { turn_id, ...ending }, meta, synthetic);
    this.#point(turn_id);
  }

  cutOff(): void {
    for (const key of this.#open.keys()) this.end(key, { phase: "interrupted" }, true);
  }

  /** What follows belongs to no turn, unless one runs. */
  leave(): void {
    if (!this.isOpen) this.#writer.turn = undefined;
  }

  #point(last: string): void {
    const oldest = this.#open.values().next().value;
    this.#writer.turn = oldest === undefined ? { turn_id: last, late: true } : { turn_id: oldest };
  }
}
