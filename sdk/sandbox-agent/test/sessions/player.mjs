// Another process, with the built package: makes a session with a store, begins a turn, and kills itself at the point it was told.
import { SandboxAgent } from "../../dist/index.js";
import { openStore } from "./store.mjs";

const { access, storeFile, id, serverId, agent = "mock", cwd = "/", words, point } = JSON.parse(process.argv[2]);

function at(name) {
  if (name !== point) return;
  process.kill(process.pid, "SIGKILL");
  for (;;); // not one step further
}

const methodOf = (body) => (typeof body === "string" ? JSON.parse(body).method : undefined);
const isAnswer = ({ from, json }) => from === "agent" && JSON.parse(json).result?.stopReason !== undefined;

async function watchedFetch(input, init) {
  const method = methodOf(init?.body);
  if (method) at(`${method} is about to be posted`);
  const response = await fetch(input, init);
  if (method) at(`${method} was posted`);
  return response;
}

// The answer of the turn is stored after the turn's answer has arrived, and before `await turn` returns.
function watched(store) {
  const append = store.appendEvents.bind(store);
  store.appendEvents = async (session, batch) => {
    const hasAnswer = batch.events.some(isAnswer);
    if (hasAnswer) at("the answer is about to be stored");
    const done = await append(session, batch);
    if (hasAnswer) at("the answer was stored");
    return done;
  };
  return store;
}

const sandbox = await SandboxAgent.connect({ ...access, fetch: watchedFetch, persist: watched(openStore(storeFile)) });
const session = await sandbox.createSession({ agent, cwd, id, ...(serverId && { serverId }) });
at("the session was made");
const turn = session.prompt(words);
at("the prompt was called");
let texts = 0;
for await (const event of turn) {
  if (event.type === "text") at(`text ${++texts}`);
  if (event.type === "tool") at(`tool ${event.status}`);
  if (event.type === "question") at("question");
  if (event.type === "permission") {
    at("permission");
    await event.allow();
    at("the permission was answered");
  }
}
await turn;
at("idle");
await sandbox.dispose();
process.exitCode = 3;
