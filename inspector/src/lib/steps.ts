// Where in the browser's history the page is. Its entries are numbered, so that a step which was refused can be undone, and done after all.

export class Steps {
  #here = numberOfEntry() ?? 0; // where the page is, whatever the address says for the moment

  constructor() {
    if (numberOfEntry() === undefined) this.#number(this.#here);
  }

  push(href: string): void {
    history.pushState({ step: this.#here + 1 }, "", href);
  }

  replace(href: string): void {
    history.replaceState({ step: this.#here }, "", href);
  }

  /** How far the browser is from where the page is: -1 after Back. */
  get away(): number {
    if (numberOfEntry() === undefined) this.#number(this.#here + 1); // made by the browser: somebody wrote into the address
    return numberOfEntry()! - this.#here;
  }

  /** The page is where the browser is. */
  arrive(): void {
    this.#here += this.away;
  }

  #number(step: number): void {
    history.replaceState({ step }, "");
  }
}

const numberOfEntry = () => (history.state as { readonly step?: number } | null)?.step;
