// An independent reader of a process's stream, uncut from its beginning: what a log has to be like.
import { expect } from "vitest";
import type { SessionLogEntry } from "../../src/index.js";
import type { NewEvent } from "../../src/persist/driver.js";
import { until } from "../waiting.js";

export type Seen = Pick<NewEvent, "from" | "eventId" | "nth" | "json">;

interface Message {
  id?: unknown;
  method?: string;
  params?: { sessionId?: string };
  result?: { sessionId?: string };
}

interface Access {
  baseUrl: string;
  token: string;
}

export class Witness {
  readonly seen: Seen[] = [];
  readonly #access: Access;
  readonly #serverId: string;
  readonly #end = new AbortController();
  readonly #reading: Promise<void>;

  /** Begins as soon as there is a process with this name. */
  constructor(access: Access, serverId: string) {
    this.#access = access;
    this.#serverId = serverId;
    this.#reading = this.#read().catch((error: unknown) => {
      if (!this.#end.signal.aborted) throw error;
    });
    this.#reading.catch(() => {}); // close() tells
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#reading;
  }

  /** The messages of one session, in both directions, from its session/new on. */
  ofSession(sessionId: string): Seen[] {
    const messages = this.seen.map(({ json }) => JSON.parse(json) as Message);
    const asked = { agent: new Map<string, boolean>(), client: new Map<string, boolean>() }; // by whom, which id, is it this session's?
    const isFirst = ({ id, method }: Message) =>
      method === "session/new" &&
      messages.some((answer) => answer.id === id && answer.method === undefined && answer.result?.sessionId === sessionId);
    let begun = false;
    return this.seen.filter(({ from }, index) => {
      if (from === "daemon") return begun;
      const message = messages[index]!;
      const { id, method, params } = message;
      if (method === undefined) return asked[from === "agent" ? "client" : "agent"].get(JSON.stringify(id)) ?? false;
      const isNew = from === "client" && isFirst(message);
      const isProcess = from === "agent" && params?.sessionId === undefined;
      begun ||= isNew || params?.sessionId === sessionId;
      const isOurs = isNew || params?.sessionId === sessionId || (isProcess && begun);
      if (id !== undefined) asked[from].set(JSON.stringify(id), isOurs);
      return isOurs;
    });
  }

  /** The log is what was seen, once all that is in the log was seen and all that was seen is in the log. */
  async expectSame(log: readonly SessionLogEntry[], sessionId: string): Promise<void> {
    const logged = ofProcess(log, 0);
    await until(() => this.ofSession(sessionId).length >= logged.length, "the witness to have seen the log").catch(() => {});
    expect(logged).toEqual(this.ofSession(sessionId));
  }

  /** The agent has answered this session's prompts as often as this. */
  async whenAnswered(sessionId: string, times = 1): Promise<void> {
    const answers = () => {
      const ours = this.ofSession(sessionId).map(({ from, json }) => ({ from, ...(JSON.parse(json) as Message) }));
      const prompts = new Set(ours.filter(({ method }) => method === "session/prompt").map(({ id }) => id));
      return ours.filter(({ from, id, method }) => from === "agent" && method === undefined && prompts.has(id)).length;
    };
    await until(() => answers() >= times, `answer ${times} of the agent`);
  }

  async #read(): Promise<void> {
    const response = await this.#open();
    let rest = "";
    let eventId = 0;
    let nth = 0;
    const decoder = new TextDecoder();
    for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
      const blocks = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
      rest = blocks.pop()!;
      for (const block of blocks) {
        const { event, id, data } = fieldsOf(block);
        if (data === undefined) continue;
        if (event === "message") [eventId, nth] = [Number(id), 0];
        else ++nth;
        this.seen.push({
          from: event === "message" ? "agent" : event === "client" ? "client" : "daemon",
          eventId,
          nth,
          json: data,
        });
      }
    }
  }

  async #open(): Promise<Response> {
    const url = `${this.#access.baseUrl}/v1/acp/${encodeURIComponent(this.#serverId)}?include=client`;
    const init = { headers: { authorization: `Bearer ${this.#access.token}` }, signal: this.#end.signal };
    let response = await fetch(url, init);
    const isThere = async () => response.ok || (response = await fetch(url, init)).ok;
    await until(isThere, `a process named ${this.#serverId}`, 20_000);
    return response;
  }
}

function fieldsOf(block: string): Record<string, string | undefined> {
  const lines = block.split("\n").filter((line) => !line.startsWith(":"));
  return Object.fromEntries(lines.map((line) => line.split(/: (.*)/s)));
}

/** What a log has of the first, second … process the session lived in, in the form the witness has it. */
export function ofProcess(log: readonly SessionLogEntry[], nth: number): Seen[] {
  const epoch = [...new Set(log.map((entry) => entry.epoch))][nth];
  return log
    .filter((entry) => entry.epoch === epoch)
    .map(({ from, eventId, nth: behind, json }) => ({ from, eventId, nth: behind, json }));
}
