// Says by a notification of the browser that an agent waits, while the page is hidden. Only when the user wanted it.
import type { App } from "./app.js";

/** "never": there are none here. */
export const canNotify = (): NotificationPermission | "never" =>
  typeof Notification === "undefined" ? "never" : Notification.permission;

let stop: (() => void) | undefined;

/** Asks the browser, if it was not asked before. Answers whether it may. */
export async function startNotifying(app: App): Promise<boolean> {
  if (canNotify() === "never") return false;
  if ((await Notification.requestPermission()) !== "granted") return false;
  listen(app);
  return true;
}

/** For a page whose user wanted it before: asks nobody. */
export function goOnNotifying(app: App): void {
  if (canNotify() === "granted") listen(app);
}

export function stopNotifying(): void {
  stop?.();
  stop = undefined;
}

function listen(app: App): void {
  let before = new Set(app.waiting.map(({ key }) => key));
  stop ??= app.store.subscribe(() => {
    const rows = app.waiting;
    const news = rows.filter(({ key }) => !before.has(key));
    before = new Set(rows.map(({ key }) => key));
    if (!document.hidden) return;
    for (const { key, title, agent, serverId, sessionId } of news) {
      // Tabs that say the same replace each other's.
      const notification = new Notification(`${title} needs you`, { body: `${agent} waits for an answer.`, tag: key });
      notification.onclick = () => {
        window.focus();
        notification.close();
        app.go({ screen: "chat", serverId, ...(sessionId !== undefined && { sessionId }) });
      };
    }
  });
}
