// What the palette offers: what can be done now, and the places one can go to.
import type { Findable } from "../state/palette.js";
import { sections } from "../state/sections.js";
import { sessionRows } from "../state/session_list.js";
import type { App } from "./app.js";
import { commands, type Command } from "./commands.js";
import { moreCommands, stopEverything } from "./more_commands.js";

export interface FoundFiles {
  readonly folder: string;
  /** From the folder on. */
  readonly names: readonly string[];
}

export interface PaletteEntry extends Findable {
  readonly group: "Actions" | "Sessions" | "Go to" | "Agents" | "Files";
  /** As lib/commands has them. */
  readonly keys?: string;
  readonly run: (app: App) => void;
}

export function entriesOf(app: App, files: FoundFiles | undefined): PaletteEntry[] {
  const possible = [...commands, stopEverything, ...moreCommands].filter(
    (command) => !isOfThePalette(command) && command.isPossible?.(app) !== false,
  );
  const [places, actions] = [possible.filter(isPlace), possible.filter((command) => !isPlace(command))];
  return [
    ...actions.map((command) => ({ ...command, group: "Actions" as const })),
    ...sessions(app),
    ...places.map((command) => ({ ...command, group: "Go to" as const })),
    ...agents(app),
    ...(files ? entriesOfFiles(files) : []),
  ];
}

const isPlace = ({ keys = "" }: Command) => sections.some(({ letter }) => keys === `g ${letter}`);
const isOfThePalette = ({ keys }: Command) => keys === "mod+k" || keys === "j" || keys === "k";

function sessions(app: App): PaletteEntry[] {
  return sessionRows(app.store.state).map(({ serverId, sessionId, title, agent, word, folder = "" }) => ({
    group: "Sessions",
    name: title,
    about: [agent, word, folder].filter(Boolean).join(" · "),
    run: () => app.go({ screen: "chat", serverId, ...(sessionId !== undefined && { sessionId }) }),
  }));
}

function agents(app: App): PaletteEntry[] {
  const { agents } = app.store.state;
  if (agents.state !== "ready") return [];
  return agents.value.map(({ id, name }) => ({
    group: "Agents",
    name,
    about: id,
    run: () => app.go({ screen: "agents", agent: id }),
  }));
}

function entriesOfFiles({ folder, names }: FoundFiles): PaletteEntry[] {
  const base = folder.replace(/\/+$/, "");
  return names.map((name) => ({
    group: "Files",
    name,
    run: (app) => app.go({ screen: "files", path: `${base}/${name}` }),
  }));
}
