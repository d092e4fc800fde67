// The sections of the page.
import type { Route } from "../../state/route.js";
import { hrefOf } from "../../state/route.js";
import { useApp, useAppState } from "../../lib/context.js";
import { Icon, type IconName } from "../../parts/icon.js";

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
      <a
        class="rail-sessions"
        href="/ui/"
        aria-current={isHome ? "page" : undefined}
        onClick={(event) => {
          event.preventDefault();
          app.go({ screen: "chat" });
        }}
      >
        <Icon name="log" />
        <span>Sessions</span>
      </a>
      {sections.map(([name, icon, route]) => (
        <a
          key={name}
          href={hrefOf(route)}
          aria-current={screen === route.screen ? "page" : undefined}
          onClick={(event) => {
            event.preventDefault();
            app.go(route);
          }}
        >
          <Icon name={icon} />
          <span>{name}</span>
        </a>
      ))}
    </nav>
  );
}
