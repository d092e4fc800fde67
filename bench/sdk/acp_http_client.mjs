import { client } from "@agentclientprotocol/sdk";
import { AcpHttpClient } from "acp-http-client";
import { run } from "./run.mjs";

await run(async (access) => {
  let read = 0;
  const app = client().onNotification("session/update", ({ params }) => {
    if (params.update.sessionUpdate === "agent_message_chunk") ++read;
  });
  const connection = new AcpHttpClient({ ...access, firstQuery: { agent: "mock" }, app });
  await connection.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await connection.request("session/new", { cwd: "/", mcpServers: [] });
  const turn = async (text) => {
    read = 0;
    await connection.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
    return read;
  };
  return { turn, end: () => connection.close() };
});
