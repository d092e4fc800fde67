// Traces as files: what a process said is saved, and a file is opened to be replayed. Nothing of a file is kept or sent anywhere.
import { acpHttpEvents } from "acp-http-client";
import { SandboxAgentError } from "sandbox-agent/daemon";
import type { Shown } from "../state/app.js";
import { nameOf } from "../state/file_paths.js";
import { InstanceLog, type LogEntry } from "../state/log.js";
import { entryLine, headLine, TraceFault, TraceReader } from "../state/trace_file.js";
import type { App } from "./app.js";
import { notedFetch } from "./http_log.js";
import { closePlayer, playFile } from "./replay.js";
import { saveAs } from "./save_as.js";

const mostBytes = 100e6;
const sliceMs = 12; // so long reading a file may keep the page from drawing
const quietMs = 150; // what clients sent behind the last event has no number to wait for
const mostQuietMs = 1_500; // so long an agent that talks on is listened to

let openings = 0; // of files: the last one counts

/** Saves what a process said, or only `shown` of it. Rejects with a sentence when it cannot be had. */
export async function exportTrace(app: App, serverId: string, shown?: readonly LogEntry[]): Promise<void> {
  const { entries, isCut = false } = shown ? { entries: shown } : await entriesOf(app, serverId);
  const agent = app.notes.agentOf(serverId);
  const exportedAt = new Date().toISOString();
  const head = { serverId, ...(agent !== undefined && { agent }), exportedAt, ...(shown && { filtered: true }) };
  const lines = [headLine(head), ...lostBefore(shown ? [] : entries)];
  for (let place = 0; place < entries.length; ++place) lines.push(entryLine(entries[place]!));
  if (isCut) lines.push(gapLine(entries.at(-1)!, { reason: "the daemon did not answer" }));
  const name = `${serverId.replace(/[^\w.-]+/g, "_")}-${exportedAt.slice(0, 19).replace(/[:T]/g, "-")}.ndjson`;
  saveAs(new Blob(lines, { type: "application/x-ndjson" }), name);
}

/** Opens a trace file on the replay screen; what is wrong with it is said there. */
export async function openTraceFile(app: App, file: File): Promise<void> {
  app.go({ screen: "replay" });
  await openTrace(app, file.name, () => Promise.resolve(file));
}

/** The same for a file where the daemon runs, which the address names. */
export async function openTraceAt(app: App, path: string): Promise<void> {
  await openTrace(app, nameOf(path), () => app.daemon.fs.open(path));
}

// A file of the browser, or one that the daemon opened.
interface TraceSource {
  readonly size: number;
  stream(): ReadableStream;
  text(): Promise<string>;
}

async function openTrace(app: App, name: string, find: () => Promise<TraceSource>): Promise<void> {
  const opening = ++openings;
  const isLast = () => opening === openings;
  closePlayer();
  app.store.dispatch({ type: "replay", replay: { state: "reading", name } });
  try {
    const reader = await readTrace(await find(), isLast);
    if (reader) await playFile(app.store, name, reader.head, reader.entries);
  } catch (error) {
    if (!isLast()) return;
    const isSaid = error instanceof TraceFault || error instanceof SandboxAgentError;
    const message = isSaid ? error.message : "The file could not be read.";
    app.store.dispatch({ type: "replay", replay: { state: "failed", name, message } });
  }
}

// Undefined: nobody wants it any more.
async function readTrace(file: TraceSource, isWanted: () => boolean): Promise<TraceReader | undefined> {
  if (file.size > mostBytes) {
    await file.stream().cancel();
    throw new TraceFault(`The file has ${Math.ceil(file.size / 1e6)} MB; up to ${mostBytes / 1e6} MB can be opened.`);
  }
  const text = await file.text();
  const reader = new TraceReader();
  let began = performance.now();
  for (let at = 0; at < text.length;) {
    if (!isWanted()) return undefined;
    const end = text.indexOf("\n", at);
    reader.read(text.slice(at, end < 0 ? text.length : end));
    at = end < 0 ? text.length : end + 1;
    if (performance.now() - began < sliceMs) continue;
    await new Promise((resolve) => setTimeout(resolve));
    began = performance.now();
  }
  if (!isWanted()) return undefined;
  reader.end();
  return reader;
}

interface Had {
  readonly entries: readonly LogEntry[];
  /** More may have been said behind them. */
  readonly isCut?: boolean;
}

async function entriesOf(app: App, serverId: string): Promise<Had> {
  const view = app.shown.viewOf(serverId);
  const { instances, shown } = app.store.state;
  const listed = instances.find((instance) => instance.serverId === serverId);
  const isWhole = listed === undefined || (shown?.serverId === serverId && isAllHeard(shown));
  const heard = view?.log.entries ?? [];
  if (isWhole && heard.length > 0) return { entries: heard };
  if (!listed) throw new Error(`The daemon has no process “${serverId}” any more.`);
  try {
    return { entries: await readAll(app, serverId, listed.lastEventId) };
  } catch (error) {
    if (heard.length === 0) throw error;
    return { entries: heard, isCut: true };
  }
}

// Of a stream that is cut, or behind, nobody knows here what else was said.
const isAllHeard = ({ stream, behind }: Shown) =>
  stream === "ended" || stream === "gone" || (stream === "live" && behind === 0);

// Reads what the daemon has of a process of which the page has not heard all.
async function readAll({ daemon: { baseUrl, token } }: App, serverId: string, last: number): Promise<LogEntry[]> {
  const log = new InstanceLog();
  const done = new AbortController();
  let quiet: ReturnType<typeof setTimeout> | undefined;
  let position = 0;
  let opens = 0;
  let isOpen = false;
  let end = Infinity;
  const heard = () => {
    clearTimeout(quiet);
    if (!isOpen || position < last) return;
    end = Math.min(end, Date.now() + mostQuietMs);
    quiet = setTimeout(() => done.abort(), Math.min(quietMs, end - Date.now()));
  };
  const events = acpHttpEvents({
    baseUrl,
    serverId,
    streamQuery: { include: "client" },
    ...(token !== undefined && { token }),
    fetch: notedFetch,
    signal: done.signal,
    onClientMessage: (message, json) => {
      log.client(message, json);
      heard();
    },
    onState: (state) => {
      isOpen = state === "open";
      if (isOpen) ++opens;
      heard();
    },
  });
  try {
    for await (const event of events) {
      if (event.type === "message") log.agent((position = event.id), event.message, event.json);
      else {
        const { type: _, ...gap } = event;
        log.gap(gap);
        position = gap.to ?? position;
      }
      heard();
    }
  } catch (error) {
    if (opens === 0 || position < last) throw error; // else its end was the last word
  } finally {
    clearTimeout(quiet);
  }
  return log.entries;
}

// What the page had to forget is missing in the file: it says so.
function lostBefore(entries: readonly LogEntry[]): string[] {
  const [first] = entries;
  if (first === undefined || first.index === 0) return [];
  const to = first.from === "agent" ? first.eventId - 1 : first.eventId;
  const gap = to > 0 ? { from: 1, to, reason: "forgotten" } : { reason: "forgotten" };
  return [gapLine({ ...first, eventId: to, nth: 0 }, gap)];
}

function gapLine(place: LogEntry, gap: object): string {
  return entryLine({ ...place, from: "daemon", json: JSON.stringify(gap), message: gap, at: undefined });
}
