// An application in a page that keeps its sessions in IndexedDB, and goes on with them when it is loaded anew.
import { SandboxAgent, type Session } from "sandbox-agent";
import { IndexedDbSessionPersistDriver } from "sandbox-agent/persist/indexeddb";
import { toTranscript } from "sandbox-agent/transcript";

const persist = new IndexedDbSessionPersistDriver({ databaseName: "application" });
let agent: SandboxAgent;
let session: Session;

/** How the session came back; undefined: it is a new one. */
export async function open(baseUrl: string, token: string): Promise<string | undefined> {
  agent = await SandboxAgent.connect({ baseUrl, token, persist });
  const isKept = (await persist.getSession("the only one")) !== undefined;
  session = isKept
    ? await agent.restoreSession({ id: "the only one" })
    : await agent.createSession({ agent: "mock", cwd: "/", id: "the only one" });
  return session.restored;
}

/** Begins a turn and resolves at its first text or question; the page holds on to the turn, but reads no further. */
export async function begin(prompt: string): Promise<void> {
  const events = session.prompt(prompt)[Symbol.asyncIterator]();
  for (let type: string | undefined; type !== "text" && type !== "permission";) type = (await events.next()).value?.type;
}

/** The turn that a page before began. */
export async function goOn(): Promise<{ texts: string[]; stopReason: string }> {
  const { turn } = session;
  if (!turn) throw new Error("no turn runs");
  const texts: string[] = [];
  for await (const event of turn) {
    if (event.type === "text") texts.push(event.text);
    if (event.type === "permission") await event.allow();
  }
  return { texts, stopReason: (await turn).stopReason };
}

export async function ask(prompt: string): Promise<string> {
  return (await session.prompt(prompt)).text;
}

/** The log's places, and what the assistant said according to the transcript. */
export async function history(): Promise<{ places: string[]; said: string }> {
  const { events } = await session.history({ limit: 10_000 });
  const said = toTranscript(events).flatMap(({ type, data }) =>
    type === "item.completed" && data.item.role === "assistant" ? data.item.content : [],
  );
  return {
    places: events.map(({ eventId, nth }) => `${eventId}.${nth}`),
    said: said.map((part) => (part.type === "text" ? part.text : "")).join(""),
  };
}

export async function dispose(): Promise<void> {
  await agent.dispose();
}
