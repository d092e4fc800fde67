// One agent: what it is, what can be done with it, what came of that, and all that is known of it.
import { useLayoutEffect, useRef } from "preact/hooks";
import type { AgentInfo } from "sandbox-agent/daemon";
import { useDesk } from "../../lib/agent_desk.js";
import { useApp } from "../../lib/context.js";
import { Link } from "../../parts/link.js";
import { ProblemCard } from "../problem_card.js";
import { AgentActions } from "./agent_actions.js";
import { AgentCapabilities } from "./agent_capabilities.js";
import { AgentFacts } from "./agent_facts.js";
import { InstallReport } from "./install_report.js";
import { StateWord } from "./state_word.js";
import { TrialReport } from "./trial_report.js";

export function AgentPage({ agent }: { agent: AgentInfo }) {
  const [desk, { installs, trials, removals }] = useDesk(useApp());
  const title = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const from = document.activeElement?.closest<HTMLElement>(".roster-row");
    if (from?.offsetParent === null) title.current?.focus(); // the list has just gone, and the focus with it
  }, []);
  const { id } = agent;
  const [install, trial, removal] = [installs[id], trials[id], removals[id]];
  return (
    <article class="agent-page" aria-label={agent.name}>
      <header class="agent-head">
        <h1 ref={title} tabIndex={-1}>
          {agent.name}
        </h1>
        <StateWord agent={agent} install={install} />
        {agent.description !== undefined && <p class="agent-description">{agent.description}</p>}
      </header>
      <AgentActions agent={agent} install={install} trial={trial} isRemoving={removal === "working"} />
      {install && <InstallReport agent={agent} install={install} />}
      {removal !== undefined && removal !== "working" && (
        <ProblemCard title="Not removed" problem={removal} onRetry={() => void desk.remove(id)} />
      )}
      {trial && <TrialReport trial={trial} onCancel={() => desk.cancelTest(id)} />}
      <AgentFacts agent={agent} trial={trial} wasTried={install !== undefined} />
      <AgentCapabilities agent={agent} answered={trial?.answered} />
      <footer class="agent-foot quiet">
        {agent.license !== undefined && <p>Licence: {agent.license}</p>}
        {agent.homepage !== undefined && (
          <p>
            Home: <Link href={agent.homepage} />
          </p>
        )}
      </footer>
    </article>
  );
}
