// Work that is done one after the other, in the order in which it was asked for.
export class InTurn {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs `work` when all that was asked for before under this name has ended, however it ended. */
  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const done = (this.#last.get(name) ?? Promise.resolve()).then(work);
    const forget = () => {
      if (this.#last.get(name) === ended) this.#last.delete(name);
    };
    const ended: Promise<void> = done.then(forget, forget);
    this.#last.set(name, ended);
    return done;
  }
}
