// What all drivers refuse in the same words.
import { SandboxAgentError } from "../error_classes.js";

export function invalid(message: string): SandboxAgentError {
  return new SandboxAgentError(message, { code: "invalid_option" });
}

export function closed(): SandboxAgentError {
  return new SandboxAgentError("This store was closed.", { code: "persist_closed", hint: "Make a new driver." });
}
