// The sections of the page: their names, icons, letters behind G, and where each leads. The rail, the keys and the palette read this.
import type { Route } from "./route.js";

export interface Section {
  readonly screen: Route["screen"];
  readonly name: string;
  readonly icon: "chat" | "agents" | "files" | "config" | "log" | "trace";
  /** Goes there after G. */
  readonly letter: string;
}

export const sections: readonly Section[] = [
  { screen: "chat", name: "Chat", icon: "chat", letter: "c" },
  { screen: "trace", name: "Trace", icon: "trace", letter: "t" },
  { screen: "agents", name: "Agents", icon: "agents", letter: "a" },
  { screen: "files", name: "Files", icon: "files", letter: "f" },
  { screen: "config", name: "Config", icon: "config", letter: "m" },
  { screen: "log", name: "Log", icon: "log", letter: "l" },
];

/** What a screen is called, whether it is a section or not. */
export function screenName(screen: Route["screen"]): string {
  return sections.find((section) => section.screen === screen)?.name ?? (screen === "replay" ? "Replay" : "Not found");
}

/** The session that Chat and Trace are about. */
export interface Here {
  readonly serverId?: string;
  readonly sessionId?: string;
}

/** Where a section leads from here. */
export function routeTo({ screen }: Section, { serverId, sessionId }: Here): Route {
  const process = serverId === undefined ? {} : { serverId };
  if (screen === "chat") return { screen, ...process, ...(serverId !== undefined && sessionId !== undefined && { sessionId }) };
  if (screen === "trace") return { screen, ...process };
  return { screen } as Route;
}
