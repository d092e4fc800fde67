// What can be done from anywhere: a name, keys, whether it is possible now. The keys (lib/keys), the list of them and the palette are made
// of this table; what has no key is in lib/more_commands, which is loaded with the palette.
import { routeTo, sections } from "../state/sections.js";
import type { App } from "./app.js";
import { wish, type KeyWish } from "./key_wishes.js";
import { moveInList, toNeighbour } from "./moves.js";

export interface Command {
  readonly name: string;
  /** As pressed: "n", "g c" one after the other, "mod+k" with Ctrl or ⌘. */
  readonly keys?: string;
  /** Left out: always. */
  readonly isPossible?: (app: App) => boolean;
  readonly run: (app: App) => void;
}

const isTalking = (app: App) => app.conversation !== undefined;
const hasTrace = ({ store: { state } }: App) =>
  state.route.screen === "chat"
    ? state.side.open && state.side.tab === "trace"
    : state.route.screen === "trace" || state.route.screen === "replay";
const wishFor = (what: KeyWish) => ({ isPossible: isTalking, run: () => wish(what) });

export const commands: readonly Command[] = [
  { name: "Search everything", keys: "mod+k", run: (app) => app.open("palette") },
  { name: "New session", keys: "n", run: (app) => app.openNew() },
  {
    name: "Stop the turn",
    keys: "escape",
    isPossible: (app) => app.runningSession !== undefined,
    run: (app) => void app.turns.stop(app.runningSession!),
  },
  { name: "Write a message, or a command", keys: "/", ...wishFor("focus composer") },
  { name: "Show the message behind the selected thing", keys: "r", ...wishFor("raw") },
  { name: "Filter the Trace", keys: "f", isPossible: hasTrace, run: () => wish("filter") },
  { name: "Details on or off", keys: ".", isPossible: isTalking, run: (app) => app.side(!app.store.state.side.open) },
  { name: "Previous session", keys: "mod+arrowup", run: (app) => toNeighbour(app, -1) },
  { name: "Next session", keys: "mod+arrowdown", run: (app) => toNeighbour(app, 1) },
  { name: "Previous turn", keys: "[", ...wishFor("previous turn") },
  { name: "Next turn", keys: "]", ...wishFor("next turn") },
  { name: "Down in a list", keys: "j", run: (app) => moveInList(app, 1) },
  { name: "Up in a list", keys: "k", run: (app) => moveInList(app, -1) },
  ...sections.map((section) => ({
    name: `Go to ${section.name}`,
    keys: `g ${section.letter}`,
    run: (app: App) => app.go(routeTo(section, app.here)),
  })),
  { name: "Keys", keys: "?", run: (app) => app.open("keys") },
];
