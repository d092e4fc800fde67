// What an agent can do: what it answered itself, if it was asked on this page; and what is expected of it, marked as such.
import type { AgentInfo } from "sandbox-agent/daemon";
import { Icon } from "../../parts/icon.js";
import type { Answered } from "../../state/agent_trial.js";
import { capabilityWord } from "../../state/agent_words.js";

export function AgentCapabilities({ agent, answered }: { agent: AgentInfo; answered: Answered | undefined }) {
  const expected = Object.entries(agent.capabilities).filter(([, can]) => can);
  return (
    <section aria-label="Capabilities">
      <h2>Capabilities</h2>
      {answered && (
        <>
          <h3>Answered by the agent</h3>
          {answered.capabilities.length === 0 && <p class="quiet">It named none.</p>}
          <ul class="agent-can" aria-label="Answered capabilities">
            {answered.capabilities.map(({ name, value }) => (
              <li key={name} data-can={value === "no" ? "no" : "yes"}>
                <Icon name={value === "no" ? "cross" : "check"} /> {capabilityWord(name)}
                <span class={value === "yes" || value === "no" ? "visually-hidden" : "quiet"}>: {value}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>
        Expected{" "}
        <span class="quiet">
          – from its description, not from the agent{answered || !agent.installed ? "" : "; Test asks it"}
        </span>
      </h3>
      {expected.length === 0 ? (
        <p class="quiet">Nothing is known.</p>
      ) : (
        <ul class="agent-can agent-can-expected" aria-label="Expected capabilities">
          {expected.map(([name]) => (
            <li key={name}>{capabilityWord(name)}</li>
          ))}
        </ul>
      )}
      <Choices name="Models" choices={agent.models} />
      <Choices name="Modes" choices={agent.modes} />
    </section>
  );
}

function Choices({ name, choices }: { name: string; choices: AgentInfo["models"] }) {
  if (!choices || choices.values.length === 0) return null;
  return (
    <>
      <h3>
        {name} <span class="quiet">– {choices.origin === "probed" ? "answered by the agent" : "expected"}</span>
      </h3>
      <ul class="agent-can agent-can-expected" aria-label={name}>
        {choices.values.map(({ value, name: word }) => (
          <li key={value}>
            {word}
            {value === choices.current && <span class="quiet"> default</span>}
          </li>
        ))}
      </ul>
    </>
  );
}
