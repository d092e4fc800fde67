// All the page knows, in one value. reduce() is pure; the two things that grow with every message, the log and the conversations,
// are folds that are fed in place, and `version` says when.
import type { AgentInfo, Instance } from "sandbox-agent/daemon";
import type { Approvals } from "./approvals.js";
import { composerAfter, emptyComposer, type Composer, type ComposerNews } from "./composer.js";
import { daemonAfter, daemonAtFirst, type DaemonNews, type DaemonState } from "./daemon_state.js";
import type { InstanceView } from "./instance.js";
import type { Replay } from "./replay.js";
import type { Route } from "./route.js";
import { withNote, withoutNote, type SessionNote } from "./session_list.js";
import { startingAfter, startingOf, type Starting, type StartNews } from "./starting.js";

export type Loadable<T> =
  | { readonly state: "loading" }
  | { readonly state: "ready"; readonly value: T }
  | { readonly state: "failed"; readonly message: string; readonly hint?: string };

export type StreamWord = "connecting" | "catching up" | "live" | "reconnecting" | "ended" | "gone";

/** The process whose stream this tab reads. */
export interface Shown {
  readonly serverId: string;
  readonly view: InstanceView;
  readonly version: number;
  readonly stream: StreamWord;
  readonly behind: number;
  /** The last lines of its error output, once it has ended or was looked at. */
  readonly stderr?: string;
  /** Why the stream cannot be read. */
  readonly failure?: string;
}

export type SideTab = "trace" | "changes" | "files" | "stderr";
export type Theme = "system" | "light" | "dark" | "contrast";
export type DialogName = "new" | "keys" | "palette" | "rename";

export interface AppState {
  readonly route: Route;
  readonly daemon: DaemonState;
  readonly agents: Loadable<readonly AgentInfo[]>;
  readonly instances: readonly Instance[];
  readonly areInstancesKnown: boolean;
  readonly notes: readonly SessionNote[];
  readonly seen: ReadonlyMap<string, number>;
  readonly shown?: Shown;
  readonly composers: Readonly<Record<string, Composer>>;
  /** By session: what could not be sent, and why. */
  readonly unsent: Readonly<Record<string, string>>;
  /** By session: since when its turn is being cancelled. */
  readonly stops: Readonly<Record<string, number>>;
  /** Requests of agents that were answered in this tab. */
  readonly answered: ReadonlyMap<string, "user" | "rule">;
  /** By session: what is allowed without asking. */
  readonly approvals: Readonly<Record<string, Approvals>>;
  readonly dialog?: DialogName;
  readonly starting?: Starting;
  readonly side: { readonly open: boolean; readonly tab: SideTab; readonly seq?: string };
  readonly theme: Theme;
  /** What was done everywhere at once, such as stopping all; stays until the user has read it. */
  readonly notice?: string;
  /** Where the daemon works; where that says nothing, where its files begin. */
  readonly home?: string;
  /** The trace file that is open. */
  readonly replay?: Replay;
}

export type Action =
  | { readonly type: "went"; readonly route: Route }
  | { readonly type: "daemon"; readonly news: DaemonNews }
  | { readonly type: "agents"; readonly agents: AppState["agents"] }
  | { readonly type: "instances"; readonly instances: readonly Instance[] }
  | { readonly type: "notes"; readonly notes: readonly SessionNote[] }
  | { readonly type: "note"; readonly note: SessionNote }
  | { readonly type: "forget note"; readonly serverId: string; readonly sessionId: string }
  | { readonly type: "show"; readonly shown: Shown | undefined }
  | { readonly type: "shown"; readonly change: Partial<Shown> }
  | { readonly type: "compose"; readonly session: string; readonly news: ComposerNews }
  | { readonly type: "unsent"; readonly session: string; readonly why: string | undefined }
  | { readonly type: "stopping"; readonly session: string; readonly at: number | undefined }
  | { readonly type: "answered"; readonly key: string; readonly by: "user" | "rule" }
  | { readonly type: "move composer"; readonly from: string; readonly to: string }
  | { readonly type: "approve"; readonly session: string; readonly approvals: Approvals }
  | { readonly type: "dialog"; readonly dialog: DialogName | undefined }
  | { readonly type: "start"; readonly agent: string; readonly cwd: string }
  | { readonly type: "starting"; readonly news: StartNews }
  | { readonly type: "start forgotten" }
  | { readonly type: "side"; readonly change: Partial<AppState["side"]> }
  | { readonly type: "theme"; readonly theme: Theme }
  | { readonly type: "notice"; readonly notice: string | undefined }
  | { readonly type: "home"; readonly home: string }
  | { readonly type: "replay"; readonly replay: Replay };

const mostAnswered = 1_000;

