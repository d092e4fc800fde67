// A test: where it is, then what the agent answered and how fast, or why it did not.
import { Icon } from "../../parts/icon.js";
import { timeWord } from "../../state/agent_install.js";
import { hintOf, type Trial, type TrialStep } from "../../state/agent_trial.js";
import { ProblemCard } from "../problem_card.js";

const words: Record<TrialStep, string> = {
  start: "Starting a process of its own …",
  initialize: "Waiting for its answer to initialize …",
  end: "Ending the process …",
};

export function TrialReport({ trial, onCancel }: { trial: Trial; onCancel: () => void }) {
  const { state, failure, left } = trial;
  const hint = hintOf(trial);
  return (
    <section class={state === "failed" ? "agent-test" : "agent-test agent-card"} aria-label="Test">
      {state === "working" && (
        <div class="agent-outcome">
          <Icon name="spinner" />
          <span role="status">{words[trial.step]}</span>
          <button type="button" class="button" disabled={trial.step === "end"} onClick={onCancel}>
            Cancel test
          </button>
        </div>
      )}
      {state === "answered" && <Answer trial={trial} />}
      {state === "cancelled" && <p role="status">The test was cancelled{left === undefined && ", and its process ended"}.</p>}
      {failure && (
        <ProblemCard
          title={`Test failed after ${timeWord(trial.tookMs ?? 0)}`}
          problem={{ ...failure, ...(hint !== undefined && { hint }) }}
        />
      )}
      {left !== undefined && (
        <p class="bad">
          The process {trial.serverId} could not be ended: {left}
        </p>
      )}
    </section>
  );
}

function Answer({ trial: { answered, tookMs, left } }: { trial: Trial }) {
  const { name, version, protocolVersion, signIn = [] } = answered ?? {};
  return (
    <>
      <p class="agent-outcome" role="status">
        <Icon name="check" />
        <span>
          It answered initialize after <b>{timeWord(tookMs ?? 0)}</b>
          {left === undefined && "; the process was ended"}.
        </span>
      </p>
      <p class="quiet">
        {[
          name === undefined
            ? "It gave no name"
            : `It calls itself ${name}${version === undefined ? "" : `, version ${version}`}`,
          protocolVersion === undefined ? undefined : `ACP version ${protocolVersion}`,
          signIn.length > 0 ? `ways to sign in: ${signIn.join(", ")}` : undefined,
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
    </>
  );
}
