// JSON of the daemon.
import { SandboxAgentError } from "../errors.js";

/** The value, or "bad_answer": whoever said this is no daemon. */
export function parseJson(text: string, status = 200): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SandboxAgentError("The answer is not JSON.", { code: "bad_answer", status, cause });
  }
}
