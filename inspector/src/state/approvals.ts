// What is allowed without asking, per session; nothing, unless the user says so.
import type { Ask } from "./blocks.js";

export type Approvals = "ask" | "reads" | "all";

export const approvalWords: readonly (readonly [Approvals, string])[] = [
  ["ask", "ask me"],
  ["reads", "allow reads"],
  ["all", "allow all"],
];

const readKinds = new Set(["read", "search"]);

/** The option to choose without asking; undefined: the user is asked. */
export function approvedOption(approvals: Approvals, ask: Ask): string | undefined {
  if (approvals === "ask" || ask.kind !== "permission" || ask.closing) return undefined;
  const [call] = ask.tool?.content ?? [];
  const isRead = call?.type === "tool_call" && readKinds.has(call.tool_kind ?? "");
  if (approvals === "reads" && !isRead) return undefined;
  const allowing = ask.options.filter(({ kind }) => kind.startsWith("allow"));
  return (allowing.find(({ kind }) => kind === "allow_once") ?? allowing[0])?.option_id;
}
