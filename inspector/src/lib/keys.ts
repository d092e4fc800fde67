// The keys that work everywhere, as lib/commands has them. Single letters act only when no text field has the focus, and can be
// switched off.
import type { App } from "./app.js";
import { commands } from "./commands.js";
import { digits, layer } from "./key_wishes.js";
import { kept } from "./kept.js";

export { digits, onKeyWish, wish, type KeyWish } from "./key_wishes.js";

const firstMs = 1_500; // so long the first of two keys counts
const byKeys = new Map(commands.map((command) => [command.keys, command]));
const firsts = new Set(commands.flatMap(({ keys = "" }) => (/^\w \w$/.test(keys) ? keys.slice(0, 1) : [])));

export function listenToKeys(app: App): void {
  let first = ""; // of two keys
  let firstAt = 0;
  let taken = ""; // the digit that answered, as long as it is held
  const run = (event: KeyboardEvent, keys: string) => {
    const command = byKeys.get(keys);
    if (!command || command.isPossible?.(app) === false) return;
    event.preventDefault();
    command.run(app);
  };
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const key = event.key.toLowerCase();
    if (key === "enter" && app.store.state.dialog === "new" && !isInDialog(event.target)) {
      app.isHurried = true;
      return event.preventDefault();
    }
    if (document.querySelector("dialog[open]")) return;
    const isWritten = event.getModifierState("AltGraph"); // a sign that needs it, such as [ on many keyboards
    if (!isWritten && (event.ctrlKey || event.metaKey)) return run(event, `mod+${key}`);
    if (!isWritten && event.altKey) return;
    if (key === "escape") {
      if (event.repeat || isFilledSearch(event.target)) return; // it was pressed for what is closed by now, or empties the field
      if (!layer.close) return maySpeakForChat(app, event.target) ? run(event, key) : undefined;
      event.preventDefault();
      return layer.close();
    }
    if (event.repeat && key === taken) return event.preventDefault();
    taken = /^[1-9]$/.test(key) && !event.repeat && mayTakeDigit(event.target) && digits.take?.(Number(key)) ? key : "";
    if (taken) return event.preventDefault();
    if (isTextField(event.target) || kept("letters") === false) return;
    const two = Date.now() - firstAt < firstMs ? `${first} ${key}` : "";
    firstAt = 0;
    if (byKeys.has(two)) return run(event, two);
    if (!firsts.has(key)) return run(event, key);
    first = key;
    firstAt = Date.now();
    event.preventDefault();
  });
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

// Whoever writes elsewhere, or looks at a file of before, means something else than the turn that runs.
function maySpeakForChat(app: App, target: EventTarget | null): boolean {
  const { screen } = app.store.state.route;
  return screen === "chat" || (screen !== "replay" && !isTextField(target));
}

// A digit answers only where it would not be typed: in no field, or in the composer while it is empty.
function mayTakeDigit(target: EventTarget | null): boolean {
  const composer = document.querySelector<HTMLTextAreaElement>("#composer");
  if (composer && composer.value !== "") return false;
  return !isTextField(target) || target === composer;
}
