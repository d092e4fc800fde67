// Starts a daemon and an agent, and leaves without a word to either.
import { SandboxAgent } from "published-sandbox-agent";
import { local } from "published-sandbox-agent/local";

const client = await SandboxAgent.start({ sandbox: local({ log: "silent" }) });
const session = await client.createSession({ agent: "mock", cwd: process.env.COMPAT_PROJECT });
const { stopReason } = await session.prompt([{ type: "text", text: "hello" }]);
process.stdout.write(`${stopReason}\n`, () => process.exit(0));
