// Signing in to an agent with the key it already has: some agents take a key from their environment only when told so. Loaded when
// an agent wants its user to sign in: most never do.
import type { Agents } from "../agents.js";
import type { SandboxAgentClient } from "./sandbox_agent_client.js";

interface KeyMethod {
  id: string;
  type?: string;
  vars?: { name?: string }[];
}

/** Signs in. Rejects with `error` if there is no key for it. */
export async function signIn(client: SandboxAgentClient, agents: Agents, error: unknown): Promise<void> {
  const methodId = await keyMethod(client, agents);
  if (methodId === undefined) throw error;
  await client.authenticate({ methodId });
}

async function keyMethod(client: SandboxAgentClient, agents: Agents): Promise<string | undefined> {
  const methods = (client.authMethods as KeyMethod[]).filter(({ type }) => type === "env_var");
  if (methods.length === 0) return undefined;
  const { credentials, credentialsPlace } = await agents.get(client.agent);
  if (credentials !== "found") return undefined;
  return methods.find(({ vars }) => vars?.some(({ name }) => name === credentialsPlace))?.id;
}
