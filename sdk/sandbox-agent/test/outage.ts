// A network that can be taken away and given back, as the option `fetch`.
export class Network {
  readonly #answers = new Map<string, number>();
  #unanswered = 0;
  #cut = new AbortController();
  #isDown = false;

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    if (this.#isDown) throw new TypeError("the network is down");
    const signals = [this.#cut.signal, ...(init?.signal ? [init.signal] : [])];
    ++this.#unanswered;
    try {
      const response = await globalThis.fetch(input, { ...init, signal: AbortSignal.any(signals) });
      const { pathname } = new URL(response.url);
      this.#answers.set(pathname, this.answers(pathname) + 1);
      return response;
    } finally {
      --this.#unanswered;
    }
  };

  /** Everything that was sent has its answer, or the head of it. */
  get isCalm(): boolean {
    return this.#unanswered === 0;
  }

  /** How many answers there were to requests with this path. */
  answers(pathname: string): number {
    return this.#answers.get(pathname) ?? 0;
  }

  down(): void {
    this.#isDown = true;
    this.#cut.abort(new TypeError("the network was cut"));
  }

  up(): void {
    this.#isDown = false;
    this.#cut = new AbortController();
  }
}
