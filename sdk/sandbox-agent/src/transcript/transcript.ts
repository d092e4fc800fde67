// One session's log as universal events, entry by entry. Pure: no clock, no chance, nothing kept of what is over. Never throws, whatever
// the entries are.
import { Asked, questionExtension } from "./asked.js";
import { Progress, type TranscriptEntry } from "./entry.js";
import { EventWriter, productMeta } from "./event_writer.js";
import type { SessionEnded, SessionStarted, UniversalEvent } from "./events.js";
import { hashOf } from "./hash.js";
import { wholeItem } from "./items.js";
import { fieldsOf, isFields, jsonOf, known, listOf, numberOf, textOf, wordOf, type Fields } from "./json.js";
import { keyOf } from "./json_rpc.js";
import { partOf, rawPart } from "./parts.js";
import { Turns } from "./turns.js";
import { Updates } from "./updates.js";

export interface TranscriptOptions {
  /** What the client calls the session. Default: what it asked for when it made the session, else the agent's id. */
  sessionId?: string | undefined;
  /** The agent's name, told in `session.started`. */
  agent?: string | undefined;
  /** Every event has the message it was made from (default: false). */
  raw?: boolean | undefined;
}

type SessionHow = SessionStarted["how"];

const beginnings: Record<string, SessionHow> = {
  "session/new": "new",
  "session/load": "loaded",
  "session/resume": "resumed",
  "session/fork": "forked",
};

// Requests of the agent that the client's program serves. They are part of what happens, and nobody's words.
const services = /^(fs|terminal)\//;

interface Request {
  readonly method: string;
  readonly sessionId: string | undefined;
  readonly meta: Fields;
}

export class Transcript {
  readonly #agent: string | undefined;
  readonly #progress = new Progress();
  readonly #writer: EventWriter;
  readonly #updates: Updates;
  readonly #asked: Asked;
  readonly #turns: Turns;
  readonly #requests = new Map<string, Request>(); // of the client, without an answer
  #isLive = false; // its start was told
  #isAnnounced = false; // by a notification, before the answer to the request that made it
  #isOver = false; // its end was told

  constructor({ sessionId, agent, raw = false }: TranscriptOptions = {}) {
    this.#agent = agent;
    this.#writer = new EventWriter(sessionId, raw);
    this.#updates = new Updates(this.#writer);
    this.#asked = new Asked(this.#writer, this.#updates.tools);
    this.#turns = new Turns(this.#writer);
  }

  /** The events of the next entry. One that was seen before has none. */
  push(entry: TranscriptEntry): UniversalEvent[] {
    const arrival = this.#progress.take(entry);
    if (!arrival) return [];
    this.#writer.begin(arrival);
    if (arrival.isNewEpoch) this.#cutOff();
    const { from, message } = arrival.entry;
    if (from === "daemon") this.#lost(fieldsOf(message));
    else if (from === "agent" || from === "client") this.#hear(from, message);
    else this.#unparsed("This is no entry of a log.", "entry", entry);
    return this.#writer.take();
  }

  /** Completes what is open, as at the end of a log. More entries may follow; they begin items of their own. */
  flush(): UniversalEvent[] {
    this.#updates.endAll(this.#turns.isOpen ? "interrupted" : "completed");
    return this.#writer.take();
  }

