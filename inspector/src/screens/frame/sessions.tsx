// The list of sessions, grouped by what they want.
import { createContext } from "preact";
import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useApp, useAppState } from "../../lib/context.js";
import { Icon, type IconName } from "../../parts/icon.js";
import { fileDrag } from "../../parts/file_drag.js";
import { onDemand } from "../../parts/on_demand.js";
import type { AppState } from "../../state/app.js";
import { groups, isRowOf, roughAgeOf, rowsWith, sessionRows, type Group, type SessionRow } from "../../state/session_list.js";
import { RouteLink } from "../route_link.js";
import "./sessions.css";

const icons: Record<Group, IconName> = {
  "Needs you": "warn",
  Running: "spinner",
  Idle: "check",
  Remembered: "clock",
  Ended: "cross",
};
const searchFrom = 2; // rows
const menu = onDemand(() => import("./session_menu.js"));

// Which row's menu, or what is asked from it, is open. Rows go from group to group meanwhile.
const Acting = createContext({ key: undefined as string | undefined, act: (_key: string | undefined) => {} });
const buttonOf = (key: string) => `actions-${key}`;
const linkOf = (key: string) => `session-${key}`;

export function Sessions() {
  const app = useApp();
  const instances = useAppState((state) => state.instances);
  const notes = useAppState((state) => state.notes);
  const seen = useAppState((state) => state.seen);
  const isKnown = useAppState((state) => state.areInstancesKnown);
  const word = useAppState(({ daemon }) => daemon.word);
  const [filter, setFilter] = useState("");
  const states = useAppState(statesIn); // of the sessions that are read
  const rows = useMemo(
    () => sessionRows({ instances, areInstancesKnown: isKnown, notes, seen, shown: app.store.state.shown }),
    [instances, isKnown, notes, seen, states],
  );
  const wanted = rowsWith(rows, filter);
  const list = useKeptFocus();
  const [acted, act] = useState<string>();
  const row = rows.find(({ key }) => key === acted);
  const SessionMenu = menu.use(row !== undefined)?.SessionMenu;
  const onDrag = fileDrag(([file]) => {
    if (file)
      import("../../lib/trace_file.js").then(
        ({ openTraceFile }) => openTraceFile(app, file),
        () =>
          app.store.dispatch({ type: "notice", notice: `${file.name} was not opened: the daemon did not answer. Try again.` }),
      );
  });
  return (
    <nav class="sessions" aria-label="Sessions" onDragOver={onDrag} onDragLeave={onDrag} onDrop={onDrag}>
      <button type="button" class="button button-main sessions-new" aria-keyshortcuts="N" onClick={() => app.openNew()}>
        <Icon name="new" /> New session <kbd aria-hidden="true">N</kbd>
      </button>
      {(rows.length >= searchFrom || filter !== "") && (
        <input
          class="field"
          type="search"
          aria-label="Search sessions"
          placeholder="Search title, agent, folder"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      <div class="sessions-groups" ref={list}>
        <Acting.Provider value={{ key: acted, act }}>
          {groups.map((group) => (
            <SessionGroup key={group} name={group} rows={wanted.filter((one) => one.group === group && !one.isArchived)} />
          ))}
          <Archived rows={wanted.filter(({ isArchived }) => isArchived)} isSearched={filter !== ""} />
        </Acting.Provider>
        {rows.length === 0 && (
          <p class="quiet sessions-none">
            {isKnown ? "No sessions yet." : word === "unreachable" ? "The daemon does not answer." : "Loading …"}
          </p>
        )}
        {rows.length > 0 && wanted.length === 0 && (
          <p class="quiet sessions-none">
            Nothing matches.{" "}
            <button type="button" class="button" onClick={() => setFilter("")}>
              Clear filter
            </button>
          </p>
        )}
      </div>
      {row && SessionMenu && (
        <SessionMenu
          key={row.key}
          row={row}
          anchor={() => document.getElementById(buttonOf(row.key))}
          onClose={() => act(undefined)}
        />
      )}
    </nav>
  );
}

// A row that goes to another group is drawn anew there, and takes the focus with it.
function useKeptFocus() {
  const list = useRef<HTMLDivElement>(null);
  const focused = useRef<Element | undefined>(undefined);
  useEffect(() => {
    const look = () => {
      const now = document.activeElement;
      focused.current = now && list.current?.contains(now) ? now : undefined;
    };
    document.addEventListener("focusin", look);
    return () => document.removeEventListener("focusin", look);
  }, []);
  useLayoutEffect(() => {
    const was = focused.current;
    if (was && !was.isConnected && document.activeElement === document.body) document.getElementById(was.id)?.focus();
  });
  return list;
}

function statesIn({ shown }: AppState): string {
  const sessions = [...(shown?.view.sessions.values() ?? [])];
  return sessions.map(({ sessionId, running, asks }) => `${sessionId} ${running?.number ?? ""} ${asks.length}`).join("\n");
}

function SessionGroup({ name, rows }: { name: string; rows: SessionRow[] }) {
  if (rows.length === 0) return null;
  return (
    <section>
      <h2 class="sessions-group">{name}</h2>
      <Rows rows={rows} />
    </section>
  );
}

// Folded, unless something in it is searched or shown.
function Archived({ rows, isSearched }: { rows: SessionRow[]; isSearched: boolean }) {
  const isShown = useAppState(({ route }) => route.screen === "chat" && rows.some((row) => isRowOf(row, route)));
  if (rows.length === 0) return null;
  return (
    <details class="sessions-archived" open={isSearched || isShown}>
      <summary>
        <h2 class="sessions-group">Archived</h2> <span class="quiet">{rows.length}</span>
      </summary>
      <Rows rows={rows} />
    </details>
  );
}

function Rows({ rows }: { rows: SessionRow[] }) {
  return (
    <ul>
      {rows.map((row) => (
        <li key={row.key}>
          <Row row={row} />
        </li>
      ))}
    </ul>
  );
}

function Row({ row }: { row: SessionRow }) {
  const isShown = useAppState(({ route }) => route.screen === "chat" && isRowOf(row, route));
  const was = useAppState(({ daemon }) => daemon.word === "unreachable") && row.group !== "Ended"; // now nobody knows
  const now = useNow(30_000);
  const route = {
    screen: "chat",
    serverId: row.serverId,
    ...(row.sessionId !== undefined && { sessionId: row.sessionId }),
  } as const;
  return (
    <div class="sessions-row" data-group={row.group}>
      <RouteLink id={linkOf(row.key)} route={route} aria-current={isShown ? "page" : undefined}>
        <Icon name={was ? "clock" : icons[row.group]} />
        <span class="sessions-title">{row.title}</span>
        {row.isUnread && (
          <span class="sessions-unread">
            <span class="visually-hidden">unread</span>
          </span>
        )}
        <span class="sessions-about">
          {row.agent} · {was && "was "}
          {row.word} · {roughAgeOf(row.at, now)}
          {row.folder !== undefined && row.folder !== "" && <span title={row.folder}> · {row.folder.split("/").at(-1)}</span>}
        </span>
        {row.isForeign && <span class="sessions-badge">from elsewhere</span>}
      </RouteLink>
      <Actions row={row} />
    </div>
  );
}

function Actions({ row }: { row: SessionRow }) {
  const { key, act } = useContext(Acting);
  const isOpen = key === row.key;
  return (
    <button
      id={buttonOf(row.key)}
      type="button"
      class="icon-button"
      aria-label={`Actions for ${row.title}`}
      title="Actions"
      aria-haspopup="menu"
      aria-expanded={isOpen}
      onClick={() => act(isOpen ? undefined : row.key)}
      onKeyDown={(event) => {
        if (event.key !== "ArrowDown" || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        act(row.key);
      }}
    >
      <Icon name="more" />
    </button>
  );
}

function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
