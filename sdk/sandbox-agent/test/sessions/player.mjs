// Another process, with the built package: makes sessions with a store, begins a turn in each, and kills itself: with one part
// exactly at the point it was told, with several when all are at theirs.
import { SandboxAgent } from "../../dist/index.js";
import { openStore } from "./store.mjs";

const { access, storeFile, parts } = JSON.parse(process.argv[2]);
let missing = parts.length;

async function at(name, { point }) {
  if (name !== point) return;
  if (--missing === 0) {
    process.kill(process.pid, "SIGKILL");
    for (;;); // not one step further
  }
  await new Promise(() => {});
}

const methodOf = (body) => (typeof body === "string" ? JSON.parse(body).method : undefined);
const isAnswer = ({ from, json }) => from === "agent" && JSON.parse(json).result?.stopReason !== undefined;

const watchedFetch = (part) => async (input, init) => {
  const method = methodOf(init?.body);
  if (method) await at(`${method} is about to be posted`, part);
  const response = await fetch(input, init);
  if (method) await at(`${method} was posted`, part);
  return response;
};

// The answer of the turn is stored after the turn's answer has arrived, and before `await turn` returns.
async function watchedStore(part) {
  const store = await openStore(storeFile);
  const append = store.appendEvents.bind(store);
  store.appendEvents = async (session, batch) => {
    const hasAnswer = batch.events.some(isAnswer);
    if (hasAnswer) await at("the answer is about to be stored", part);
    const done = await append(session, batch);
    if (hasAnswer) await at("the answer was stored", part);
    return done;
  };
  return store;
}

async function play(part) {
  const { id, serverId, agent = "mock", cwd = "/", words, restores } = part;
  const sandbox = await SandboxAgent.connect({ ...access, fetch: watchedFetch(part), persist: await watchedStore(part) });
  const make = () => sandbox.createSession({ agent, cwd, id, ...(serverId && { serverId }) });
  const session = await (restores ? sandbox.restoreSession({ id }) : make());
  await at("the session was made", part);
  const turn = (restores && session.turn) || session.prompt(words);
  await at("the prompt was called", part);
  let texts = 0;
  for await (const event of turn) {
    if (event.type === "text") await at(`text ${++texts}`, part);
    if (event.type === "tool") await at(`tool ${event.status}`, part);
    if (event.type === "question") await at("question", part);
    if (event.type === "permission") {
      await at("permission", part);
      await event.allow();
      await at("the permission was answered", part);
    }
  }
  await turn;
  await at("idle", part);
  throw new Error(`it never came to "${part.point}"`);
}

setInterval(() => {}, 1_000); // while parts wait for each other
for (const part of parts) {
  play(part).catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(3);
  });
}
