// The list of sessions: what the daemon has running, and what this browser remembers.
import type { Instance } from "sandbox-agent/daemon";
import { untitled } from "./blocks.js";
import type { Introduction } from "./instance.js";
import type { Offer } from "./settings.js";

/** What this browser remembers of a session; kept over reloads. */
export interface SessionNote {
  readonly serverId: string;
  readonly sessionId: string;
  readonly instanceId: string;
  readonly agent: string;
  readonly cwd: string;
  readonly title: string;
  readonly createdAt: number;
  /** Another client made its process. */
  readonly isForeign?: boolean;
  /** What the user calls it. */
  readonly name?: string;
  /** Out of sight, until it needs somebody. */
  readonly isArchived?: boolean;
  /** What it offers, and what its agent said of itself: the daemon may drop the beginning of a log. Of the newest sessions only. */
  readonly offer?: Offer;
  readonly introduction?: Introduction;
  /** The session whose process ended before, and which this one continues. */
  readonly continues?: { readonly serverId: string; readonly sessionId: string };
}

/** "Remembered": what becomes of it is not known before the daemon has said what runs. */
export type Group = "Needs you" | "Running" | "Idle" | "Remembered" | "Ended";
export const groups: readonly Group[] = ["Needs you", "Running", "Idle", "Remembered", "Ended"];

export interface SessionRow {
  readonly key: string;
  readonly serverId: string;
  readonly sessionId?: string;
  readonly title: string;
  /** What it is called if the user calls it nothing. */
  readonly ownTitle: string;
  readonly agent: string;
  readonly folder?: string;
  readonly group: Group;
  readonly word: string;
  readonly at: number;
  readonly isForeign: boolean;
  readonly isUnread: boolean;
  readonly isArchived: boolean;
}

export interface ListInputs {
  readonly instances: readonly Instance[];
  /** False: the daemon has not said yet what runs. */
  readonly areInstancesKnown?: boolean;
  readonly notes: readonly SessionNote[];
  /** The newest event this page has shown, by instance. */
  readonly seen: ReadonlyMap<string, number>;
  /** The process that is read: of its sessions more is known than of others. */
  readonly shown?:
    { readonly serverId: string; readonly view: { readonly sessions: ReadonlyMap<string, SessionState> } } | undefined;
}

interface SessionState {
  readonly running: object | undefined;
  readonly asks: readonly unknown[];
}

export function sessionRows({ instances, areInstancesKnown = true, notes, seen, shown }: ListInputs): SessionRow[] {
  const live = new Map(instances.map((instance) => [instance.serverId, instance]));
  const isOf = (note: SessionNote) => live.get(note.serverId)?.instanceId === note.instanceId;
  const read = (note: SessionNote) => (note.serverId === shown?.serverId ? shown.view.sessions.get(note.sessionId) : undefined);
  const without = areInstancesKnown ? (["Ended", "ended"] as const) : (["Remembered", "…"] as const);
  const stateOf = (note: SessionNote) => (isOf(note) ? processState(live.get(note.serverId)!, read(note)) : without);
  const noted = notes.map((note) => rowOf(isOf(note) ? live.get(note.serverId) : undefined, seen, stateOf(note), note));
  const strangers = instances.filter((instance) => !notes.some((note) => note.serverId === instance.serverId && isOf(note)));
  const rows = [...noted, ...strangers.map((instance) => rowOf(instance, seen, processState(instance)))];
  const last = ({ isArchived }: SessionRow) => Number(isArchived);
  return rows.sort((a, b) => last(a) - last(b) || groups.indexOf(a.group) - groups.indexOf(b.group) || b.at - a.at);
}

/** Whether the address means it: a process may have several. */
export function isRowOf(row: SessionRow, { serverId, sessionId }: { serverId?: string; sessionId?: string }): boolean {
  return row.serverId === serverId && (sessionId ?? row.sessionId) === row.sessionId;
}

