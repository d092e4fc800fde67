import { SandboxAgent } from "published-sandbox-agent";
import { run } from "./run.mjs";

await run(async (access) => {
  const agent = await SandboxAgent.connect(access);
  const session = await agent.createSession({ agent: "mock", cwd: "/" });
  let read = 0;
  let wanted = Infinity;
  let done = () => {};
  session.onEvent(({ payload }) => {
    if (payload.params?.update?.sessionUpdate === "agent_message_chunk" && ++read >= wanted) done();
  });
  const turn = async (text) => {
    read = 0;
    wanted = Number(text.match(/flood (\d+)/)?.[1] ?? 1);
    const complete = new Promise((resolve) => (done = resolve)); // its turns settle before their events have come
    await session.prompt([{ type: "text", text }]);
    await complete;
    return read;
  };
  return { turn, end: () => agent.dispose() };
});
