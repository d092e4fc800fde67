// The list of sessions, grouped by what they want.
import { useEffect, useMemo, useState } from "preact/hooks";
import { useApp, useAppState } from "../../lib/context.js";
import { Icon, type IconName } from "../../parts/icon.js";
import type { AppState } from "../../state/app.js";
import { Modal } from "./modal.js";
import { ageOf, groups, isRowOf, sessionRows, type Group, type SessionRow } from "../../state/session_list.js";
import { RouteLink } from "../route_link.js";

const icons: Record<Group, IconName> = { "Needs you": "warn", Running: "spinner", Idle: "check", Ended: "cross" };
const filterFrom = 6; // rows

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
    () => sessionRows({ instances, notes, seen, shown: app.store.state.shown }),
    [instances, notes, seen, states],
  );
  const wanted = rows.filter(({ title, agent, folder = "" }) =>
    `${title} ${agent} ${folder}`.toLowerCase().includes(filter.toLowerCase()),
  );
  return (
    <nav class="sessions" aria-label="Sessions">
      <button type="button" class="button button-main sessions-new" aria-keyshortcuts="N" onClick={() => app.openNew()}>
        <Icon name="new" /> New session <kbd aria-hidden="true">N</kbd>
      </button>
      {rows.length >= filterFrom && (
        <input
          class="field"
          type="search"
          aria-label="Search sessions"
          placeholder="Search"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      <div class="sessions-groups">
        {groups.map((group) => (
          <SessionGroup key={group} group={group} rows={wanted.filter((row) => row.group === group)} />
        ))}
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
    </nav>
  );
}

function statesIn({ shown }: AppState): string {
  const sessions = [...(shown?.view.sessions.values() ?? [])];
  return sessions.map(({ sessionId, running, asks }) => `${sessionId} ${running?.number ?? ""} ${asks.length}`).join("\n");
}

function SessionGroup({ group, rows }: { group: Group; rows: SessionRow[] }) {
  if (rows.length === 0) return null;
  return (
    <section>
      <h2 class="sessions-group">{group}</h2>
      <ul>
        {rows.map((row) => (
          <li key={row.key}>
            <Row row={row} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Row({ row }: { row: SessionRow }) {
  const app = useApp();
  const isShown = useAppState(({ route }) => route.screen === "chat" && isRowOf(row, route));
  const now = useNow(30_000);
  const route = {
    screen: "chat",
    serverId: row.serverId,
    ...(row.sessionId !== undefined && { sessionId: row.sessionId }),
  } as const;
  return (
    <div class="sessions-row" data-group={row.group}>
      <RouteLink route={route} aria-current={isShown ? "page" : undefined}>
        <Icon name={icons[row.group]} />
        <span class="sessions-title">{row.title}</span>
        {row.isUnread && (
          <span class="sessions-unread">
            <span class="visually-hidden">unread</span>
          </span>
        )}
        <span class="sessions-about">
          {row.agent} · {row.word} · {ageOf(row.at, now)}
          {row.isForeign && " · from elsewhere"}
          {row.folder !== undefined && row.folder !== "" && <span title={row.folder}> · {row.folder.split("/").at(-1)}</span>}
        </span>
      </RouteLink>
      {row.group !== "Ended" && <EndProcess row={row} />}
      {row.group === "Ended" && row.sessionId !== undefined && (
        <button
          type="button"
          class="icon-button"
          aria-label={`Remove ${row.title}`}
          title="Remove"
          onClick={() => app.forget(row.serverId, row.sessionId!)}
        >
          <Icon name="cross" />
        </button>
      )}
    </div>
  );
}

function EndProcess({ row: { serverId, title } }: { row: SessionRow }) {
  const app = useApp();
  const [isAsked, ask] = useState(false);
  return (
    <>
      <button type="button" class="icon-button" aria-label={`End ${title}`} title="End the process" onClick={() => ask(true)}>
        <Icon name="stop" />
      </button>
      {isAsked && (
        <Modal title="End this process?" onClose={() => ask(false)}>
          <p class="form">
            {title} ({serverId}) is ended with everything it started. The daemon forgets what was said in it.
          </p>
          <div class="form-end">
            <button type="button" class="button" data-first onClick={() => ask(false)}>
              Cancel
            </button>
            <button
              type="button"
              class="button button-bad"
              onClick={() => {
                ask(false);
                void app.endProcess(serverId);
              }}
            >
              End it
            </button>
          </div>
        </Modal>
      )}
    </>
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