function rowOf(
  instance: Instance | undefined,
  seen: ListInputs["seen"],
  [group, word]: readonly [Group, string],
  note?: SessionNote,
): SessionRow {
  const serverId = note?.serverId ?? instance!.serverId;
  const ownTitle = note === undefined || (note.isForeign && note.title === untitled) ? serverId : note.title;
  const seenTo = instance && seen.get(instance.instanceId);
  return {
    key: `${serverId}/${note?.sessionId ?? ""}`,
    serverId,
    ...(note && { sessionId: note.sessionId, folder: note.cwd }),
    title: note?.name ?? ownTitle,
    ownTitle,
    agent: note?.agent ?? instance!.agent,
    group,
    word,
    at: instance?.lastActivityAtMs ?? note?.createdAt ?? 0,
    isForeign: note?.isForeign ?? note === undefined,
    isUnread: seenTo !== undefined && instance!.lastEventId > seenTo,
    isArchived: note?.isArchived === true && group !== "Needs you",
  };
}

function processState(instance: Instance, session?: SessionState): [Group, string] {
  const { status, exitCode, signal, openAgentRequests, pendingRequests } = instance;
  if (status === "exited") return ["Ended", `exited ${signal ?? exitCode ?? ""}`.trim()];
  if (status === "starting") return ["Running", "starting"];
  if (session)
    return session.asks.length > 0
      ? ["Needs you", "waiting for you"]
      : session.running
        ? ["Running", "running"]
        : ["Idle", "idle"];
  if (openAgentRequests > 0) return ["Needs you", "waiting for you"];
  return pendingRequests > 0 ? ["Running", "running"] : ["Idle", "idle"];
}

const mostNotes = 200;
const mostOffers = 20; // some agents have hundreds of models

/** The notes with this one among them, newest first. */
export function withNote(notes: readonly SessionNote[], note: SessionNote): SessionNote[] {
  const isSame = ({ serverId, sessionId }: SessionNote) => serverId === note.serverId && sessionId === note.sessionId;
  const known = notes.find(isSame);
  const title = note.title === untitled ? (known?.title ?? untitled) : note.title; // what it said first may be lost by now
  const isNews =
    known?.title !== title ||
    known.instanceId !== note.instanceId ||
    known.cwd !== note.cwd ||
    known.isForeign !== note.isForeign ||
    (note.offer !== undefined && offered(note) !== offered(known)) ||
    (note.continues !== undefined && known.continues === undefined);
  if (!isNews) return notes as SessionNote[];
  const others = notes.filter((other) => !isSame(other)).slice(0, mostNotes - 1);
  return [{ ...known, ...note, title }, ...others.map((other, at) => (at < mostOffers - 1 ? other : withoutOffer(other)))];
}

const offered = ({ offer, introduction }: SessionNote) => JSON.stringify([offer, introduction]);

function withoutOffer({ offer: _, introduction: __, ...note }: SessionNote): SessionNote {
  return note;
}

/** What the user decides about a session. `name`: "" takes it away again. */
export interface NoteChange {
  readonly name?: string;
  readonly isArchived?: boolean;
}

export function withChange(
  notes: readonly SessionNote[],
  { serverId, sessionId }: { serverId: string; sessionId: string },
  { name, isArchived }: NoteChange,
): SessionNote[] {
  return notes.map((note) => {
    if (note.serverId !== serverId || note.sessionId !== sessionId) return note;
    const { name: before, isArchived: wasArchived, ...rest } = note;
    const called = name === undefined ? before : name.trim();
    return { ...rest, ...(called && { name: called }), ...((isArchived ?? wasArchived) && { isArchived: true }) };
  });
}

/** The rows in which all of these words are: in title, agent or folder. */
export function rowsWith(rows: readonly SessionRow[], words: string): SessionRow[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(({ title, ownTitle, agent, folder = "" }) => {
    const text = `${title} ${ownTitle} ${agent} ${folder}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** How many processes wait for the user. */
export function waitingCount(rows: readonly SessionRow[]): number {
  return new Set(rows.filter(({ group }) => group === "Needs you").map(({ serverId }) => serverId)).size;
}

export function withoutNote(notes: readonly SessionNote[], serverId: string, sessionId: string): SessionNote[] {
  return notes.filter((note) => note.serverId !== serverId || note.sessionId !== sessionId);
}

/** For what is not drawn again every second. */
export function roughAgeOf(at: number, now: number): string {
  return now - at < 60_000 ? "now" : ageOf(at, now);
}

/** "12 s", "3 min", "5 h", "2 d". */
export function ageOf(at: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - at) / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}
