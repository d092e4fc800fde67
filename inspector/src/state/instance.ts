// One agent process as the page knows it: its log, its sessions, and what the agent said of itself. Fed entry by entry.
import { SessionFilter } from "sandbox-agent/daemon";
import { Conversation } from "./conversation.js";
import { fieldsOf, keyOf, listOf, textOf, type Fields } from "./json_rpc.js";
import { InstanceLog, type LogBounds, type LogEntry } from "./log.js";
import type { Offer } from "./settings.js";

export interface AuthMethod {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
}

/** What the agent answered to `initialize`, and who asked. */
export interface Introduction {
  readonly client?: string;
  readonly agentName?: string;
  readonly agentVersion?: string;
  readonly canLoad: boolean;
  readonly prompts: { readonly image: boolean; readonly embeddedContext: boolean };
  readonly authMethods: readonly AuthMethod[];
}

/** What is remembered of a session and its agent. */
export interface Remembered {
  readonly cwd: string;
  readonly offer?: Offer;
  readonly introduction?: Introduction;
}

const beginnings = new Set<unknown>(["session/load", "session/resume"]);

export class InstanceView {
  readonly log: InstanceLog;
  readonly sessions = new Map<string, Conversation>();
  introduction: Introduction | undefined;
  /** Its process is ended by the user of this page. */
  isEndedHere = false;
  readonly #filter = new SessionFilter();
  readonly #openers = new Map<string, LogEntry>(); // requests that begin a session, until it has a name
  readonly #askedAll = new Set<string>(); // requests of the agent that name no session, without an answer
  #initialize: { key: string; client: string | undefined } | undefined;
  #gap: LogEntry | undefined; // the last one
  #forgotten = 0; // entries that the log dropped

  constructor(
    readonly serverId: string,
    bounds?: LogBounds,
    readonly remembered: (sessionId: string) => Remembered | undefined = () => undefined,
  ) {
    this.log = new InstanceLog(bounds);
  }

  get version(): number {
    return this.log.version;
  }

  /** The session that was made last. */
  get latest(): Conversation | undefined {
    return [...this.sessions.values()].at(-1);
  }

  hear(entry: LogEntry): void {
    if (this.log.dropped !== this.#forgotten) {
      this.#forgotten = this.log.dropped;
      for (const session of this.sessions.values()) session.forget(this.#forgotten);
    }
    const { from, message } = entry;
    if (from === "daemon") {
      this.#gap = entry;
      return this.#tellAll(entry);
    }
    const fields = fieldsOf(message);
    this.#handshake(from, fields);
    const owner = this.#filter.ownerOf(from, message);
    if (owner === "all") {
      if (fields["id"] !== undefined) this.#askedAll.add(keyOf(fields["id"]));
      return this.#tellAll(entry);
    }
    if (owner === undefined) {
      if (from === "client" && fields["method"] === undefined && this.#askedAll.delete(keyOf(fields["id"])))
        this.#tellAll(entry);
      return;
    }
    const { sessionId, opener } = owner;
    if (opener !== undefined) return this.#opened(opener, sessionId, entry);
    if (sessionId !== undefined) this.#session(sessionId, !beginnings.has(fields["method"])).hear(entry);
  }

  #opened(opener: string, sessionId: string | undefined, entry: LogEntry): void {
    if (entry.from === "client") this.#openers.set(opener, entry);
    else {
      const request = this.#openers.get(opener);
      this.#openers.delete(opener);
      if (sessionId === undefined) return;
      const session = this.#session(sessionId, false);
      if (request) session.hear(request);
      session.hear(entry);
    }
  }

  // One that is heard of in the middle of it may have lost its beginning, and says so.
  #session(sessionId: string, isInTheMiddle: boolean): Conversation {
    const known = this.sessions.get(sessionId);
    if (known) return known;
    const session = new Conversation(sessionId);
    this.sessions.set(sessionId, session);
    if (isInTheMiddle && this.#gap) {
      const { offer, cwd, introduction } = this.remembered(sessionId) ?? {};
      session.beginInTheMiddle(offer, cwd);
      this.introduction ??= introduction;
      session.hear(this.#gap);
    }
    return session;
  }

  #tellAll(entry: LogEntry): void {
    for (const session of this.sessions.values()) session.hear(entry);
  }

  #handshake(from: string, { id, method, params, result }: Fields): void {
    if (from === "client" && method === "initialize") {
      this.#initialize = { key: keyOf(id), client: textOf(fieldsOf(fieldsOf(params)["clientInfo"])["name"]) };
    } else if (from === "agent" && method === undefined && this.#initialize?.key === keyOf(id) && result !== undefined) {
      this.introduction = introductionOf(fieldsOf(result), this.#initialize.client);
      this.#initialize = undefined; // its id may be used again
    }
  }
}

function introductionOf({ agentInfo, agentCapabilities, authMethods }: Fields, client: string | undefined): Introduction {
  const { name, title, version } = fieldsOf(agentInfo);
  const { loadSession, promptCapabilities } = fieldsOf(agentCapabilities);
  const { image, embeddedContext } = fieldsOf(promptCapabilities);
  const agentName = textOf(title) ?? textOf(name);
  return {
    ...(client !== undefined && { client }),
    ...(agentName !== undefined && { agentName }),
    ...(typeof version === "string" && { agentVersion: version }),
    canLoad: loadSession === true,
    prompts: { image: image === true, embeddedContext: embeddedContext === true },
    authMethods: authMethodsOf(authMethods),
  };
}

export function authMethodsOf(list: unknown): AuthMethod[] {
  return listOf(list)
    .map(fieldsOf)
    .flatMap(({ id, name, description }): AuthMethod[] => {
      if (typeof id !== "string") return [];
      return [{ id, name: textOf(name) ?? id, ...(typeof description === "string" && { description }) }];
    });
}
