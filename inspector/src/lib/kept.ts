// What the browser keeps over reloads. A browser that keeps nothing (private windows, blocked storage) only forgets.
import type { KeptComposers } from "../state/kept_composers.js";
import type { SessionNote } from "../state/session_list.js";
import type { Theme } from "../state/app.js";
import { randomHex } from "./random_hex.js";

const prefix = "sandbox-agent.";
export const notesKey = `${prefix}notes`;

interface Shapes {
  notes: SessionNote[];
  last: { agent: string; cwd: string };
  folders: string[];
  composers: KeptComposers;
  theme: Theme; // also read by boot.js, before anything else
  letters: boolean;
  side: boolean;
  notify: boolean;
}

export function kept<K extends keyof Shapes>(name: K): Shapes[K] | undefined {
  try {
    const text = localStorage.getItem(prefix + name);
    if (text === null) return undefined;
    return name === "theme" ? (text as Shapes[K]) : (JSON.parse(text) as Shapes[K]);
  } catch {
    return undefined;
  }
}

export function keep<K extends keyof Shapes>(name: K, value: Shapes[K]): void {
  try {
    localStorage.setItem(prefix + name, typeof value === "string" ? value : JSON.stringify(value));
  } catch {
    // full or forbidden
  }
}

let tab: string | undefined;

/** The name of this tab, over reloads. While the page is there, its storage has none: a duplicate of the tab gets a copy of that. */
export function tabName(): string {
  if (tab) return tab;
  const name = `${prefix}tab`;
  const fresh = randomHex(8);
  try {
    tab = sessionStorage.getItem(name) ?? fresh;
    const take = () => sessionStorage.removeItem(name);
    take();
    addEventListener("pagehide", () => sessionStorage.setItem(name, tab!));
    addEventListener("pageshow", take); // this page again, as it was left
  } catch {
    // forbidden
  }
  return (tab ??= fresh);
}
