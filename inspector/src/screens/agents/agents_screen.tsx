// The agents: which there are, what is installed of each, and one of them in detail. The list beside it where there is room, else one
// of the two. It is asked for again every few seconds, for others may install too.
import { useEffect } from "preact/hooks";
import type { AgentInfo } from "sandbox-agent/daemon";
import { useDesk } from "../../lib/agent_desk.js";
import { useApp, useAppState } from "../../lib/context.js";
import { Icon } from "../../parts/icon.js";
import { ProblemCard } from "../problem_card.js";
import { RouteLink } from "../route_link.js";
import { AgentList } from "./agent_list.js";
import { AgentPage } from "./agent_page.js";
import "./agents.css";

const everyMs = 3_000;

export function AgentsScreen() {
  const app = useApp();
  const [desk, { listFailure }] = useDesk(app);
  const agents = useAppState((state) => state.agents);
  const route = useAppState((state) => state.route);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && void desk.refresh(), everyMs);
    void desk.refresh();
    return () => clearInterval(timer);
  }, [desk]);
  const chosen = route.screen === "agents" ? route.agent : undefined;
  const isReady = agents.state === "ready";
  const failure = agents.state === "failed" ? agents : listFailure;
  return (
    <div class={chosen === undefined ? "roster-screen" : "roster-screen roster-screen-one"}>
      <div class="roster-pane">
        {chosen !== undefined && isReady ? <h2>Agents</h2> : <h1>Agents</h1>}
        {agents.state === "loading" && <p class="quiet">Asking for the agents …</p>}
        {failure && (
          <ProblemCard title="The list of agents could not be read" problem={failure} onRetry={() => void desk.refresh()} />
        )}
        {isReady && <AgentList agents={agents.value} chosen={chosen} />}
      </div>
      {chosen !== undefined && isReady && <Chosen id={chosen} agents={agents.value} />}
    </div>
  );
}

function Chosen({ id, agents }: { id: string; agents: readonly AgentInfo[] }) {
  const agent = agents.find((one) => one.id === id || one.aliases.includes(id));
  return (
    <div class="agent-pane">
      <RouteLink route={{ screen: "agents" }} class="agent-back">
        <Icon name="chevron-left" /> All agents
      </RouteLink>
      {agent ? (
        <AgentPage key={agent.id} agent={agent} />
      ) : (
        <div class="agent-page">
          <h1>There is no agent “{id}”</h1>
          <p>The daemon knows none of this name. It may have been started with other agents.</p>
        </div>
      )}
    </div>
  );
}
