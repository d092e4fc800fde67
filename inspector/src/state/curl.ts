// Commands for a shell that do again what a line of the Trace shows. The token is named, never written.
import type { LogEntry } from "./log.js";
import { fieldsOf } from "./trace_fields.js";

export interface CurlTarget {
  /** Where the daemon is: "http://127.0.0.1:2468". */
  readonly baseUrl: string;
  readonly serverId: string;
  /** Which agent to start when there is none behind the id. */
  readonly agent?: string | undefined;
  readonly hasToken: boolean;
}

/** An argument of a command may be 128 KiB on Linux; what is longer comes by standard input. */
const longestArgument = 100_000;

/** Sends a client's message again, or reads an agent's message again from the stream. */
export function curlOf(entry: LogEntry, target: CurlTarget): string {
  const url = `${target.baseUrl.replace(/\/+$/, "")}/v1/acp/${encodeURIComponent(wellFormed(target.serverId))}`;
  const glob = target.baseUrl.includes("[") ? " -g" : ""; // brackets of an IPv6 address
  const token = target.hasToken ? ` -H 'Authorization: Bearer '"$SANDBOX_AGENT_TOKEN"` : "";
  if (entry.from !== "client") {
    const before = entry.from === "agent" ? entry.eventId - 1 : Number(fieldsOf(entry.message)["from"]) - 1;
    const position = before > 0 ? ` -H 'Last-Event-ID: ${before}'` : "";
    return `curl -N${glob} ${quoted(url)}${token} -H 'Accept: text/event-stream'${position}`;
  }
  const query = target.agent === undefined ? "" : `?agent=${encodeURIComponent(wellFormed(target.agent))}`;
  const post = `curl -X POST${glob} ${quoted(url + query)}${token} -H 'Content-Type: application/json'`;
  if (entry.json.length <= longestArgument) return `${post} --data-raw ${quoted(entry.json)}`;
  const end = endOf(entry.json);
  return `${post} --data-binary @- <<'${end}'\n${entry.json}\n${end}`;
}

/** One word of a shell, whatever is in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A line that is not in the text. */
function endOf(text: string): string {
  let end = "ENVELOPE";
  while (text.includes(end)) end += "_";
  return end;
}

function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}
