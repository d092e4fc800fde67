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

const withKeys = "[role=grid], [role=tree]"; // they move by themselves, once they have the focus

/** Along the list that has the focus; without one, along the screen's own: in Chat that is the list of sessions. */
export function moveInList({ store: { state } }: App, step: number): void {
  const here = document.activeElement;
  const find = (what: string) => document.querySelector<HTMLElement>(what);
  const own = () => find(`#main :is(${withKeys})`) ?? find("#main :is(nav, ul):has(a, .config-name)");
  const list =
    here?.closest<HTMLElement>(`nav, ul, ol, ${withKeys}`) ?? (state.route.screen === "chat" ? find(".sessions") : own());
  if (list?.matches(withKeys)) {
    if (list.contains(here)) return; // it had the key already
    list.focus();
    list.dispatchEvent(new KeyboardEvent("keydown", { key: step > 0 ? "j" : "k", cancelable: true }));
    return;
  }
  const links = [...(list?.querySelectorAll<HTMLElement>("a[href], .config-name") ?? [])];
  const at = links.findIndex((link) => link === here || link.parentElement?.contains(here));
  links[at < 0 ? (step > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + step))]?.focus();
}
