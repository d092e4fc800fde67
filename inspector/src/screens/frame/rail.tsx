// The sections of the page.
import type { Route } from "../../state/route.js";
import { useApp, useAppState } from "../../lib/context.js";
import { Icon, type IconName } from "../../parts/icon.js";
import { RouteLink } from "../route_link.js";

export function Rail() {
  const app = useApp();
  const screen = useAppState(({ route }) => route.screen);
  const serverId = useAppState(({ shown }) => shown?.serverId);
  const sessionId = useAppState(() => app.conversation?.sessionId);
  const here = serverId === undefined ? {} : { serverId };
  const sections: [string, IconName, Route][] = [
    ["Chat", "chat", { screen: "chat", ...here, ...(sessionId !== undefined && { sessionId }) }],
    ["Trace", "trace", { screen: "trace", ...here }],
  ];
  const isHome = useAppState(({ route }) => route.screen === "chat" && route.serverId === undefined);
  return (
    <nav class="rail" aria-label="Sections">
      <RouteLink class="rail-sessions" route={{ screen: "chat" }} aria-current={isHome ? "page" : undefined}>
        <Icon name="log" />
        <span>Sessions</span>
      </RouteLink>
      {sections.map(([name, icon, route]) => (
        <RouteLink key={name} route={route} aria-current={screen === route.screen ? "page" : undefined}>
          <Icon name={icon} />
          <span>{name}</span>
        </RouteLink>
      ))}
    </nav>
  );
}
