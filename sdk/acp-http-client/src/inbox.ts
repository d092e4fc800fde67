// Messages for the official SDK, in order, until it pulls them. Bounded: who fills it waits until it is empty again.
import type { AnyMessage } from "@agentclientprotocol/sdk";

const most = 1024;

export class Inbox {
  readonly readable: ReadableStream<AnyMessage>;
  #messages: AnyMessage[] = [];
  #end: Error | undefined;
  #wake = () => {};
  #emptied = () => {};

  constructor(onCancel: () => void) {
    this.readable = new ReadableStream(
      { pull: (controller) => this.#pull(controller), cancel: onCancel },
      { highWaterMark: 0 },
    );
  }

  get isFull(): boolean {
    return this.#messages.length >= most;
  }

  put(message: AnyMessage): void {
    if (this.#end) return;
    this.#messages.push(message);
    this.#wake();
  }

  /** For who finds it full: resolves when it has been emptied, or has ended. */
  async room(): Promise<void> {
    if (!this.#end) await new Promise<void>((resolve) => (this.#emptied = resolve));
  }

  /** What is in it can still be pulled; then comes this error. */
  end(error: Error): void {
    this.#end ??= error;
    this.#wake();
    this.#emptied();
  }

  async #pull(controller: ReadableStreamDefaultController<AnyMessage>): Promise<void> {
    while (this.#messages.length === 0 && !this.#end) await new Promise<void>((resolve) => (this.#wake = resolve));
    const message = this.#messages.shift();
    if (message) controller.enqueue(message);
    else controller.error(this.#end);
    if (this.#messages.length === 0) this.#emptied();
  }
}
