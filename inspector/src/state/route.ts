// The addresses of the page: what each shows, and the link to it.

export type Route =
  | { readonly screen: "chat"; readonly serverId?: string; readonly sessionId?: string; readonly turn?: number }
  | { readonly screen: "trace"; readonly serverId?: string; readonly seq?: string }
  | { readonly screen: "agents"; readonly agent?: string }
  | { readonly screen: "files"; readonly path?: string }
  | { readonly screen: "config"; readonly kind?: ConfigKind; readonly folder?: string }
  | { readonly screen: "log" }
  | { readonly screen: "replay"; readonly file?: string }
  | { readonly screen: "unknown"; readonly path: string };

/** What a folder can be configured with. */
export type ConfigKind = "mcp" | "skills";

export function routeOf({ pathname, search, hash }: { pathname: string; search: string; hash: string }): Route {
  const unknown = { screen: "unknown", path: pathname } as const;
  const words = pathname
    .replace(/^\/ui(?:\/|$)/, "")
    .split("/")
    .filter(Boolean)
    .map(decoded);
  if (words.includes(undefined)) return unknown;
  const [section, serverId, sessionId, ...rest] = words as string[];
  if (rest.length > 0) return unknown;
  if (section === undefined) return { screen: "chat" };
  if (section === "s" && serverId !== undefined) {
    const turn = Number(new URLSearchParams(search).get("turn") ?? Number.NaN);
    return {
      screen: "chat",
      serverId,
      ...(sessionId !== undefined && { sessionId }),
      ...(Number.isInteger(turn) && turn > 0 && { turn }),
    };
  }
  if (section === "trace" && sessionId === undefined) {
    const seq = /^#(\d+(?:\.\d+)?)$/.exec(hash)?.[1];
    return { screen: "trace", ...(serverId !== undefined && { serverId }), ...(seq !== undefined && { seq }) };
  }
  if (sessionId !== undefined) return unknown;
  if (section === "agents") return { screen: "agents", ...(serverId !== undefined && { agent: serverId }) };
  const asked = (name: string) => new URLSearchParams(search).get(name) || undefined;
  if (section === "config" && (serverId === undefined || serverId === "mcp" || serverId === "skills")) {
    const folder = asked("folder");
    return { screen: "config", ...(serverId !== undefined && { kind: serverId }), ...(folder !== undefined && { folder }) };
  }
  if (serverId !== undefined) return unknown;
  if (section === "files") {
    const path = asked("path");
    return { screen: "files", ...(path !== undefined && { path }) };
  }
  if (section === "replay") {
    const file = asked("file");
    return { screen: "replay", ...(file !== undefined && { file }) };
  }
  if (section === "log") return { screen: "log" };
  return unknown;
}

export function hrefOf(route: Route): string {
  const path = (...words: (string | undefined)[]) =>
    words.flatMap((word) => (word === undefined ? [] : [encoded(word)])).join("/");
  switch (route.screen) {
    case "chat":
      if (route.serverId === undefined) return "/ui/";
      return `/ui/${path("s", route.serverId, route.sessionId)}${route.turn === undefined ? "" : `?turn=${route.turn}`}`;
    case "trace":
      return `/ui/${path("trace", route.serverId)}${route.seq === undefined ? "" : `#${route.seq}`}`;
    case "agents":
      return `/ui/${path("agents", route.agent)}`;
    case "files":
      return `/ui/files${query("path", route.path)}`;
    case "config":
      return `/ui/${path("config", route.kind)}${query("folder", route.folder)}`;
    case "replay":
      return `/ui/replay${query("file", route.file)}`;
    case "log":
      return "/ui/log";
    case "unknown":
      return route.path;
  }
}

// Slashes of a path stay readable.
const query = (name: string, value: string | undefined) =>
  value === undefined ? "" : `?${name}=${encoded(value).replaceAll("%2F", "/")}`;

// Names come from agents: half a character in one is no reason to fail.
const encoded = (word: string) => encodeURIComponent(word.replace(/\p{Surrogate}/gu, "\ufffd"));

function decoded(word: string): string | undefined {
  try {
    return decodeURIComponent(word);
  } catch {
    return undefined;
  }
}
