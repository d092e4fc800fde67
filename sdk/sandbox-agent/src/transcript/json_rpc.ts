// Ids of JSON-RPC, which each side counts for itself.
import { jsonOf } from "./json.js";

/** The id as far as it can be one. */
export function idOf(id: unknown): string | number | null {
  return typeof id === "string" || (typeof id === "number" && Number.isFinite(id)) ? id : null;
}

/** Tells ids apart: 1 is not "1". */
export function keyOf(id: unknown): string {
  return typeof id === "string" ? `"${id}` : typeof id === "number" ? String(id) : jsonOf(id);
}
