// The turn that runs behind another screen: its title leads to it, and it can be stopped from here. Chat and Trace have it in their own place.
import { useApp, useAppState } from "../../lib/context.js";
import { Icon } from "../../parts/icon.js";
import { StopButton } from "../chat/stop_button.js";
import { RouteLink } from "../route_link.js";

export function RunningChip() {
  const app = useApp();
  const isElsewhere = useAppState(({ route }) => route.screen !== "chat" && route.screen !== "trace");
  const session = useAppState(() => (isElsewhere ? app.runningSession : undefined));
  const isAsking = useAppState(() => (session?.asks.length ?? 0) > 0);
  const title = useAppState(() => session?.title);
  const serverId = app.shown.serverId;
  if (!session || serverId === undefined) return null;
  return (
    <section class="chip" aria-label="Running">
      <RouteLink class="chip-title" route={{ screen: "chat", serverId, sessionId: session.sessionId }}>
        <Icon name={isAsking ? "warn" : "spinner"} />
        <span>
          {title}
          {isAsking && ": waiting for you"}
        </span>
      </RouteLink>
      <StopButton session={session} serverId={serverId} />
    </section>
  );
}
