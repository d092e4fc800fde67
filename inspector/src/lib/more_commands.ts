// What can be done from anywhere and has no key. Loaded with the palette.
import type { SideTab, Theme } from "../state/app.js";
import { isRowOf, sessionRows } from "../state/session_list.js";
import type { App } from "./app.js";
import type { Command } from "./commands.js";
import { wish } from "./key_wishes.js";
import { runningIn, stopAll } from "./stop_all.js";

const isTalking = (app: App) => app.conversation !== undefined;

const theme = (value: Theme, name: string): Command => ({
  name: `Theme: ${name}`,
  isPossible: (app) => app.store.state.theme !== value,
  run: (app) => app.setTheme(value),
});

const details = (tab: SideTab, name: string): Command => ({
  name: `Show ${name}`,
  isPossible: isTalking,
  run: (app) => app.side(true, tab),
});

const rowHere = (app: App) => sessionRows(app.store.state).find((row) => isRowOf(row, app.here));

const archive = (isArchived: boolean, name: string): Command => ({
  name,
  isPossible: (app) => rowHere(app)?.sessionId !== undefined && rowHere(app)?.isArchived !== isArchived,
  run(app) {
    const { serverId, sessionId } = rowHere(app) ?? {};
    if (serverId !== undefined && sessionId !== undefined) app.notes.change({ serverId, sessionId }, { isArchived });
  },
});

async function exportHere(app: App): Promise<void> {
  const { serverId } = app.here;
  if (serverId === undefined) return;
  try {
    const { exportTrace } = await import("./trace_file.js");
    await exportTrace(app, serverId);
  } catch (error) {
    app.store.dispatch({ type: "notice", notice: `Not exported: ${(error as Error).message}` });
  }
}

/** Of every process, also of those that others use: never what Enter does unasked. */
export const stopEverything: Command = {
  name: "Stop all running turns",
  isPossible: (app) => runningIn(app).length > 0,
  run: (app) => void stopAll(app),
};

export const moreCommands: readonly Command[] = [
  { name: "Jump to the latest message", isPossible: isTalking, run: () => wish("latest") },
  details("trace", "the Trace beside the conversation"),
  details("changes", "what was changed"),
  details("files", "the files of the session's folder"),
  details("stderr", "the error output"),
  {
    name: "Rename this session",
    isPossible: (app) => rowHere(app)?.sessionId !== undefined,
    run: (app) => app.open("rename"),
  },
  archive(true, "Archive this session"),
  archive(false, "Unarchive this session"),
  {
    name: "Export the Trace of this session",
    isPossible: (app) => app.here.serverId !== undefined,
    run: (app) => void exportHere(app),
  },
  {
    name: "Ask the daemon again",
    isPossible: (app) => app.store.state.daemon.word === "unreachable",
    run: (app) => app.retryDaemon(),
  },
  { name: "Replay a trace file", run: (app) => app.go({ screen: "replay" }) },
  { name: "All sessions", run: (app) => app.go({ screen: "chat" }) },
  theme("system", "as the system has it"),
  theme("light", "light"),
  theme("dark", "dark"),
  theme("contrast", "high contrast"),
];
