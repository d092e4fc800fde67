// The uploads of this page, one after the other. They go on when the screen is left; what needs an answer or failed is there when it is
// shown again. Made once per page.
import { useEffect, useRef, useState } from "preact/hooks";
import { counted } from "../state/file_paths.js";
import type { Problem } from "../state/problem.js";
import { sizeWords } from "../state/size_words.js";
import type { App } from "./app.js";
import { bytesIn, namesOf, upload, type UploadItem } from "./file_upload.js";
import { problemOf } from "./problem.js";

export interface Upload {
  readonly key: number;
  readonly folder: string;
  readonly items: readonly UploadItem[];
  readonly what: string;
  /** "asking": some names are there already. */
  readonly state: "looking" | "asking" | "waiting" | "sending" | "failed";
  readonly taken: readonly string[];
  readonly problem?: Problem;
}

/** What became of one; "stopped": some of it may be there. */
export type UploadEnd = "done" | "stopped" | "failed";
type Listener = (ended?: Upload, how?: UploadEnd) => void;

const kept = new WeakMap<App, FileUploads>();

/** The uploads, and what they are now. `onEnd`: while the screen is shown. */
export function useUploads(app: App, onEnd: (upload: Upload, how: UploadEnd) => void): FileUploads {
  const uploads = kept.get(app) ?? new FileUploads(() => app.daemon);
  kept.set(app, uploads);
  const [, draw] = useState({});
  const latest = useRef(onEnd);
  latest.current = onEnd;
  useEffect(
    () =>
      uploads.subscribe((ended, how) => {
        draw({});
        if (ended && how) latest.current(ended, how);
      }),
    [uploads],
  );
  return uploads;
}

export class FileUploads {
  all: readonly Upload[] = [];
  readonly #daemon: () => App["daemon"];
  readonly #listeners = new Set<Listener>();
  readonly #stops = new Map<number, AbortController>();
  #running = Promise.resolve();
  #keys = 0;

  constructor(daemon: () => App["daemon"]) {
    this.#daemon = daemon;
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Sends them when nothing would be replaced; else there is a question first. */
  async begin(folder: string, items: readonly UploadItem[]): Promise<void> {
    if (items.length === 0) return;
    const own: Upload = { key: ++this.#keys, folder, items, what: whatOf(items), state: "looking", taken: [] };
    this.#set([...this.all, own]);
    try {
      const there = new Set((await this.#daemon().fs.list(folder)).map(({ name }) => name));
      const taken = namesOf(items).filter((name) => there.has(name));
      if (taken.length === 0) return this.#send(own, false);
      this.#change(own.key, { state: "asking", taken });
    } catch (error) {
      this.#change(own.key, { state: "failed", problem: problemOf(error) });
    }
  }

  /** The answer to its question. */
  replace(own: Upload): void {
    this.#send(own, true);
  }

  /** Only what is not there already. */
  skip(own: Upload): void {
    const items = othersOf(own);
    this.#send({ ...own, items, what: whatOf(items) }, false);
  }

  retry(own: Upload): void {
    this.drop(own);
    void this.begin(own.folder, own.items);
  }

  /** Calls it off, or forgets that it failed. */
  drop({ key }: Upload): void {
    if (this.all.some((upload) => upload.key === key && upload.state === "sending")) this.#stops.get(key)?.abort();
    else this.#set(this.all.filter((upload) => upload.key !== key));
  }

  #send(own: Upload, mayReplace: boolean): void {
    this.#change(own.key, { ...own, state: "waiting" });
    this.#running = this.#running.then(() => this.#sendNow(own, mayReplace));
  }

  async #sendNow(own: Upload, mayReplace: boolean): Promise<void> {
    const { key, folder, items } = own;
    if (!this.all.some((upload) => upload.key === key)) return; // it was called off
    const stop = new AbortController();
    this.#stops.set(key, stop);
    this.#change(key, { state: "sending" });
    let how: UploadEnd = "done";
    let problem: Problem | undefined;
    try {
      await upload(this.#daemon(), folder, items, { mayReplace, signal: stop.signal });
    } catch (error) {
      how = stop.signal.aborted ? "stopped" : "failed";
      problem = problemOf(error);
    }
    this.#stops.delete(key);
    if (how === "failed" && problem) this.#change(key, { state: "failed", problem });
    else this.#set(this.all.filter((upload) => upload.key !== key));
    for (const listener of [...this.#listeners]) listener(own, how);
  }

  #change(key: number, change: Partial<Upload>): void {
    this.#set(this.all.map((upload) => (upload.key === key ? { ...upload, ...change } : upload)));
  }

  #set(all: readonly Upload[]): void {
    this.all = all;
    // Whoever closes the page while something is sent is asked.
    if (all.some(({ state }) => state === "waiting" || state === "sending")) window.addEventListener("beforeunload", hold);
    else window.removeEventListener("beforeunload", hold);
    for (const listener of [...this.#listeners]) listener();
  }
}

const hold = (event: Event) => event.preventDefault();

const whatOf = (items: readonly UploadItem[]) =>
  items.length === 1 ? items[0]!.path : `${counted(namesOf(items).length, "item")}, ${sizeWords(bytesIn(items))}`;

/** Those of its items whose names are not taken. */
export const othersOf = ({ items, taken }: Upload): UploadItem[] =>
  items.filter(({ path }) => !taken.includes(path.split("/")[0]!));
