import { SandboxAgent } from "sandbox-agent";
import { run } from "./run.mjs";

await run(async (access) => {
  const agent = await SandboxAgent.connect(access);
  const session = await agent.createSession({ agent: "mock", cwd: "/" });
  const turn = async (words) => {
    let read = 0;
    for await (const event of session.prompt(words)) if (event.type === "text") ++read;
    return read;
  };
  return { turn, end: () => agent.dispose() };
});
