// An application in a page: it talks to an agent, shows what it says, and survives being loaded anew.
import { SandboxAgent, SandboxAgentError, type Session, type Turn, type TurnEvent } from "sandbox-agent";

let agent: SandboxAgent;
let session: Session;

/** What a reader of a turn saw, and how the turn ended. */
interface Seen {
  types: string[];
  ids: number[];
  texts: string[];
  text: string;
  stopReason: string;
}

/** Whether a turn runs already. */
export async function connect(baseUrl: string, token: string): Promise<boolean> {
  agent = await SandboxAgent.connect({ baseUrl, token });
  const kept = sessionStorage.getItem("session");
  session = kept ? await agent.attachSession(JSON.parse(kept)) : await agent.createSession({ agent: "mock", cwd: "/" });
  return session.turn !== undefined;
}

export async function disconnect(): Promise<void> {
  await agent.dispose();
}

/** A whole turn. `cancelAt`: the event at which it is cancelled, counted from 1. */
export async function ask(prompt: string, cancelAt = 0): Promise<Seen> {
  const turn = session.prompt(prompt);
  return read(turn, (_, count) => (count === cancelAt ? turn.cancel() : undefined));
}

let reading: Promise<Seen> | undefined;

/** Begins a turn and resolves at its event number `count`; the page reads on and keeps its handle where a reload leaves it. */
export async function begin(prompt: string, count: number): Promise<void> {
  await new Promise<void>((reached) => {
    const keep = async (_: TurnEvent, at: number) => {
      sessionStorage.setItem("session", JSON.stringify(session.handle));
      if (at === count) reached();
    };
    reading = read(session.prompt(prompt), keep);
    reading.catch(() => {});
  });
}

/** The turn that begin() began; in a page that was loaded anew, the same turn from its first event on. */
export async function goOn(): Promise<Seen> {
  if (reading) return reading;
  if (!session.turn) throw new Error("no turn runs");
  return read(session.turn);
}

async function read(turn: Turn, look?: (event: TurnEvent, count: number) => Promise<void> | undefined): Promise<Seen> {
  const seen: TurnEvent[] = [];
  for await (const event of turn) {
    seen.push(event);
    if (event.type === "permission") await event.allow();
    await look?.(event, seen.length);
  }
  const { text, stopReason } = await turn;
  const texts = seen.flatMap((event) => (event.type === "text" ? [event.text] : []));
  return { types: seen.map(({ type }) => type), ids: seen.map(({ raw }) => raw.id), texts, text, stopReason };
}

export async function startDaemon(): Promise<{ code: string; hint: string | undefined }> {
  try {
    await SandboxAgent.start();
  } catch (error) {
    if (error instanceof SandboxAgentError) return { code: error.code, hint: error.hint };
    throw error;
  }
  throw new Error("a page started a process");
}

/** Sends `size` bytes as a stream and gets them back as one; how many of them are as they were. */
export async function sendAndFetch(path: string, size: number): Promise<{ written: number; same: number; part: string }> {
  const byteAt = (at: number) => (at * 7) % 251;
  const piece = 65536;
  let sent = 0;
  const content = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent === size) return controller.close();
      const length = Math.min(piece, size - sent);
      controller.enqueue(Uint8Array.from({ length }, (_, at) => byteAt(sent + at)));
      sent += length;
    },
  });
  const { bytesWritten, etag } = await agent.fs.writeFile(path, content);
  let at = 0;
  let same = 0;
  const reader = (await agent.fs.readStream(path)).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    for (const byte of next.value) if (byte === byteAt(at++)) same++;
  }
  await agent.fs.writeFile(path, "all new", { ifMatch: etag });
  return { written: bytesWritten, same, part: await agent.fs.readText(path, { range: { offset: 4 } }) };
}
