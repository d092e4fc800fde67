// The addresses of the page: what each shows, and the link to it.

export type Route =
  | { readonly screen: "chat"; readonly serverId?: string; readonly sessionId?: string; readonly turn?: number }
  | { readonly screen: "trace"; readonly serverId?: string; readonly seq?: string }
  | { readonly screen: "unknown"; readonly path: string };

export function routeOf({ pathname, search, hash }: { pathname: string; search: string; hash: string }): Route {
  const unknown = { screen: "unknown", path: pathname } as const;
  const words = pathname
    .replace(/^\/ui\/?/, "")
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
    case "unknown":
      return route.path;
  }
}

// An agent may give any name, also one that is no text.
function encoded(word: string): string {
  try {
    return encodeURIComponent(word);
  } catch {
    return encodeURIComponent(word.replace(/\p{Surrogate}/gu, "\ufffd"));
  }
}

function decoded(word: string): string | undefined {
  try {
    return decodeURIComponent(word);
  } catch {
    return undefined;
  }
}