export function firstState(kept: Pick<AppState, "route" | "notes" | "composers" | "theme"> & { side: boolean }): AppState {
  return {
    ...kept,
    daemon: daemonAtFirst,
    agents: { state: "loading" },
    instances: [],
    areInstancesKnown: false,
    seen: new Map(),
    unsent: {},
    stops: {},
    answered: new Map(),
    approvals: {},
    side: { open: kept.side, tab: "trace" },
  };
}

export function reduce(state: AppState, action: Action): AppState {
  switch (action.type) {
    case "went":
      return { ...state, route: action.route };
    case "daemon":
      return { ...state, daemon: daemonAfter(state.daemon, action.news) };
    case "agents":
      return { ...state, agents: action.agents };
    case "instances":
      return withSeen(withoutGone({ ...state, instances: action.instances, areInstancesKnown: true }));
    case "notes":
      return { ...state, notes: action.notes };
    case "note":
      return { ...state, notes: withNote(state.notes, action.note) };
    case "forget note":
      return withoutSession(state, action.serverId, action.sessionId);
    case "show": {
      const { shown: _, ...rest } = state;
      return action.shown ? withSeen({ ...rest, shown: action.shown }) : rest;
    }
    case "shown":
      return state.shown ? withSeen({ ...state, shown: { ...state.shown, ...action.change } }) : state;
    case "compose": {
      const before = state.composers[action.session] ?? emptyComposer;
      return { ...state, composers: { ...state.composers, [action.session]: composerAfter(before, action.news) } };
    }
    case "unsent":
      return { ...state, unsent: withValue(state.unsent, action.session, action.why) };
    case "stopping":
      return { ...state, stops: withValue(state.stops, action.session, action.at) };
    case "answered":
      return { ...state, answered: new Map([...state.answered, [action.key, action.by] as const].slice(-mostAnswered)) };
    case "move composer": {
      const { [action.from]: moved, ...composers } = state.composers;
      if (!moved) return state;
      return { ...state, composers: { ...composers, [action.to]: composerAfter(moved, { type: "hold" }) } };
    }
    case "approve":
      return { ...state, approvals: { ...state.approvals, [action.session]: action.approvals } };
    case "dialog": {
      const { dialog: _, ...rest } = state;
      return action.dialog ? { ...rest, dialog: action.dialog } : rest;
    }
    case "start":
      return { ...state, starting: startingOf(action.agent, action.cwd) };
    case "starting":
      return state.starting ? { ...state, starting: startingAfter(state.starting, action.news) } : state;
    case "start forgotten": {
      const { starting: _, ...rest } = state;
      return rest;
    }
    case "side":
      return { ...state, side: { ...state.side, ...action.change } };
    case "theme":
      return { ...state, theme: action.theme };
    case "notice": {
      const { notice: _, ...rest } = state;
      return action.notice === undefined ? rest : { ...rest, notice: action.notice };
    }
    case "home":
      return { ...state, home: action.home };
    case "replay":
      return { ...state, replay: action.replay };
  }
}

/** Names a session among all of the daemon's. */
export const sessionKey = (serverId: string, sessionId: string): string => `${serverId}/${sessionId}`;

// Nothing that was written in it, or decided for it, stays.
function withoutSession(state: AppState, serverId: string, sessionId: string): AppState {
  const without = <T>(record: Readonly<Record<string, T>>) => withValue(record, sessionKey(serverId, sessionId), undefined);
  return {
    ...state,
    notes: withoutNote(state.notes, serverId, sessionId),
    composers: without(state.composers),
    unsent: without(state.unsent),
    stops: without(state.stops),
    approvals: without(state.approvals),
  };
}

// What is on the screen has been seen.
function withSeen(state: AppState): AppState {
  const { shown, instances, seen } = state;
  const instance = shown && instances.find(({ serverId }) => serverId === shown.serverId);
  if (!instance) return state;
  const newest = shown.view.log.entries.findLast(({ from }) => from === "agent")?.eventId ?? 0;
  if ((seen.get(instance.instanceId) ?? -1) >= newest) return state;
  return { ...state, seen: new Map(seen).set(instance.instanceId, newest) };
}

// Processes come and go for as long as a page is open.
function withoutGone(state: AppState): AppState {
  if (state.seen.size <= state.instances.length) return state;
  const ids = new Set(state.instances.map(({ instanceId }) => instanceId));
  return { ...state, seen: new Map([...state.seen].filter(([id]) => ids.has(id))) };
}

function withValue<T>(record: Readonly<Record<string, T>>, key: string, value: T | undefined): Record<string, T> {
  const { [key]: _, ...rest } = record;
  return value === undefined ? rest : { ...rest, [key]: value };
}
