// How the Trace spells times and directions.
import type { TraceRow } from "../../state/trace.js";

/** "14:03:07.042", in the reader's own time. */
export function timeText(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
  return `${clock}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

/** "0 ms", "850 ms", "1.2 s", "3 min 5 s", "2 h 4 min". */
export function durationText(ms: number): string {
  const rounded = Math.max(0, Math.round(ms));
  if (rounded < 1000) return `${rounded} ms`;
  if (rounded < 60_000) return `${(Math.floor(rounded / 100) / 10).toFixed(1)} s`;
  const seconds = Math.floor(rounded / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** An arrow and a word: where the message went. */
export function directionOf({ entry }: TraceRow): { arrow: string; word: string } {
  return entry.from === "client" ? { arrow: "→", word: "agent" } : { arrow: "←", word: "agent" };
}

/** What the column of methods says. */
export function methodText({ kind, method }: TraceRow): string {
  if (kind === "answer") return `${method ?? "?"} ✓`;
  if (kind === "error") return `${method ?? "?"} ✗ error`;
  if (kind === "invalid") return "not JSON-RPC";
  return method ?? "";
}
