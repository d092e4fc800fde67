// Whatever failed at an agent, as what is shown: the daemon's or the agent's own sentence, what to do, what was written.
import { AcpHttpError } from "acp-http-client";
import { SandboxAgentError } from "sandbox-agent/daemon";
import { soundsOffline, type InstallFailure } from "../state/agent_install.js";
import { fieldsOf, textOf } from "../state/json_rpc.js";
import { AgentRefusal } from "./instance_link.js";

// Their hints are for programs; the sentence itself says what to do.
const tellsItself = new Set(["install_failed", "conflict", "agent_process_exited"]);

export function failureOf(error: unknown): InstallFailure {
  if (error instanceof AgentRefusal) {
    const code = error.code === undefined ? "" : ` (${error.code})`;
    return { message: `The agent refused: ${error.message}${code}`, isOffline: false };
  }
  const problem = fieldsOf(error instanceof AcpHttpError || error instanceof SandboxAgentError ? error.problem : undefined);
  const said = error instanceof Error ? error.message : String(error);
  const [cause, stderr, command] = [textOf(problem["cause"]), textOf(problem["stderr"]), textOf(problem["command"])];
  const isNew = cause !== undefined && !said.includes(cause);
  const hint = error instanceof SandboxAgentError && !tellsItself.has(error.code) ? error.hint : undefined;
  return {
    message: isNew ? `${said} ${cause}` : said,
    isOffline: soundsOffline(said, cause, stderr),
    ...(hint !== undefined && { hint }),
    ...(command !== undefined && { command }),
    ...(stderr !== undefined && stderr.trim() !== "" && { stderr }),
  };
}
