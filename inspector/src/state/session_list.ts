// The list of sessions: what the daemon has running, and what this browser remembers.
import type { Instance } from "sandbox-agent/daemon";
import { untitled } from "./blocks.js";

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
  /** The session whose process ended before, and which this one continues. */
  readonly continues?: { readonly serverId: string; readonly sessionId: string };
}

export type Group = "Needs you" | "Running" | "Idle" | "Ended";
export const groups: readonly Group[] = ["Needs you", "Running", "Idle", "Ended"];

export interface SessionRow {
  readonly key: string;
  readonly serverId: string;
  readonly sessionId?: string;
  readonly title: string;
  readonly agent: string;
  readonly folder?: string;
  readonly group: Group;
  readonly word: string;
  readonly at: number;
  readonly isForeign: boolean;
  readonly isUnread: boolean;
}

export interface ListInputs {
  readonly instances: readonly Instance[];
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

export function sessionRows({ instances, notes, seen, shown }: ListInputs): SessionRow[] {
  const live = new Map(instances.map((instance) => [instance.serverId, instance]));
  const isOf = (note: SessionNote) => live.get(note.serverId)?.instanceId === note.instanceId;
  const read = (note: SessionNote) => (note.serverId === shown?.serverId ? shown.view.sessions.get(note.sessionId) : undefined);
  const noted = notes.map((note) => rowOf(isOf(note) ? live.get(note.serverId) : undefined, seen, note, read(note)));
  const strangers = instances.filter((instance) => !notes.some((note) => note.serverId === instance.serverId && isOf(note)));
  const rows = [...noted, ...strangers.map((instance) => rowOf(instance, seen))];
  return rows.sort((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group) || b.at - a.at);
}

/** Whether the address means it: a process may have several. */
export function isRowOf(row: SessionRow, { serverId, sessionId }: { serverId?: string; sessionId?: string }): boolean {
  return row.serverId === serverId && (sessionId ?? row.sessionId) === row.sessionId;
}

function rowOf(
  instance: Instance | undefined,
  seen: ListInputs["seen"],
  note?: SessionNote,
  session?: SessionState,
): SessionRow {
  const serverId = note?.serverId ?? instance!.serverId;
  const [group, word] = instance ? stateOf(instance, session) : (["Ended", "ended"] as const);
  const seenTo = instance && seen.get(instance.instanceId);
  return {
    key: `${serverId}/${note?.sessionId ?? ""}`,
    serverId,
    ...(note && { sessionId: note.sessionId, folder: note.cwd }),
    title: note === undefined || (note.isForeign && note.title === untitled) ? serverId : note.title,
    agent: note?.agent ?? instance!.agent,
    group,
    word,
    at: instance?.lastActivityAtMs ?? note?.createdAt ?? 0,
    isForeign: note?.isForeign ?? note === undefined,
    isUnread: seenTo !== undefined && instance!.lastEventId > seenTo,
  };
}

function stateOf(instance: Instance, session: SessionState | undefined): [Group, string] {
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
    (note.continues !== undefined && known.continues === undefined);
  if (!isNews) return notes as SessionNote[];
  return [{ ...known, ...note, title }, ...notes.filter((other) => !isSame(other))].slice(0, mostNotes);
}

/** How many processes wait for the user. */
export function waitingCount(rows: readonly SessionRow[]): number {
  return new Set(rows.filter(({ group }) => group === "Needs you").map(({ serverId }) => serverId)).size;
}

export function withoutNote(notes: readonly SessionNote[], serverId: string, sessionId: string): SessionNote[] {
  return notes.filter((note) => note.serverId !== serverId || note.sessionId !== sessionId);
}

/** "12 s", "3 min", "5 h", "2 d". */
export function ageOf(at: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - at) / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}
