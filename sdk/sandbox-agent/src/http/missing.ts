// "There is none" as an answer.
import { SandboxAgentError } from "../errors.js";

/** For catch(): undefined when the daemon says that there is no such thing; every other failure stays one. */
export function undefinedWhenMissing(cause: unknown): undefined {
  if (cause instanceof SandboxAgentError && cause.code === "not_found" && cause.problem?.resource !== "route") return undefined;
  throw cause;
}
