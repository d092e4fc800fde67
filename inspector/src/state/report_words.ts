// Numbers of the daemon in words: times, and limits, whose names say what they count.
import { sizeWords } from "./size_words.js";

export function timeWords(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  if (ms > 0 && ms < 1_000) return `${ms} ms`;
  if (ms < 10_000 && ms % 1_000 !== 0) return `${(ms / 1_000).toFixed(1)} s`;
  const parts = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3_600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return "0 s";
  const shown = parts.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(" ");
}

/** `ringBytes`, `heartbeatMs`, `maxConnections`; 0 is no limit. */
export function limitWords(name: string, value: number): string {
  if (value === 0) return "none";
  if (name.endsWith("Ms")) return timeWords(value);
  return name.endsWith("Bytes") ? sizeWords(value) : countWords(value);
}

export const countWords = (value: number) => value.toLocaleString("en");

/** The flag that sets a limit: `ringBytes` → `--ring-bytes`. */
export const flagOf = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
