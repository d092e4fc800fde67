// Signing in to an agent with the key it already has: some agents take a key from their environment only when told so.
import type { Agents } from "../agents.js";
import { SandboxAgentError } from "../errors.js";
import type { SandboxAgentClient } from "./sandbox_agent_client.js";

interface KeyMethod {
  id: string;
  type?: string;
  vars?: { name?: string }[];
}

/** Does the work; when the agent first wants its user to sign in and there is a key for it, signs in and does it again. */
export async function signedIn<T>(client: SandboxAgentClient, agents: Agents, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const method =
      error instanceof SandboxAgentError && error.code === "agent_auth_required" ? await keyMethod(client, agents) : undefined;
    if (method === undefined) throw error;
    await client.authenticate({ methodId: method });
    return work();
  }
}

async function keyMethod(client: SandboxAgentClient, agents: Agents): Promise<string | undefined> {
  const methods = (client.authMethods as KeyMethod[]).filter(({ type }) => type === "env_var");
  if (methods.length === 0) return undefined;
  const { credentials, credentialsPlace } = await agents.get(client.agent);
  if (credentials !== "found") return undefined;
  return methods.find(({ vars }) => vars?.some(({ name }) => name === credentialsPlace))?.id;
}
