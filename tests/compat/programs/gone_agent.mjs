// Prompts an agent that dies during the turn. 0.4.2 does not reject the call: the failure escapes and ends the program.
import { SandboxAgent } from "published-sandbox-agent";

const client = await SandboxAgent.connect({ baseUrl: process.env.COMPAT_URL, token: process.env.SANDBOX_AGENT_TOKEN });
const session = await client.createSession({ agent: "mock", cwd: process.env.COMPAT_PROJECT });
await session.prompt([{ type: "text", text: "hello" }]);
process.stdout.write("asked\n");
await session.prompt([{ type: "text", text: "/crash 3" }]);
process.stdout.write("answered\n");
