// What the daemon knows of an agent: version, where it came from, its credentials, its processes.
import type { ComponentChildren } from "preact";
import type { AgentInfo } from "sandbox-agent/daemon";
import { useAppState } from "../../lib/context.js";
import type { Trial } from "../../state/agent_trial.js";
import {
  aboutSource,
  commandLine,
  credentialsHint,
  credentialsWord,
  registryWord,
  setUpLines,
  sourceWord,
} from "../../state/agent_words.js";
import { RouteLink } from "../route_link.js";
import { Artifacts } from "./artifacts.js";

export interface AgentFactsProps {
  readonly agent: AgentInfo;
  readonly trial: Trial | undefined;
  /** It is being installed, or that failed: what was known before says nothing more. */
  readonly wasTried: boolean;
}

export function AgentFacts({ agent, trial, wasTried }: AgentFactsProps) {
  const { installed, install, aliases, version } = agent;
  const command = commandLine(agent);
  return (
    <>
      <dl class="agent-facts">
        <Fact name="Version">{installed ? (version ?? "unknown") : "–"}</Fact>
        <Fact name={installed ? "Source" : "Would come from"}>
          {sourceWord(install.source)}
          {install.source !== undefined && <span class="quiet"> – {aboutSource(install.source)}</span>}
        </Fact>
        {install.source !== "builtin" && (
          <Fact name="Registry">
            {registryWord(install.registry)}
            {!installed && <span class="quiet"> – as far as the daemon knows by now</span>}
            {install.registryCopyOf !== undefined && <span class="quiet"> – a copy of {install.registryCopyOf} was used</span>}
          </Fact>
        )}
        <Fact name="Credentials">
          <Credentials agent={agent} />
        </Fact>
        {installed && (
          <Fact name="Last check">
            <LastCheck install={install} trial={trial} />
          </Fact>
        )}
        {install.installedAtMs !== undefined && (
          <Fact name="Installed">
            {timeOf(install.installedAtMs)}
            {install.fromBundle === true && ", from a bundle"}
          </Fact>
        )}
        {command !== undefined && (
          <Fact name="Started as">
            <code>{command}</code>
          </Fact>
        )}
        <Fact name="Processes">
          <Processes id={agent.id} />
        </Fact>
        <Fact name="Id">
          <code>{agent.id}</code>
          {aliases.length > 0 && <span class="quiet"> – also found as {aliases.join(", ")}</span>}
        </Fact>
      </dl>
      {install.problem !== undefined && !wasTried && (
        <p class="problem problem-gap">As far as the daemon knows by now: {install.problem}</p>
      )}
      <Artifacts artifacts={install.artifacts} />
      {!installed && (
        <section aria-label="How to get it">
          <h2>How to get it</h2>
          {setUpLines(agent).map((line) => (
            <p key={line}>{line.split("`").map((text, at) => (at % 2 === 1 ? <code key={at}>{text}</code> : text))}</p>
          ))}
        </section>
      )}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Credentials({ agent }: { agent: AgentInfo }) {
  const hint = credentialsHint(agent);
  switch (agent.credentials) {
    case "missing":
      return (
        <>
          {credentialsWord(agent)}
          <p class="quiet">
            To add: {hint ?? "see the agent’s own pages."} A variable counts for a daemon that was started with it; a file at
            once.
          </p>
        </>
      );
    case "found":
      return (
        <>
          {credentialsWord(agent)}
          <span class="quiet"> – whether they are accepted shows only when they are used</span>
        </>
      );
    case "unknown":
      return (
        <>
          {credentialsWord(agent)}
          <span class="quiet"> – nothing tells where this agent keeps them</span>
        </>
      );
    default:
      return <>{credentialsWord(agent)}</>;
  }
}

function LastCheck({ install, trial }: { install: AgentInfo["install"]; trial: Trial | undefined }) {
  const tested = trial?.at !== undefined && trial.state !== "cancelled";
  if (tested)
    return (
      <>
        {trial.state === "answered" ? "answered" : "failed"}, {timeOf(trial.at!)}
        <span class="quiet"> – the test on this page</span>
      </>
    );
  if (install.source === "builtin") return <>not needed</>;
  if (!install.verified) return <>never</>;
  return (
    <>
      tried out {install.verifiedAtMs === undefined ? "after the install" : timeOf(install.verifiedAtMs)}
      <span class="quiet"> – by the daemon, after the install</span>
    </>
  );
}

function Processes({ id }: { id: string }) {
  const instances = useAppState((state) => state.instances);
  const ours = instances.filter(({ agent, status }) => agent === id && status !== "exited");
  if (ours.length === 0) return <>none runs</>;
  return (
    <ul class="agent-processes">
      {ours.map(({ serverId, status, phase }) => (
        <li key={serverId}>
          <RouteLink route={{ screen: "chat", serverId }}>{serverId}</RouteLink>{" "}
          <span class="quiet">{status === "starting" ? (phase ?? status) : status}</span>
        </li>
      ))}
    </ul>
  );
}

const timeOf = (ms: number) => new Date(ms).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
