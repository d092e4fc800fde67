// The folder that the shown session works in.
import type { App } from "./app.js";

export function sessionFolder(app: App): string | undefined {
  const { serverId, sessionId } = app.here;
  if (serverId === undefined || sessionId === undefined) return undefined;
  const session = app.store.state.shown?.view.sessions.get(sessionId);
  return session?.settings.cwd || app.notes.find(serverId, sessionId)?.cwd || undefined;
}
