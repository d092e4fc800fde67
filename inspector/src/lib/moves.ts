// Moving by keys: to the session beside the shown one, and along a list.
import { hrefOf } from "../state/route.js";
import { isRowOf, sessionRows } from "../state/session_list.js";
import type { App } from "./app.js";

export function toNeighbour(app: App, step: number): void {
  const rows = sessionRows(app.store.state);
  const { route } = app.store.state;
  if (rows.length === 0) return;
  const here = route.screen === "chat" ? rows.findIndex((row) => isRowOf(row, route)) : -1;
  const { serverId, sessionId } = rows[(here + step + rows.length) % rows.length]!;
  const next = { screen: "chat", serverId, ...(sessionId !== undefined && { sessionId }) } as const;
  if (hrefOf(next) !== location.pathname) app.go(next);
}

/** Along the links of the list that has the focus; without one, along the sessions. */
export function moveInList(step: number): void {
  const here = document.activeElement;
  const list = here?.closest("nav, ul, ol") ?? document.querySelector(".sessions");
  const links = [...(list?.querySelectorAll<HTMLElement>("a[href]") ?? [])];
  const at = links.findIndex((link) => link === here || link.parentElement?.contains(here));
  links[at < 0 ? (step > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + step))]?.focus();
}
