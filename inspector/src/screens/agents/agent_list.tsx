// All agents with a word each; where there is room also version, source and credentials.
import { useEffect, useRef } from "preact/hooks";
import type { AgentInfo } from "sandbox-agent/daemon";
import { useDesk } from "../../lib/agent_desk.js";
import { useApp } from "../../lib/context.js";
import { Icon } from "../../parts/icon.js";
import { credentialsWord, sourceWord } from "../../state/agent_words.js";
import { hrefOf } from "../../state/route.js";
import { RouteLink } from "../route_link.js";
import { StateWord } from "./state_word.js";

export function AgentList({ agents, chosen }: { agents: readonly AgentInfo[]; chosen: string | undefined }) {
  const [, { installs }] = useDesk(useApp());
  const list = useRef<HTMLUListElement>(null);
  const before = useRef(chosen);
  useEffect(() => {
    const left = before.current;
    before.current = chosen;
    if (chosen !== undefined || left === undefined || document.activeElement !== document.body) return;
    list.current?.querySelector<HTMLElement>(`[href="${CSS.escape(hrefOf({ screen: "agents", agent: left }))}"]`)?.focus();
  }, [chosen]);
  if (agents.length === 0) return <p class="quiet">The daemon knows no agents.</p>;
  return (
    <nav aria-label="Agents">
      <ul class="roster" ref={list}>
        {agents.map((agent) => (
          <li key={agent.id}>
            <RouteLink
              route={{ screen: "agents", agent: agent.id }}
              class="roster-row"
              aria-current={agent.id === chosen ? "page" : undefined}
            >
              <span class="roster-name">
                {agent.name} <code class="quiet">{agent.id}</code>
              </span>
              <StateWord agent={agent} install={installs[agent.id]} />
              {chosen === undefined && <About agent={agent} />}
              {chosen === undefined && <Icon name="chevron-right" />}
            </RouteLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function About({ agent }: { agent: AgentInfo }) {
  const { version, installed, install } = agent;
  const source = install.source === undefined ? undefined : sourceWord(install.source);
  return (
    <>
      <span class="roster-version quiet">
        {installed ? [version, source].filter(Boolean).join(" · ") : source === undefined ? "" : `from ${source}`}
      </span>
      <span class="roster-credentials quiet">Credentials {credentialsWord(agent)}</span>
    </>
  );
}
