// The keys that work everywhere. Single letters act only when no text field has the focus, and can be switched off.
import { hrefOf } from "../state/route.js";
import { isRowOf, sessionRows } from "../state/session_list.js";
import type { App } from "./app.js";
import { kept } from "./kept.js";

export const keyList: readonly (readonly [string, string])[] = [
  ["N", "new session"],
  ["/", "write a message, or a command"],
  ["Enter", "send; queue while the agent works"],
  ["Shift Enter", "new line"],
  ["Esc", "close what is open, else stop the turn"],
  ["1 … 9", "answer what the agent asks, when nothing is written"],
  ["[ and ]", "previous, next turn"],
  [".", "details on or off"],
  ["G then C, T", "go to Chat, Trace"],
  ["Ctrl ↑ ↓", "previous, next session"],
  ["J K ↑ ↓", "move in lists and the Trace"],
  ["R", "show the message behind the selected thing"],
  ["?", "this list"],
];

/** Told to whoever can do it: the part of the page that is shown. */
export type KeyWish = "focus composer" | "latest" | "previous turn" | "next turn" | "raw";
type Listener = (wish: KeyWish) => void;
const listeners = new Set<Listener>();
export function onKeyWish(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
export const wish = (what: KeyWish) => listeners.forEach((listener) => listener(what));

/** The question in front gets digits: returns whether it took one. */
export const digits: { take: ((digit: number) => boolean) | undefined } = { take: undefined };

export function listenToKeys(app: App): void {
  let goes = 0; // when G was pressed
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const { key } = event;
    if (key === "Enter" && app.store.state.dialog === "new" && !isInDialog(event.target)) {
      app.isHurried = true;
      return event.preventDefault();
    }
    if (document.querySelector("dialog[open]")) return;
    if ((event.ctrlKey || event.metaKey) && (key === "ArrowUp" || key === "ArrowDown")) {
      event.preventDefault();
      return neighbour(app, key === "ArrowUp" ? -1 : 1);
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === "Escape") {
      if (isFilledSearch(event.target)) return; // it is emptied
      const session = app.runningSession;
      if (session) {
        event.preventDefault();
        void app.turns.stop(session);
      }
      return;
    }
    if (/^[1-9]$/.test(key) && mayTakeDigit(event.target) && digits.take?.(Number(key))) return event.preventDefault();
    if (isTextField(event.target) || kept("letters") === false) return;
    const letter = key.toLowerCase();
    const isGoing = Date.now() - goes < 1_500;
    goes = 0;
    const here = app.shown.serverId === undefined ? {} : { serverId: app.shown.serverId };
    const { route } = app.store.state;
    if (isGoing && letter === "c") app.go(route.screen === "chat" ? route : { screen: "chat", ...here });
    else if (isGoing && letter === "t") app.go({ screen: "trace", ...here });
    else if (letter === "g") goes = Date.now();
    else if (letter === "n") app.openNew();
    else if (key === "/") wish("focus composer");
    else if (key === "[") wish("previous turn");
    else if (key === "]") wish("next turn");
    else if (letter === "r") wish("raw");
    else if (key === ".") app.side(!app.store.state.side.open);
    else if (key === "?") app.store.dispatch({ type: "dialog", dialog: "keys" });
    else return;
    event.preventDefault();
  });
}

function neighbour(app: App, step: number): void {
  const rows = sessionRows(app.store.state);
  const { route } = app.store.state;
  if (rows.length === 0) return;
  const here = route.screen === "chat" ? rows.findIndex((row) => isRowOf(row, route)) : -1;
  const { serverId, sessionId } = rows[(here + step + rows.length) % rows.length]!;
  const next = { screen: "chat", serverId, ...(sessionId !== undefined && { sessionId }) } as const;
  if (hrefOf(next) !== location.pathname) app.go(next);
}

// In something that takes an Enter there.
function isInDialog(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("dialog button, dialog form") !== null;
}

function isFilledSearch(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === "search" && target.value !== "";
}

function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const isField = target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
  return isField || (target instanceof HTMLInputElement && !/^(checkbox|radio|button)$/.test(target.type));
}

// A digit answers only where it would not be typed: in no field, or in the composer while it is empty.
function mayTakeDigit(target: EventTarget | null): boolean {
  const composer = document.querySelector<HTMLTextAreaElement>("#composer");
  if (composer && composer.value !== "") return false;
  return !isTextField(target) || target === composer;
}
