// Opens a session with an agent that does not exist. 0.4.2 does not reject the call: the failure escapes and ends the program.
import { SandboxAgent } from "published-sandbox-agent";

const client = await SandboxAgent.connect({ baseUrl: process.env.COMPAT_URL, token: process.env.SANDBOX_AGENT_TOKEN });
await client.listAgents();
process.stdout.write("asked\n");
await client.createSession({ agent: "nobody", cwd: process.env.COMPAT_PROJECT });
process.stdout.write("answered\n");
