// A trace as a file: one JSON line per message, as `sandbox-agent trace export` writes them, and before them a line that says whose they
// are. What was on the wire is in the file byte by byte. Files of both are read.
//   {"sandboxAgentTrace":1,"serverId":"…","agent":"…","exportedAt":"…"}
//   {"seq":12,"direction":"agent","at":1700000000000,"envelope":{…}}
//   {"direction":"client","place":"12.1","at":1700000000000,"envelope":{…}}     place: as the page numbers it
//   {"gap":{"from":3,"to":7},"place":"7"}                                       what is missing
// "at" is there when it is known; "raw" has the text of an envelope that has line breaks.
import { seqOf, type LogEntry } from "./log.js";
import { fieldsOf, wordOf, type Fields } from "./trace_fields.js";

export interface TraceHead {
  readonly serverId?: string;
  readonly agent?: string;
  readonly exportedAt?: string;
  /** Only what a filter let through. */
  readonly filtered?: boolean;
}

export function headLine(head: TraceHead): string {
  return `${JSON.stringify({ sandboxAgentTrace: 1, ...head })}\n`;
}

export function entryLine(entry: LogEntry): string {
  const { from, at, json, eventId } = entry;
  const time = at === undefined ? "" : `"at":${at},`;
  const place = `"place":"${seqOf(entry)}",`;
  if (from === "daemon") return `{${time}${place}"gap":${json}}\n`;
  const name = from === "agent" ? `"seq":${eventId},"direction":"agent",` : `"direction":"client",${place}`;
  if (!/[\r\n]/.test(json)) return `{${name}${time}"envelope":${json}}\n`;
  return `{${name}${time}"raw":${JSON.stringify(json)},"envelope":${json.replace(/[\r\n]/g, " ")}}\n`;
}

/** A message of a file. Its value is made when it is asked for: a file may have many. */
export class FileEntry implements LogEntry {
  constructor(
    readonly index: number,
    readonly from: LogEntry["from"],
    readonly eventId: number,
    readonly nth: number,
    readonly json: string,
    readonly at: number | undefined,
  ) {}

  get message(): unknown {
    return JSON.parse(this.json) as unknown;
  }
}

/** What is wrong with a file, in a sentence. */
export class TraceFault extends Error {}

export class TraceReader {
  head: TraceHead = {};
  readonly entries: FileEntry[] = [];
  #lines = 0;
  #eventId = 0;
  #nth = 0;

  /** The next line of the file. Throws a TraceFault. */
  read(line: string): void {
    const number = ++this.#lines;
    if (line.trim() === "") return;
    const fields = this.#fields(line, number);
    if (fields["sandboxAgentTrace"] !== undefined) return this.#begin(fields, number);
    const { gap, direction, at, seq, place } = fields;
    const time = typeof at === "number" ? at : undefined;
    if (gap !== undefined) {
      const { to } = fieldsOf(gap);
      if (typeof to === "number") this.#move(place, to, 0);
      else this.#move(place, this.#eventId, this.#nth + 1);
      return this.#add("daemon", textOf(line, gap), time);
    }
    const isAgent = direction === "agent";
    if ((!isAgent && direction !== "client") || fields["envelope"] === undefined) throw notOurs(number, this.entries.length);
    if (isAgent && typeof seq !== "number") throw new TraceFault(`Line ${number}: a message of the agent has no number.`);
    if (isAgent) this.#move(undefined, Number(seq), 0);
    else this.#move(place, this.#eventId, this.#nth + 1);
    const raw = wordOf(fields["raw"]);
    this.#add(direction, raw !== undefined && isJson(raw) ? raw : textOf(line, fields["envelope"]), time);
  }

  /** There is nothing more. */
  end(): void {
    if (this.#lines === 0 || (this.entries.length === 0 && this.head.serverId === undefined))
      throw new TraceFault("This is no trace file: it has no messages.");
  }

  #begin({ sandboxAgentTrace, serverId, agent, exportedAt, filtered }: Fields, number: number): void {
    if (sandboxAgentTrace !== 1)
      throw new TraceFault(`Line ${number}: the file is of a newer kind (${String(sandboxAgentTrace)}) than this page reads.`);
    const words = { serverId: wordOf(serverId), agent: wordOf(agent), exportedAt: wordOf(exportedAt) };
    this.head = {
      ...(Object.fromEntries(Object.entries(words).filter(([, word]) => word !== undefined)) as TraceHead),
      ...(filtered === true && { filtered }),
    };
  }

  #fields(line: string, number: number): Fields {
    try {
      const value = JSON.parse(line) as unknown;
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
    } catch {
      if (number > 1) throw new TraceFault(`Line ${number} is broken: it is no JSON.`);
    }
    throw notOurs(number, this.entries.length);
  }

  #move(place: unknown, eventId: number, nth: number): void {
    const [, event, behind] = (typeof place === "string" && /^(\d+)(?:\.(\d+))?$/.exec(place)) || [];
    this.#eventId = event === undefined ? eventId : Number(event);
    this.#nth = event === undefined ? nth : Number(behind ?? 0);
  }

  #add(from: LogEntry["from"], json: string, at: number | undefined): void {
    this.entries.push(new FileEntry(this.entries.length, from, this.#eventId, this.#nth, json, at));
  }
}

function notOurs(number: number, read: number): TraceFault {
  return read === 0
    ? new TraceFault("This is no trace file. Export one here, or with `sandbox-agent trace export`.")
    : new TraceFault(`Line ${number} is broken: it is no message of a trace.`);
}

const before = /^\{(?:"seq":\d+,|"direction":"\w+",|"at":[\d.]+,|"place":"[\d.]+",)*"(?:envelope|gap)":/;

// The bytes of the last member, where the line is written as above; a program that wrote the file anew has its own.
function textOf(line: string, value: unknown): string {
  const [begin] = before.exec(line) ?? [];
  const text = begin === undefined ? "" : line.slice(begin.length, line.lastIndexOf("}"));
  return isJson(text) ? text : JSON.stringify(value);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
