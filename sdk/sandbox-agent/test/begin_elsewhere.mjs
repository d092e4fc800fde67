// Another process, with the built package: begins a turn, says the session's handle when the wanted event is there, and then
// waits to be killed in the middle of it, as a page is when it is loaded anew.
import { SandboxAgent } from "../dist/index.js";

const [access, words, wanted] = process.argv.slice(2);
const agent = await SandboxAgent.connect(JSON.parse(access));
const session = await agent.createSession({ agent: "mock", cwd: "/" });
for await (const event of session.prompt(words)) {
  if (event.type !== wanted) continue;
  process.stdout.write(`${JSON.stringify(session.handle)}\n`);
  await new Promise(() => setInterval(() => {}, 1_000));
}
