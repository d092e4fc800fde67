export { SandboxAgentClient } from "./client/sandbox_agent_client.js";
