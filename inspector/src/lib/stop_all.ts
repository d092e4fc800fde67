// Stops every turn that runs in the daemon, whoever began it, and says what was asked to stop. Of the process that is shown the page knows
// its turns; the others are read first, one after the other, for only what was said in them tells which sessions are busy.
import type { Instance } from "sandbox-agent/daemon";
import { sessionKey } from "../state/app.js";
import type { Conversation } from "../state/conversation.js";
import { InstanceView } from "../state/instance.js";
import type { App } from "./app.js";
import { InstanceLink } from "./instance_link.js";
import { cancelled } from "./turn_actions.js";

const patienceMs = 3_000;

/** The processes that have something to do, as far as the daemon's list and the page know. */
export function runningIn(app: App): readonly Instance[] {
  const { instances, shown } = app.store.state;
  const isBusyHere = runningOf(shown?.view).length > 0;
  return instances.filter(({ serverId, status, pendingRequests }) =>
    serverId === shown?.serverId ? isBusyHere : status === "running" && pendingRequests > 0,
  );
}

export async function stopAll(app: App): Promise<void> {
  const stopped: string[] = [];
  const failed: string[] = [];
  for (const instance of runningIn(app)) {
    const { shown } = app.store.state;
    try {
      if (instance.serverId !== shown?.serverId) stopped.push(...(await stopElsewhere(app, instance)));
      else
        for (const session of runningOf(shown.view)) {
          void app.turns.stop(session); // says itself what went wrong, where it happened
          stopped.push(app.notes.titleOf(instance.serverId, session));
        }
    } catch (error) {
      failed.push(`${instance.serverId} (${error instanceof Error ? error.message : String(error)})`);
    }
  }
  app.store.dispatch({ type: "notice", notice: inWords(stopped, failed) });
}

function inWords(stopped: readonly string[], failed: readonly string[]): string {
  const turns = stopped.length === 1 ? "1 turn" : `${stopped.length} turns`;
  const said = stopped.length === 0 ? "No turn was stopped." : `Stopping ${turns}: ${stopped.join(", ")}.`;
  return failed.length === 0 ? said : `${said} Not stopped: ${failed.join(", ")}.`;
}

const runningOf = (view: InstanceView | undefined): Conversation[] =>
  [...(view?.sessions.values() ?? [])].filter(({ running }) => running !== undefined);

// A turn that ends meanwhile is none to stop.
async function stopElsewhere(app: App, { serverId, lastEventId }: Instance): Promise<string[]> {
  const view = new InstanceView(serverId);
  const { baseUrl, token } = app.daemon;
  let link: InstanceLink | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;
  try {
    const busy = await new Promise<Conversation[]>((resolve, reject) => {
      const look = () => {
        const running = runningOf(view);
        if (link && link.position >= lastEventId && running.length > 0) resolve(running);
      };
      patience = setTimeout(() => {
        isBusy(app, serverId).then((is) => {
          if (is) reject(new Error("it does not say which of its sessions is busy"));
          else resolve([]);
        }, reject);
      }, patienceMs);
      link = new InstanceLink({
        view,
        baseUrl,
        token,
        replayTo: lastEventId,
        onHeard: look,
        onState: look,
        onEnd: reject,
      });
      link.read();
    });
    for (const { sessionId, asks } of busy) {
      app.store.dispatch({ type: "compose", session: sessionKey(serverId, sessionId), news: { type: "hold" } });
      await link!.notify("session/cancel", { sessionId });
      for (const ask of asks) await link!.answer(ask.requestId, cancelled(ask));
    }
    return busy.map((session) => app.notes.titleOf(serverId, session));
  } finally {
    clearTimeout(patience);
    link?.close();
  }
}

async function isBusy(app: App, serverId: string): Promise<boolean> {
  const now = (await app.daemon.instances()).find((instance) => instance.serverId === serverId);
  return now?.status === "running" && now.pendingRequests > 0;
}
