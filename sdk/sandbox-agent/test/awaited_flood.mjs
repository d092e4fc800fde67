// In a process of its own, with the built package: how much a flood keeps in memory while it is only awaited.
import { SandboxAgent } from "../dist/index.js";

const agent = await SandboxAgent.connect(JSON.parse(process.argv[2]));
const session = await agent.createSession({ agent: "mock", cwd: "/" });
await session.prompt("/flood 2000");
globalThis.gc();
const before = process.memoryUsage().heapUsed;
let most = 0;
let count = 0;
const turn = session.prompt("/flood 30000");
const done = turn.then(({ text }) => (count = text.split("token").length - 1));
while (count === 0) {
  await new Promise((resolve) => setTimeout(resolve, 50));
  globalThis.gc();
  most = Math.max(most, process.memoryUsage().heapUsed - before);
}
await done;
await agent.dispose();
process.stdout.write(JSON.stringify({ keptBytes: most, count }));
