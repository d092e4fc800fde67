// What a daemon writes (Node): always read, so that it never blocks; the end of it is kept for error messages.
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { SandboxAgentSpawnOptions } from "./options.js";

const longestTail = 8192; // characters

/** Calls `tell` with every line, without its end. The last one may lack it. */
export function forEachLine(source: Readable, tell: (line: string) => void): void {
  createInterface({ input: source }).on("line", tell);
}

/** The daemon's stderr: passed on as `log` says, its end kept. */
export class ErrorOutput {
  #tail = "";

  constructor(source: Readable, log: SandboxAgentSpawnOptions["log"]) {
    forEachLine(source, (line) => {
      this.#tail = `${this.#tail}${line}\n`.slice(-longestTail);
      if (log === "inherit") process.stderr.write(`${line}\n`);
      else if (typeof log === "function") log(line);
    });
  }

  get tail(): string {
    return this.#tail.trimEnd();
  }

  /** The part of "error: …" and "try: …" that say why it did not start, if it wrote so. */
  get words(): { what?: string; remedy?: string } {
    return { what: /^error: (.*)$/m.exec(this.#tail)?.[1], remedy: /^ +try: (.*)$/m.exec(this.#tail)?.[1] };
  }
}
