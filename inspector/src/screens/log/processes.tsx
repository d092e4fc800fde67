// The agents' processes that the daemon has, whoever started them.
import { useApp, useAppState } from "../../lib/context.js";
import { sizeWords } from "../../state/size_words.js";
import { ageOf } from "../../state/session_list.js";
import { RouteLink } from "../route_link.js";

export function Processes() {
  const app = useApp();
  const instances = useAppState((state) => state.instances);
  return (
    <section class="log-card log-wide" aria-labelledby="log-processes">
      <h2 id="log-processes">Processes</h2>
      {instances.length === 0 && (
        <p class="quiet">
          No agent runs.{" "}
          <button type="button" class="button" onClick={() => app.openNew()}>
            Start a session
          </button>
        </p>
      )}
      <ul class="log-processes">
        {instances.map(({ serverId, agent, status, pid, rssBytes, createdAtMs, pendingRequests, exitCode, signal }) => {
          const end = signal ?? (exitCode === undefined ? undefined : `code ${exitCode}`);
          const words = [
            end === undefined ? status : `${status}, ${end}`,
            pid !== undefined && `pid ${pid}`,
            rssBytes !== undefined && sizeWords(rssBytes),
            `made ${ageOf(createdAtMs, Date.now())} ago`,
            pendingRequests > 0 && `${pendingRequests} requests open`,
          ];
          return (
            <li key={serverId}>
              <b>{agent}</b> <RouteLink route={{ screen: "chat", serverId }}>{serverId}</RouteLink>{" "}
              <span class="quiet">{words.filter(Boolean).join(" · ")}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
