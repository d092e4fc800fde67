// A network that can be taken away and given back, as the option `fetch`.
export class Network {
  #cut = new AbortController();
  #isDown = false;

  readonly fetch: typeof globalThis.fetch = (input, init) => {
    if (this.#isDown) return Promise.reject(new TypeError("the network is down"));
    const signals = [this.#cut.signal, ...(init?.signal ? [init.signal] : [])];
    return globalThis.fetch(input, { ...init, signal: AbortSignal.any(signals) });
  };

  down(): void {
    this.#isDown = true;
    this.#cut.abort(new TypeError("the network was cut"));
  }

  up(): void {
    this.#isDown = false;
    this.#cut = new AbortController();
  }
}
