// Another process, with the built package: attaches to the session whose handle it was given, reads the turn, says what it saw.
import { SandboxAgent } from "../dist/index.js";

const [access, handle] = process.argv.slice(2).map((word) => JSON.parse(word));
const agent = await SandboxAgent.connect(access);
const { turn } = await agent.attachSession(handle);
let read = "";
for await (const event of turn) if (event.type === "text") read += event.text;
const { text, stopReason } = await turn;
await agent.dispose();
process.stdout.write(JSON.stringify({ read, text, stopReason }));
