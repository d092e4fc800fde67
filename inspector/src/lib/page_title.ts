// The tab's title and icon: the session, and whether somebody waits for the user.
import { screenName } from "../state/sections.js";
import { sessionRows, waitingCount } from "../state/session_list.js";
import type { App } from "./app.js";

export function watchTitle(app: App): void {
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  const show = () => {
    const waiting = waitingCount(sessionRows(app.store.state));
    const title = titleOf(app, waiting);
    if (document.title !== title) document.title = title;
    const href = waiting > 0 ? "/ui/icon-waiting.svg" : "/ui/icon.svg";
    if (icon && icon.getAttribute("href") !== href) icon.setAttribute("href", href);
  };
  app.store.subscribe(show);
}

function titleOf(app: App, waiting: number): string {
  const name = nameOf(app);
  return `${waiting > 0 ? `(${waiting}) needs you · ` : ""}${name === undefined ? "" : `${name} · `}Sandbox Agent`;
}

function nameOf(app: App): string | undefined {
  const { route } = app.store.state;
  const section = screenName(route.screen);
  if (route.screen !== "chat") return route.screen === "agents" && route.agent ? `${route.agent} · ${section}` : section;
  const session = app.conversation;
  return session && app.notes.titleOf(app.shown.serverId ?? "", session);
}