  #hear(from: "agent" | "client", message: unknown): void {
    if (!isFields(message)) return this.#unparsed("This is no message: it is no object.", "message", message);
    const { id, method, params } = message;
    if (typeof method === "string") {
      if (from === "client") this.#fromClient(method, id, fieldsOf(params));
      else if (id !== undefined) this.#askedByAgent(method, id, fieldsOf(params), message);
      else this.#toldByAgent(method, fieldsOf(params), message);
    } else if (method === undefined && id !== undefined && ("result" in message || "error" in message)) {
      if (from === "client") this.#asked.answered(id, message);
      else this.#answeredByAgent(id, message);
    } else this.#unparsed("This is no message: neither request, notification nor answer.", "message", message);
  }

  // --- the client ---

  #fromClient(method: string, id: unknown, params: Fields): void {
    const { meta, sessionId } = method === "session/fork" ? aboutOf(params) : this.#about(params);
    if (method === "session/cancel") this.#asked.endAll("cancelled");
    if (id === undefined) return;
    this.#requests.set(keyOf(id), { method, sessionId, meta });
    if (method === "session/prompt") this.#prompted(keyOf(id), params["prompt"]);
    if (method === "session/load") this.#turns.leave();
  }

  #prompted(key: string, prompt: unknown): void {
    if (!this.#turns.isOpen) this.#updates.endAll("completed");
    this.#updates.messages.forget();
    this.#isOver = false;
    this.#turns.start(key, () => {
      const blocks = listOf(prompt);
      const isReplayed = (block: unknown) => productMeta(block)["replayed"] === true;
      const replayed = blocks?.filter(isReplayed) ?? [];
      const said = blocks?.filter((block) => !isReplayed(block)) ?? [];
      if (replayed.length > 0) wholeItem(this.#writer, "system", "system", replayed.map(partOf));
      if (!blocks) wholeItem(this.#writer, "message", "user", [rawPart("prompt", prompt)]);
      else if (said.length > 0 || replayed.length === 0) wholeItem(this.#writer, "message", "user", said.map(partOf));
    });
  }

  // --- the agent ---

  #answeredByAgent(id: unknown, message: Fields): void {
    const request = this.#requests.get(keyOf(id));
    this.#requests.delete(keyOf(id));
    const { result, error } = message;
    if (error !== undefined && (request || id === null)) this.#failed(error, request?.method);
    if (!request) return;
    const { method } = request;
    if (method === "session/prompt") this.#promptAnswered(keyOf(id), result, error !== undefined);
    else if (method === "session/load" && error !== undefined) this.#updates.endMessages("completed");
    else if (error !== undefined) return;
    else if (method === "session/close") this.#ended({ reason: "terminated", terminated_by: "user" });
    else if (Object.hasOwn(beginnings, method)) this.#begun(beginnings[method] as SessionHow, request, fieldsOf(result));
  }

  #promptAnswered(key: string, result: unknown, isFailed: boolean): void {
    const { stopReason, usage } = fieldsOf(result);
    const stop_reason = textOf(stopReason);
    const isCut = isFailed || stop_reason === "cancelled";
    if (this.#turns.isLast(key)) {
      if (isCut) this.#asked.endAll("cancelled");
      this.#updates.endTurn(isCut);
    }
    this.#turns.end(key, isFailed ? { phase: "failed" } : known({ phase: "ended", stop_reason, usage }));
  }

  #begun(how: SessionHow, request: Request, result: Fields): void {
    const native = wordOf(result["sessionId"]) ?? request.sessionId;
    const { nativeSessionId } = this.#writer;
    if (how === "forked" && this.#isLive && native !== nativeSessionId) return; // this log is that of the one it was forked from
    if (native !== undefined) this.#writer.nativeSessionId = native;
    this.#writer.carry(request.meta);
    this.#updates.endMessages("completed");
    if (this.#isAnnounced) this.#isAnnounced = false;
    else this.#start(how, wordOf(request.meta["agent"]), result);
  }

  #start(how: SessionHow, agent: string | undefined, { modes, configOptions }: Fields): void {
    this.#isLive = true;
    this.#isOver = false;
    this.#turns.leave();
    const data = { how, agent: this.#agent ?? agent, modes: modes ?? undefined, config_options: configOptions ?? undefined };
    this.#writer.write("session.started", known(data));
  }

  #askedByAgent(method: string, id: unknown, params: Fields, message: Fields): void {
    this.#about(params);
    this.#updates.settle();
    const isPermission = method === "session/request_permission";
    const isQuestion = method === "elicitation/create" || method === questionExtension;
    if (isPermission || isQuestion) this.#updates.messages.interrupt();
    if (isPermission) this.#asked.permission(id, params);
    else if (isQuestion) this.#asked.question(id, method, params);
    else if (services.test(method)) this.#updates.status(method, params);
    else this.#updates.unknown(method, message);
  }

  #toldByAgent(method: string, params: Fields, message: Fields): void {
    const { sessionId } = this.#about(params);
    if (method === "session/update") return this.#updates.hear(params["update"], message);
    this.#updates.settle();
    switch (method) {
      case "$/cancel_request":
        return this.#asked.withdrawn(params["requestId"]);
      case "_adapter/agent_exited":
        return this.#exited(params);
      case "_adapter/invalid_stdout":
      case "_sandboxagent/agent/unparsed":
        return this.#unparsedByAgent(method, params);
      case "_sandboxagent/session/started":
        if (sessionId !== undefined) this.#writer.nativeSessionId = sessionId;
        if (this.#isLive) return;
        this.#isAnnounced = true;
        return this.#start("announced", wordOf(params["agent"]), params);
      case "_sandboxagent/session/ended":
        return this.#ended(endingOf(params));
      case "_sandboxagent/error":
        return this.#failed(params, undefined);
      case "_sandboxagent/item/completed":
        if (!this.#updates.complete(params)) this.#updates.unknown(method, message);
        return;
      default:
        return this.#updates.unknown(method, message);
    }
  }

  // --- how it ends ---

  #exited({ code, signal, success, reason }: Fields): void {
    this.#writer.source = "daemon";
    const [exit_code, signalName] = [numberOf(code), wordOf(signal)];
    // It ends agents with these; a shell in between makes codes of them.
    const isEnded = /^SIG(TERM|KILL)$/.test(signalName ?? "") || exit_code === 143 || exit_code === 137;
    const isFine = success === true || exit_code === 0;
    const message = textOf(reason); // it ended a broken one
    const ending = isEnded ? "terminated" : isFine ? "completed" : "error";
    this.#ended({
      reason: message !== undefined ? "error" : ending,
      terminated_by: isEnded || message !== undefined ? "daemon" : "agent",
      ...known({ exit_code, signal: signalName, message }),
    });
  }

  #ended(data: SessionEnded): void {
    this.#cutOff();
    if (!this.#isOver) this.#writer.write("session.ended", data);
    this.#isOver = true;
    this.#turns.leave();
  }

  // Nobody will answer any more, on either side.
  #cutOff(): void {
    this.#asked.endAll("expired");
    this.#updates.endAll(this.#turns.isOpen ? "interrupted" : "completed");
    this.#turns.cutOff();
    this.#requests.clear();
    this.#isLive = false;
    this.#isAnnounced = false;
  }

  #lost({ from, to, reason }: Fields): void {
    this.#updates.messages.interrupt(); // what follows need not go on with the same words
    const details = known({ from: numberOf(from), to: numberOf(to), reason: textOf(reason) });
    this.#writer.write("error", {
      message: "Messages were lost: the daemon no longer has them.",
      code: "events_lost",
      details,
    });
  }

  #failed(error: unknown, method: string | undefined): void {
    const { message, code, data, details } = fieldsOf(error);
    const word = wordOf(code) ?? (typeof code === "number" ? String(code) : undefined);
    const said = known({
      message: textOf(message) ?? "The agent reported an error.",
      code: word,
      details: data ?? details ?? undefined,
      method,
    });
    this.#writer.write("error", said, known({ code: word, details: said.details }));
  }

  #unparsedByAgent(method: string, params: Fields): void {
    if (method === "_adapter/invalid_stdout") this.#writer.source = "daemon";
    const text = textOf(params["raw"]);
    const data = {
      error: textOf(params["error"]) ?? "The agent wrote something that is no message.",
      location: textOf(params["location"]) ?? "stdout",
      raw_hash: textOf(params["raw_hash"]) ?? hashOf(text ?? jsonOf(params)),
      text,
    };
    this.#writer.write("agent.unparsed", known(data), { raw_hash: data.raw_hash });
  }

  #unparsed(error: string, location: string, value: unknown): void {
    const raw_hash = hashOf(jsonOf(value));
    this.#writer.write("agent.unparsed", { error, location, raw_hash }, { raw_hash });
  }

  // Who is meant: the first session that is named gives the log its name, unless it has one.
  #about(params: Fields): ReturnType<typeof aboutOf> {
    const about = aboutOf(params);
    this.#writer.sessionId ??= wordOf(about.meta["requestedSessionId"]);
    this.#writer.nativeSessionId ??= about.sessionId;
    return about;
  }
}

const aboutOf = (params: Fields) => ({ sessionId: wordOf(params["sessionId"]), meta: productMeta(params) });

function endingOf(params: Fields): SessionEnded {
  const { reason, terminated_by, message, exit_code, signal } = params;
  const by = terminated_by ?? params["terminatedBy"];
  return {
    reason: reason === "error" || reason === "terminated" ? reason : "completed",
    terminated_by: by === "daemon" || by === "user" ? by : "agent",
    ...known({ message: textOf(message), exit_code: numberOf(exit_code ?? params["exitCode"]), signal: wordOf(signal) }),
  };
}
