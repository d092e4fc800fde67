// An install: its steps while it goes on, then how it ended.
import { useEffect, useState } from "preact/hooks";
import type { AgentInfo } from "sandbox-agent/daemon";
import { useDesk } from "../../lib/agent_desk.js";
import { useApp } from "../../lib/context.js";
import { Icon } from "../../parts/icon.js";
import { isUnderWay, percentOf, phaseWord, speedOf, timeWord, type Install } from "../../state/agent_install.js";
import { sizeWords } from "../../state/size_words.js";
import { ProblemCard } from "../problem_card.js";
import { Offline } from "./offline.js";
import { RemoveDialog } from "./remove_dialog.js";

export function InstallReport({ agent, install }: { agent: AgentInfo; install: Install }) {
  const [desk] = useDesk(useApp());
  const { state, failure, version, tookMs, wasThere } = install;
  if (state === "failed" && failure)
    return (
      <>
        <ProblemCard title="Not installed" problem={failure}>
          <button type="button" class="button button-main" onClick={() => void desk.install(agent, install.wish)}>
            Retry
          </button>
          <button type="button" class="button" onClick={() => desk.dismiss(agent.id)}>
            Dismiss
          </button>
        </ProblemCard>
        {failure.isOffline && <Offline id={agent.id} />}
      </>
    );
  return (
    <section class="agent-card" aria-label="Install">
      {isUnderWay(install) ? (
        <UnderWay agent={agent} install={install} />
      ) : (
        <p class="agent-outcome" role="status">
          <Icon name={state === "done" ? "check" : "cross"} />
          <span>
            {state === "cancelled"
              ? install.replaces
                ? "The install was cancelled, and the agent removed."
                : "The install was cancelled. Nothing of it was left behind."
              : wasThere
                ? `Version ${version ?? "unknown"} was there already: nothing was done.`
                : `Installed version ${version ?? "unknown"} in ${timeWord(tookMs ?? 0)}.`}
          </span>
          <button type="button" class="link-button" onClick={() => desk.dismiss(agent.id)}>
            Dismiss
          </button>
        </p>
      )}
    </section>
  );
}

function UnderWay({ agent, install }: { agent: AgentInfo; install: Install }) {
  const [desk] = useDesk(useApp());
  const [isAsking, setAsking] = useState(false);
  const { steps, bytes, total, failure } = install;
  const [percent, speed] = [percentOf(install), speedOf(install)];
  const phase = steps.at(-1)?.phase;
  const isCancelling = install.state === "cancelling";
  const amount =
    bytes === undefined ? undefined : total === undefined ? sizeWords(bytes) : `${sizeWords(bytes)} of ${sizeWords(total)}`;
  const figures = [percent === undefined ? undefined : `${percent} %`, amount, speed && `${sizeWords(speed)}/s`];
  return (
    <>
      <div class="agent-progress">
        <p class="agent-progress-words">
          <span role="status">
            {isCancelling ? "Cancelling …" : `Installing: ${phase === undefined ? "starting" : phaseWord(phase)}`}
          </span>
          <span class="quiet">{figures.filter(Boolean).join(" · ")}</span>
        </p>
        <progress aria-label={`Install of ${agent.name}`} max={100} {...(percent !== undefined && { value: percent })} />
      </div>
      <ol class="agent-steps" aria-label="Steps">
        {steps.map(({ phase: name, at, tookMs }) => (
          <li key={at} data-state={tookMs === undefined ? "working" : "done"}>
            <Icon name={tookMs === undefined ? "spinner" : "check"} />
            {phaseWord(name)}
            <span class="quiet">{tookMs === undefined ? <Elapsed since={at} /> : timeWord(tookMs)}</span>
          </li>
        ))}
      </ol>
      {failure && <ProblemCard title="Not cancelled" problem={failure} />}
      <div class="buttons">
        <button
          type="button"
          class="button"
          disabled={isCancelling}
          onClick={() => (install.replaces ? setAsking(true) : desk.cancelInstall(agent.id))}
        >
          {install.replaces ? "Cancel …" : "Cancel"}
        </button>
        <span class="quiet">The daemon goes on when you leave this page.</span>
      </div>
      {isAsking && (
        <RemoveDialog
          agent={agent}
          title={`Cancel, and remove ${agent.name}?`}
          word="Cancel and remove"
          onRemove={() => desk.cancelInstall(agent.id)}
          onClose={() => setAsking(false)}
        >
          <p>The daemon calls an install off by removing the agent, also the version that works now.</p>
        </RemoveDialog>
      )}
    </>
  );
}

function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 200);
    return () => clearInterval(timer);
  }, []);
  return <>{timeWord(now - since)}</>;
}
