// Messages of sessions that are just beginning: requests that make sessions, until they are answered, and what is heard before it is
// known where it goes. Bounded.
import type { NewEvent } from "../persist/driver.js";

const mostMessages = 4_096;
const mostOpeners = 256;

export class HeldMessages {
  readonly #openers = new Map<string, NewEvent>();
  #messages: { sessionId: string; event: NewEvent }[] = [];

  /** There are sessions whose first message is known and whose name is not. */
  get awaitsNames(): boolean {
    return this.#openers.size > 0;
  }

  opens(opener: string, event: NewEvent): void {
    if (this.#openers.size < mostOpeners) this.#openers.set(opener, event);
  }

  /** The request is answered; with a name it is the first message of that session, whatever came before the answer. */
  opened(opener: string, sessionId: string | undefined): void {
    const event = this.#openers.get(opener);
    this.#openers.delete(opener);
    if (event && sessionId !== undefined) this.#messages.unshift({ sessionId, event });
  }

  /** False: there are too many. */
  hold(sessionId: string, event: NewEvent): boolean {
    if (this.#messages.length >= mostMessages) return false;
    this.#messages.push({ sessionId, event });
    return true;
  }

  /** What was held of a session, in its order. */
  take(sessionId: string): NewEvent[] {
    if (this.#messages.length === 0) return [];
    const taken = this.#messages.filter((held) => held.sessionId === sessionId);
    if (taken.length > 0) this.#messages = this.#messages.filter((held) => held.sessionId !== sessionId);
    return taken.map(({ event }) => event);
  }

  keepOnly(isWanted: (sessionId: string) => boolean): void {
    this.#messages = this.#messages.filter(({ sessionId }) => isWanted(sessionId));
  }
}
