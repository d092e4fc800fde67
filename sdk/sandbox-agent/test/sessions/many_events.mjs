// In a process of its own, with the built package: records a turn of so many updates, or restores it and reads its log.
// Prints what it took. Its heap is small (many_events.test.ts): who keeps everything does not come far.
import { SandboxAgent } from "../../dist/index.js";
import { openStore } from "./store.mjs";

const { access, storeFile, id, count, work } = JSON.parse(process.argv[2]);
const store = await openStore(storeFile);
const sandbox = await SandboxAgent.connect({ ...access, persist: store });

let most = 0;
const before = process.memoryUsage.rss();
const watching = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
const begun = performance.now();
const ms = () => Math.round(performance.now() - begun);

async function record() {
  const session = await sandbox.createSession({ agent: "mock", cwd: "/", id });
  const { text } = await session.prompt(`/flood ${count}`);
  return { chars: text.length, recordedMs: ms() };
}

async function restore() {
  const session = await sandbox.restoreSession({ id });
  const restoredMs = ms();
  const page = await session.history({ offset: Math.floor(count / 2), limit: 100 });
  const pageMs = ms() - restoredMs;
  let tokens = 0;
  let entries = 0;
  let inOrder = true;
  for await (const { index, message } of session.log()) {
    inOrder &&= index === entries++;
    const text = message.params?.update?.content?.text;
    if (text?.startsWith("token ")) inOrder &&= text === `token ${++tokens} `;
  }
  const readMs = ms() - restoredMs - pageMs;
  const { restored } = session;
  await sandbox.dispose();
  return { restored, restoredMs, pageMs, page: page.events.length, total: page.total, tokens, entries, inOrder, readMs };
}

const told = await { record, restore }[work]();
clearInterval(watching);
const grownMb = Math.round((most - before) / 1024 / 1024);
process.stdout.write(JSON.stringify({ ...told, grownMb }), () => process.exit(0)); // without dispose(): the agent's process goes on
