// Holds the state; everything that happens goes through dispatch(). Views hear of it once per frame, however much happened.
import { useEffect, useRef, useState } from "preact/hooks";
import { reduce, type Action, type AppState } from "../state/app.js";

const hiddenMs = 250; // pages that are not seen get no frames, also those that were seen a moment ago

export class Store {
  state: AppState;
  readonly #listeners = new Set<() => void>();
  #scheduled = false;

  constructor(state: AppState) {
    this.state = state;
  }

  dispatch(action: Action): void {
    const before = this.state;
    this.state = reduce(before, action);
    if (this.state !== before) this.#schedule();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Views hear of it before the next frame. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const tell = () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      this.#scheduled = false;
      for (const listener of [...this.#listeners]) listener();
    };
    const frame = requestAnimationFrame(tell);
    const timer = setTimeout(tell, hiddenMs);
  }
}

/** A part of the state as it is now; the component is drawn anew when that part is another one. What is selected may change. */
export function useStore<T>(store: Store, select: (state: AppState) => T): T {
  const value = select(store.state);
  const drawn = useRef({ select, value });
  drawn.current = { select, value };
  const [, draw] = useState({});
  useEffect(() => {
    const look = () => {
      if (!Object.is(drawn.current.select(store.state), drawn.current.value)) draw({});
    };
    look();
    return store.subscribe(look);
  }, [store]);
  return value;
}
