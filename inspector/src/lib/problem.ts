// What went wrong, in the daemon's words.
import type { SandboxAgentError } from "sandbox-agent/daemon";
import type { Problem } from "../state/problem.js";

export function problemOf(error: unknown): Problem {
  const { message, hint } = error as SandboxAgentError;
  return { message, ...(hint !== undefined && { hint }) };
}
