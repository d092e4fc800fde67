// Work that an agent may refuse until its user has signed in.
import type { Agents } from "../agents.js";
import type { SandboxAgentClient } from "./sandbox_agent_client.js";

/** Does the work; when the agent first wants its user to sign in and there is a key for it, signs in and does it again. */
export async function signedIn<T>(client: SandboxAgentClient, agents: Agents, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if ((error as { code?: string }).code !== "agent_auth_required") throw error;
    const { signIn } = await import("./sign_in.js");
    await signIn(client, agents, error);
    return work();
  }
}
